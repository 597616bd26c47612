/**
 * Serves a generated workspace on loopback: the emulator, filled with the resources of `generate.mjs`.
 *
 *   node bench/programs/serve.mjs --entries 10000 --seed 1 [--keys 50000] [--changed 100]
 *
 * Needs the built program. Prints one line of JSON, { url, token, adminToken }, and ends when its standard input does.
 * `--changed` catalog entries have another name in the service than in the files.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createEmulator } from "../../build/emulator/emulator.js";
import { createReplica } from "../../build/emulator/replica/replica.js";
import { serve } from "../../build/emulator/serve.js";
import { workspace } from "./generate.mjs";

const BUILT_IN = ["team", "service", "environment", "functionality"];

/** The built-in catalog types of a new workspace, with their attributes. */
async function builtInTypes() {
  const emulator = createEmulator({ workspace: "bare" });
  try {
    const headers = { authorization: `Bearer ${emulator.adminToken}` };
    const answer = await emulator.fetch(new Request("http://localhost/api/v1/catalog/types", { headers }));
    const { types } = await answer.json();
    return new Map(types.map((type) => [type.slug, type]));
  } finally {
    await emulator.close();
  }
}

/**
 * The lists of a service with this workspace, by path.
 * @param {ReturnType<typeof workspace>} declared
 */
export async function rowsOf(declared, changed = 0) {
  const known = await builtInTypes();
  const named = (prefix, list) => list.map((entry, index) => ({ id: `${prefix}-${index + 1}`, ...entry }));
  const types = declared.catalog_types.map(({ entries, ...type }, index) => ({
    id: `type-${index + 1}`,
    ...known.get(type.slug),
    ...type,
    kind: BUILT_IN.includes(type.slug) ? "system" : "custom",
  }));
  const ids = new Map(
    declared.catalog_types.flatMap(({ slug, entries }, type) =>
      entries.map((entry, index) => [`${slug} ${entry.slug}`, `entry-${type + 1}-${index + 1}`]),
    ),
  );
  const byId = new Map(types.map(({ id, slug }) => [id, slug]));
  const slugOf = (word) => byId.get(word) ?? word;
  let left = changed;
  const entryRows = ({ slug, entries }, type) => {
    const attributes = type.attribute_definitions ?? type.attributes ?? [];
    const pointing = new Map(
      attributes.flatMap((attribute) => {
        const target = attribute.reference_type ?? attribute.reference_type_id;
        return typeof target === "string" ? [[attribute.slug ?? slugged(attribute.name), slugOf(target)]] : [];
      }),
    );
    return entries.map((entry) => {
      const references = [...pointing].flatMap(([key, target]) =>
        key in entry.attributes
          ? [{ key, target_entry_id: ids.get(`${target} ${entry.attributes[key]}`), target_type: target }]
          : [],
      );
      const own = Object.entries(entry.attributes).filter(([key]) => !pointing.has(key));
      left -= 1;
      return {
        ...entry,
        id: ids.get(`${slug} ${entry.slug}`),
        name: left >= 0 ? `${entry.name} (old)` : entry.name,
        attributes: Object.fromEntries(own),
        references,
      };
    });
  };
  const agents = named("agent", declared.agents);
  const made = {
    "/severities": named("severity", declared.severities).map(withDefault),
    "/statuses": named("status", declared.statuses).map(withDefault),
    "/incident_types": named("incident-type", declared.incident_types),
    "/incident_roles": named("incident-role", declared.incident_roles),
    "/custom_fields": named("field", declared.custom_fields),
    "/catalog/types": types,
    "/runbooks": named("runbook", declared.runbooks),
    "/alert_sources": named("source", declared.alert_sources).map((source) => ({
      ...source,
      endpoint_path: `${source.id}-endpoint`,
    })),
    "/routing_rules": named("rule", declared.routing_rules.workspace),
    "/webhooks": named("webhook", declared.webhooks),
    "/api_keys": named("key", declared.api_keys).map((key, index) => ({ ...key, prefix: `key_${10_000_000 + index}` })),
    "/agents": agents,
  };
  for (const [form, fields] of Object.entries(declared.forms)) made[`/forms/${form}`] = fields;
  for (const [source, rules] of Object.entries(declared.routing_rules.sources)) {
    made[`/routing_rules?${new URLSearchParams({ source })}`] = named(`rule-${source}`, rules);
  }
  for (const [index, type] of declared.catalog_types.entries()) {
    made[`/catalog/types/${type.slug}/entries`] = entryRows(type, types[index]);
  }
  for (const { id, grants } of agents) {
    made[`/grants?${new URLSearchParams({ principal_kind: "agent", principal_id: id })}`] = named(
      `grant-${id}`,
      grants,
    );
  }
  return made;
}

function withDefault({ default: is_default = false, ...row }) {
  return { ...row, is_default };
}

function slugged(name) {
  return name.toLowerCase().replaceAll(" ", "_");
}

/** An emulator in process with the workspace. `notes` lists what could not be imported. */
export async function emulatorOf(declared, changed = 0) {
  return takenOver(await rowsOf(declared, changed));
}

/** An emulator with the workspace, imported from the responses of a service. */
export function takenOver(rows) {
  const incidentCounts = { severities: {}, statuses: {}, choices: {} };
  return createReplica({ rows, incidentCounts, people: [], dialects: {} });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const number = (value) => ({ type: "string", default: value });
  const { values } = parseArgs({
    options: { entries: number("1000"), seed: number("1"), keys: number("0"), changed: number("0") },
  });
  const size = { entries: Number(values.entries), seed: Number(values.seed), keys: Number(values.keys) };
  const { emulator, notes } = await emulatorOf(workspace(size), Number(values.changed));
  for (const note of notes) process.stderr.write(`${note}\n`);
  const served = await serve(emulator);
  const { serviceToken: token, adminToken } = emulator;
  process.stdout.write(`${JSON.stringify({ url: served.url, token, adminToken })}\n`);
  process.stdin.resume().once("end", async () => {
    await served.close();
    await emulator.close();
  });
}
