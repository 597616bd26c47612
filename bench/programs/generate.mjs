/**
 * Generates the configuration files of a workspace. The same seed gives the same bytes.
 *
 *   node bench/programs/generate.mjs --entries 10000 --seed 1 --out DIR [--keys 50000] [--url URL]
 *
 * `--entries` is the number of declared resources, including nested ones; 50,000 are within the limits of a load.
 * `--keys` adds one mapping with this many keys.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Pseudorandom numbers. */
export class Chance {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** An integer below the limit. */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** One item of the list. */
  of(list) {
    return list[this.below(list.length)];
  }

  /** True once in this many calls, on average. */
  once(times) {
    return this.below(times) === 0;
  }

  /** This many different items of the list, in its order. */
  some(list, number) {
    const left = new Set();
    while (left.size < Math.min(number, list.length)) left.add(this.below(list.length));
    return [...left].sort((a, b) => a - b).map((index) => list[index]);
  }
}

const WORDS =
  "account alert archive audit batch billing broker cache capture card cart checkout claim cluster consent contract customer data delivery device dispute document edge event export feature fraud gateway handler history identity image import index inventory invoice journal key ledger limit login loyalty mail market media member merchant message metric mobile notice offer order partner payment payout plan portal price profile quota queue rate receipt refund region report reserve review risk route rule scan search session settle shipping shop signal stock store stream tax template terminal token trace transfer usage user vault video wallet warehouse webhook worker".split(
    " ",
  );
const ROLES = ["api", "core", "gateway", "worker", "index", "batch", "proxy", "portal"];
const COLORS = ["#DC143C", "#FF6B35", "#FFA500", "#7A8B99", "#4169E1", "#32CD32", "#9B59B6", "#B8860B"];
const TIERS = ["Critical", "Standard", "Internal"];
const EVENTS = ["incident.created", "incident.updated", "incident.resolved", "incident.reopened", "incident.canceled"];
const RESOURCES = ["incidents", "severities", "statuses", "catalog", "runbooks", "webhooks"];
/** Entries of one of the custom catalog types. */
const TYPE_SIZE = 2000;

/** Two words and a unique number. */
function named(chance, number) {
  const words = `${chance.of(WORDS)} ${chance.of(WORDS)}`;
  const name = `${words[0].toUpperCase()}${words.slice(1)} ${chance.of(ROLES)} ${number}`;
  return { slug: name.toLowerCase().replaceAll(" ", "_"), name };
}

/** A color for each number. */
function colorOf(number) {
  return `#${(0x100000 + number * 0x0a51).toString(16).toUpperCase()}`;
}

function sentence(chance, words) {
  const text = Array.from({ length: words }, () => chance.of(WORDS)).join(" ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function listed(count, make) {
  return Array.from({ length: Math.max(0, count) }, (_, index) => make(index));
}

/**
 * The workspace as a value: kinds by name, as the files declare them.
 * @param {{ entries: number, seed: number, keys?: number }} size
 */
export function workspace({ entries, seed, keys = 0 }) {
  const chance = new Chance(seed);
  const share = (part, least, most) => Math.max(least, Math.min(most, Math.floor(entries / part)));
  const severities = ["critical", "major", "minor", "low", "near_miss"].map((slug, index) => ({
    slug,
    name: `Severity ${index + 1} ${slug.replace("_", " ")}`,
    description: sentence(chance, 8),
    color: COLORS[index],
    ...(slug === "minor" ? { default: true } : {}),
  }));
  const stages = ["triage", "active", "active", "active", "active", "closed", "canceled"];
  const statuses = stages.map((lifecycle_stage, index) => ({
    ...named(chance, index + 1),
    lifecycle_stage,
    description: sentence(chance, 6),
    color: COLORS[index],
    ...(index === 1 ? { default: true } : {}),
  }));
  const incident_types = listed(share(400, 4, 30), (index) => ({
    ...named(chance, index + 1),
    description: sentence(chance, 7),
    color: colorOf(index),
  }));
  const incident_roles = [
    { slug: "incident_lead", name: "Incident commander", description: "Decides. Does not type, does not fix." },
    ...listed(share(1000, 3, 12), (index) => ({ ...named(chance, index + 1), description: sentence(chance, 5) })),
  ];
  const custom_fields = listed(share(200, 5, 60), (index) => {
    const field_type = ["single_select", "multi_select", "text", "number"][index % 4];
    const options = listed(4 + chance.below(entries > 5000 ? 40 : 12), (at) => `${chance.of(WORDS)} ${at + 1}`);
    return {
      ...named(chance, index + 1),
      description: sentence(chance, 6),
      field_type,
      ...(index % 4 < 2 ? { options } : {}),
    };
  });
  const choosing = custom_fields.filter(({ options }) => options !== undefined);
  const condition = (fields = choosing) => {
    if (fields.length > 0 && chance.once(3)) {
      const field = chance.of(fields);
      const values = chance.some(field.options, 2);
      return { condition_field: "custom_field", custom_field: field.slug, operator: "one_of", values };
    }
    const [condition_field, list] = chance.once(2) ? ["severity", severities] : ["incident_type", incident_types];
    const values = chance.some(list, 2).map(({ slug }) => slug);
    return { condition_field, operator: "one_of", values };
  };
  const system = {
    declare: ["name", "severity", "summary", "incident_type", "visibility"],
    update: ["message", "next_update", "status", "severity", "incident_type", "summary"],
    resolve: ["summary", "lead", "name", "status", "severity"],
    cancel: ["summary", "status"],
  };
  const asked = { name: true, severity: true, message: true, next_update: true, status: true };
  const forms = Object.fromEntries(
    Object.entries(system).map(([form, fields], at) => [
      form,
      [
        ...fields.map((system_field) => ({ system_field, visible: true, required: asked[system_field] ?? false })),
        ...custom_fields
          .filter((_, index) => index % 4 === at)
          .map(({ slug }, index) => {
            // Every form can read the first field of the declare form.
            const readable = form === "declare" && index === 0 ? [] : custom_fields.slice(0, 1);
            return { custom_field: slug, visible: true, required: false, conditions: [condition(readable)] };
          }),
      ],
    ]),
  );
  const teams = listed(share(25, 4, 400), (index) => ({
    ...named(chance, index + 1),
    attributes: { description: sentence(chance, 6), slack_channel: `C0TEAM${index}` },
  }));
  const environments = listed(share(500, 3, 20), (index) => ({
    ...named(chance, index + 1),
    attributes: { description: sentence(chance, 3), is_production: index % 2 === 0, region: chance.of(["eu", "na"]) },
  }));
  const sources = listed(share(250, 2, 100), (index) => ({
    name: `${named(chance, index + 1).name} alerts`,
    provider: ["datadog", "grafana", "generic"][index % 3],
  }));
  const runbooks = listed(share(50, 4, 800), (index) => ({
    ...named(chance, index + 1),
    summary: sentence(chance, 9),
    content: `${listed(3, () => sentence(chance, 12)).join("\n")}\n`,
    aliases: [`${chance.of(WORDS)} down ${index}`],
    steps: listed(2 + chance.below(5), (step) => ({
      title: `${step + 1} ${sentence(chance, 4).slice(0, -1)}`,
      ...(chance.once(2) ? { instruction: sentence(chance, 10) } : {}),
      ...(chance.once(3) ? { tool: "deploy", arguments: { action: "rollback", regions: ["eu", "na"], days: 9 } } : {}),
    })),
    conditions: [condition()],
  }));
  if (keys > 0) {
    const large = Object.fromEntries(listed(keys, (index) => [`${chance.of(WORDS)}_${index}`, chance.below(1e6)]));
    const steps = [{ title: "Look everything up", tool: "table", arguments: large }];
    runbooks.push({ slug: "large_table", name: "Large table", summary: sentence(chance, 4), steps, conditions: [] });
  }
  const webhooks = listed(share(500, 3, 100), (index) => ({
    name: `${named(chance, index + 1).name} hook`,
    url: `https://hooks.example.com/${index}/incidents`,
    subscribed_events: chance.some(EVENTS, 3),
  }));
  const api_keys = listed(share(500, 3, 100), (index) => ({
    name: `${named(chance, index + 1).name} key`,
    permissions: Object.fromEntries(chance.some(RESOURCES, 2).map((resource) => [resource, ["read"]])),
  }));
  const agents = listed(share(2500, 2, 20), (index) => ({
    ...named(chance, index + 1),
    description: sentence(chance, 6),
    grants: [{ ability: "incidents.read" }, { ability: "runbooks.read" }],
  }));
  const others = [severities, statuses, incident_types, incident_roles, custom_fields, ...Object.values(forms)];
  const counted = [...others, teams, environments, sources, runbooks, webhooks, api_keys, agents];
  const rules = share(20, 10, 1200);
  // Four built-in types are declared, and the grants of agents are entries.
  const taken = counted.reduce((sum, list) => sum + list.length, 4 + agents.length * 2 + rules);
  const left = Math.max(2, entries - taken);
  const services = listed(Math.min(8000, Math.ceil(left * 0.4)), (index) => ({
    ...named(chance, index + 1),
    attributes: {
      description: sentence(chance, 6),
      owner_team: chance.of(teams).slug,
      tier: chance.of(TIERS),
      repository: `example/repository-${index}`,
      slack_channel: `C0SERVICE${index}`,
    },
  }));
  const ours = [];
  for (let rest = left - services.length; rest > 1; rest -= TYPE_SIZE + 1) {
    const number = ours.length + 1;
    ours.push({
      slug: `inventory_${number}`,
      name: `Inventory ${number}`,
      description: sentence(chance, 6),
      icon: "building",
      color: colorOf(number),
      attributes: [
        { name: "Run by", attribute_type: "reference", reference_type: "service" },
        { name: "Support tier", attribute_type: "select", options: ["Named engineer", "Hotline", "Mail"] },
        { name: "Regions", attribute_type: "list" },
        { name: "Minutes", attribute_type: "number" },
        { name: "At night", attribute_type: "boolean" },
      ],
      entries: listed(Math.min(TYPE_SIZE, rest - 1), (index) => ({
        ...named(chance, index + 1),
        attributes: {
          run_by: chance.of(services).slug,
          support_tier: chance.of(["Named engineer", "Hotline", "Mail"]),
          regions: chance.some(["Europe", "Asia"], 1),
          minutes: chance.below(600),
          at_night: chance.once(2),
        },
      })),
    });
  }
  const functionality = {
    slug: "functionality",
    entries: [],
  };
  const catalog_types = [
    { slug: "team", entries: teams },
    { slug: "environment", entries: environments },
    { slug: "service", entries: services },
    functionality,
    ...ours,
  ];
  const notify = () => ({ type: "team", team: chance.of(teams).slug });
  const rule = (number) => ({
    name: `rule ${number}`,
    conditions: [
      { field: "service", operator: "is_one_of", value: [...new Set(listed(2, () => chance.of(services).slug))] },
      { field: "title", operator: "contains", value: `${chance.of(WORDS)} ${number}` },
    ],
    outcome: chance.once(2)
      ? { action: "notify_only", notify: notify() }
      : { action: "auto_create_incident", severity: chance.of(severities).slug, invite: [notify()] },
  });
  const last = (name) => ({ name, outcome: { action: "notify_only", notify: notify() } });
  // The first source has up to three hundred rules.
  const long = Math.min(300, Math.floor(rules / 3));
  const scopes = Object.fromEntries(sources.map(({ name }) => [name, []]));
  for (let number = 0; number < rules - 1 - sources.length; number += 1) {
    const at = number < long ? 0 : 1 + (number % (sources.length - 1));
    scopes[sources[at].name].push(rule(number));
  }
  for (const list of Object.values(scopes)) list.push(last("everything else"));
  const routing_rules = { workspace: [last("everything")], sources: scopes };
  const kinds = { severities, statuses, incident_types, incident_roles, custom_fields, forms, catalog_types, runbooks };
  return { ...kinds, alert_sources: sources, routing_rules, webhooks, api_keys, agents };
}

/**
 * The files of a workspace, by path: a file for each kind, for each catalog type, and for each hundred runbooks.
 * @param {ReturnType<typeof workspace>} declared
 * @param {{ url?: string }} [options] `url` is the service's address
 * @returns {Map<string, string>}
 */
export function files(declared, { url = "https://incidents.example.com" } = {}) {
  const { catalog_types, runbooks, ...others } = declared;
  const made = new Map([["incidentctl.yaml", `version: 1\nbase_url: ${url}\nconfig: [config]\n`]]);
  const add = (name, kind, value) => {
    const lines = ["# Made by bench/programs/generate.mjs.", `${kind}:`, ...below(value, 1)];
    made.set(`config/${name}.yaml`, `${lines.join("\n")}\n`);
  };
  for (const [kind, value] of Object.entries(others)) add(kind.replaceAll("_", "-"), kind, value);
  for (const type of catalog_types) add(`catalog/${type.slug.replaceAll("_", "-")}`, "catalog_types", [type]);
  for (let at = 0; at < runbooks.length; at += 100) {
    const number = String(at / 100 + 1).padStart(2, "0");
    add(`runbooks/${number}`, "runbooks", runbooks.slice(at, at + 100));
  }
  return made;
}

/** Short values on the line of their key, others below it; texts of several lines as blocks. */
function below(value, depth) {
  const margin = "  ".repeat(depth);
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (typeof item !== "object") return [`${margin}- ${flow(item)}`];
      const [first = "", ...rest] = below(item, depth + 1);
      return [`${margin}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([key, member]) => {
    if (typeof member === "string" && member.includes("\n")) {
      const lines = member.trimEnd().split("\n");
      return [`${margin}${key}: |`, ...lines.map((line) => `${margin}  ${line}`)];
    }
    const text = isShort(member) ? flow(member) : undefined;
    if (text !== undefined && margin.length + key.length + text.length < 110) return [`${margin}${key}: ${text}`];
    return [`${margin}${key}:`, ...below(member, depth + 1)];
  });
}

function isShort(value) {
  if (typeof value !== "object") return true;
  const members = Object.values(value);
  return members.length <= 4 && members.every((member) => typeof member !== "object" || Array.isArray(member));
}

function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, member]) => `${key}: ${flow(member)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z][\w ./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value)
    ? value.trimEnd()
    : JSON.stringify(value);
}

/** Writes the files to a folder. */
export function write(made, directory) {
  for (const [name, text] of made) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      entries: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      keys: { type: "string", default: "0" },
      out: { type: "string" },
      url: { type: "string" },
    },
  });
  if (values.out === undefined) throw new Error("--out says where the files go");
  const size = { entries: Number(values.entries), seed: Number(values.seed), keys: Number(values.keys) };
  write(files(workspace(size), values.url === undefined ? {} : { url: values.url }), values.out);
}
