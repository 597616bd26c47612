/** Plans made in memory from declared values and live rows, without a service. */

import { declarableFields } from "../../../src/config/edit/declarable.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { DeclaredResource } from "../../../src/config/resources/declared-resource.ts";
import { startOf } from "../../../src/config/resources/origins.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import { Source } from "../../../src/config/source/source.ts";
import type { Member, Node } from "../../../src/config/source/tree.ts";
import { type Diagnostic, InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { escapedStep, type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { hasOneList, type Kind } from "../../../src/kinds/model/kind.ts";
import { listName } from "../../../src/kinds/model/resource.ts";
import type { Approvals } from "../../../src/plan/checks/policy-checks.ts";
import { sealPlan } from "../../../src/plan/checks/seal.ts";
import { type PlanInput as MakePlanInput, makePlan } from "../../../src/plan/make/make.ts";
import type { PlanContext } from "../../../src/plan/model/context.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import type { IncidentUsage } from "../../../src/workspace/match/incident-usage.ts";
import type { LastApplied } from "../../../src/workspace/match/last-applied.ts";
import type { Observation, ObservedList } from "../../../src/workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../../src/workspace/match/resolve.ts";
import type { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { described } from "../schemas/plan-schema.ts";
import { configured } from "./configuration.ts";

/** Rows of a service by kind, or by kind and scope: `catalog_entries team`. Missing fields get default values. */
export type Rows = Readonly<Record<string, readonly Fields[]>>;

/** Input of a plan besides the files. Lists that are missing in `live` are empty. */
export interface PlanInput {
  readonly live?: Rows;
  /** Kinds that could not be read. */
  readonly unread?: readonly string[];
  /** Number of incidents that use a resource, by its id; 0 if it is missing. */
  readonly held?: Readonly<Record<string, number>>;
  /** Ids of resources whose incidents could not be counted. */
  readonly uncounted?: readonly string[];
  /** Number of incidents by custom field and option. */
  readonly chosen?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly settings?: Partial<Settings>;
  readonly approvals?: Partial<Approvals>;
  readonly lastApplied?: LastApplied;
  readonly ownPrefixes?: readonly string[];
  readonly only?: (address: string) => boolean;
  /** The filter of the configuration: the addresses that the run may change. */
  readonly reach?: Configuration["reach"];
  readonly removesDisabled?: Configuration["removesDisabled"];
  /** JSON Pointers of values that came from the environment, by address. */
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
  /** Input of the planner that does not follow from the rest. */
  readonly more?: Partial<MakePlanInput>;
}

const ALL_APPROVALS: Approvals = {
  allowDelete: true,
  maxRemovals: { entries: 1000 },
  acceptRoutingWindow: true,
  tokenSink: true,
};

export function planned(document: Fields, given: PlanInput = {}): SealedPlan {
  const lastApplied = given.lastApplied ?? NO_HASHES;
  const usage = usageOf(document, given);
  const resolved = resolve(placed(document, given), kinds, observed(document, given));
  const plan = makePlan({
    ...resolved,
    usage,
    lastApplied,
    declarable: (resource) => declarableFields(resource, kinds),
    approvals: { ...ALL_APPROVALS, ...given.approvals },
    host: "http://127.0.0.1:1",
    version: "0.0.0",
    now: new Date(0),
    ownPrefixes: given.ownPrefixes ?? [],
    ...(given.only === undefined ? {} : { filter: { typed: ["--target"], admits: given.only } }),
    ...given.more,
  });
  return described(sealPlan(plan, { ...resolved, usage }, { saved: false }));
}

/** The configuration of a document, with source positions for its lists, and with its secrets. */
function placed(document: Fields, { settings, secrets = {}, reach, removesDisabled }: PlanInput): Configuration {
  const configuration = configured(document, settings);
  const lists = [...configuration.managed, ...kinds.map(({ name }) => ({ kind: name, scope: "" }))];
  const declared = configuration.declared.map((entry) => ({
    ...entry,
    secrets: secrets[entry.address] ?? [],
    origins: originsOf(entry),
  }));
  return {
    ...configuration,
    ...(reach === undefined ? {} : { reach }),
    ...(removesDisabled === undefined ? {} : { removesDisabled }),
    declared,
    listLocations: new Map(
      lists.map(({ kind, scope }) => [listName(kind, scope), { file: `${kind}.yaml`, line: 7, column: scope.length }]),
    ),
  };
}

/** Origins by which the column of a value in the file of the resource is the length of its JSON Pointer, plus 1. */
function originsOf(resource: DeclaredResource): DeclaredResource["origins"] {
  const { kind, fields, pin } = resource;
  const { file, line } = startOf(resource);
  const before = "\n".repeat(line - 1);
  const stated = { ...fields, ...(pin === undefined ? {} : { [kind.identity.pin ?? ""]: pin }) };
  const treeOf = (value: Json, pointer: string): Node => {
    const start = before.length + pointer.length;
    const span = { start, end: start };
    if (isList(value))
      return { ...span, type: "list", items: value.map((item, at) => treeOf(item, `${pointer}/${at}`)) };
    if (!isFields(value)) return { ...span, type: "scalar", value };
    const members = Object.entries(value).map(([name, member]): [string, Member] => {
      const tree = treeOf(member, `${pointer}/${escapedStep(name)}`);
      return [name, { start: tree.start, end: tree.end, value: tree }];
    });
    return { ...span, type: "map", members: new Map(members) };
  };
  return {
    source: new Source(file, file, `${before}${" ".repeat(1000)}`),
    tree: treeOf(stated, ""),
    start: before.length,
  };
}

/** The errors that prevent a plan, as lines: code, message. */
export function refused(document: Fields, given: PlanInput = {}): readonly string[] {
  return diagnosed(document, given).map(({ code, message }) => `${code} ${message}`);
}

/** The errors that prevent a plan; empty if there is a plan. */
export function diagnosed(document: Fields, given: PlanInput = {}): readonly Diagnostic[] {
  try {
    planned(document, given);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.diagnostics;
  }
}

/** The requests of a plan in their order: method, path and body. */
export function requests(document: Fields, given: PlanInput = {}): readonly string[] {
  return planned(document, given).operations.map(({ method, path, query, body }) => {
    const asked = new URLSearchParams(query).toString();
    const target = `${path.replace("/api/v1", "")}${asked === "" ? "" : `?${asked}`}`;
    return `${method} ${target}${body === null ? "" : ` ${JSON.stringify(body)}`}`;
  });
}

/** The resolved state of a document and its live rows. */
export function stateOf(document: Fields, given: PlanInput = {}): ResolvedState {
  return resolvedOf(document, given).state;
}

/** The resolved state, with a source position for each field. */
export function placedStateOf(document: Fields, given: PlanInput = {}): ResolvedState {
  return resolve(placed(document, given), kinds, observed(document, given)).state;
}

/** The resolved state with its matching and references. */
export function resolvedOf(document: Fields, given: PlanInput = {}): ResolvedWorkspace {
  const { settings, reach } = given;
  const configuration = { ...configured(document, settings), ...(reach === undefined ? {} : { reach }) };
  return resolve(configuration, kinds, observed(document, given));
}

export function contextOf(document: Fields, given: PlanInput = {}): PlanContext {
  return {
    ...resolvedOf(document, given),
    usage: usageOf(document, given),
    lastApplied: given.lastApplied ?? NO_HASHES,
  };
}

/** The counted incidents. */
function usageOf(document: Fields, given: PlanInput): IncidentUsage {
  const { held = {}, chosen, uncounted = [] } = given;
  const ids = observed(document, given).lists.flatMap(({ rows }) => rows.map(({ id }) => String(id)));
  const counted = ids.filter((id) => !uncounted.includes(id));
  return {
    incidents: new Map(counted.map((id) => [id, { count: held[id] ?? 0 }])),
    ...(chosen === undefined
      ? {}
      : {
          options: new Map(Object.entries(chosen).map(([field, counts]) => [field, new Map(Object.entries(counts))])),
        }),
  };
}

const NO_HASHES: LastApplied = { hashes: {}, resend: false };

/** The rows as they would be read from the service. */
function observed(document: Fields, { live = {}, unread = [] }: PlanInput): Observation {
  const places = new Map(configured(document).managed.map(({ kind, scope }) => [`${kind} ${scope}`.trim(), scope]));
  for (const kind of kinds) if (hasOneList(kind) && !unread.includes(kind.name)) places.set(kind.name, "");
  for (const place of Object.keys(live)) places.set(place, place.split(" ").slice(1).join(" "));
  const collections = [...places].flatMap(([place, scope]): readonly ObservedList[] => {
    const kind = kinds.find(({ name }) => name === place.split(" ")[0]);
    if (kind === undefined) throw new Error(`there is no kind ${place}`);
    return [{ kind: kind.name, scope, rows: (live[place] ?? []).map((row, index) => filled(kind, row, index)) }];
  });
  return { lists: collections, unread };
}

/** A row with the fields that every row has: an id, its position in the list, its enabled flag. */
function filled(kind: Kind, row: Fields, index: number): Fields {
  const name = row.slug ?? row.name ?? row.ability ?? row.custom_field ?? row.system_field ?? index + 1;
  return {
    id: `${kind.endpoint.envelope.item}-${String(name).toLowerCase().replaceAll(/\W+/g, "-")}`,
    ...(kind.lifecycle.disable === undefined ? {} : { [kind.lifecycle.disable]: true }),
    ...(kind.lifecycle.order === "position" ? { position: index + 1 } : {}),
    ...(kind.lifecycle.order === "rank" ? { priority: index + 1 } : {}),
    ...row,
  };
}

/** The requests in their order, each with the ones that it needs. */
export function order(document: Fields, input: PlanInput = {}): readonly string[] {
  const { operations } = planned(document, input);
  const name = new Map(operations.map(({ id, method, address }) => [id, `${method} ${address}`]));
  return operations.map(({ id, depends_on }) => {
    const needs = depends_on.map((need) => name.get(need)).join(", ");
    return `${name.get(id)}${needs === "" ? "" : ` after ${needs}`}`;
  });
}
