/** Plans from what is declared and what was read, in memory: without a service, and so in no time. */

import type { Configuration } from "../../../src/config/load/configuration.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import { type Diagnostic, InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { hasOneList, type Kind } from "../../../src/kinds/kind.ts";
import type { IncidentUsage } from "../../../src/match/incident-usage.ts";
import type { LastApplied } from "../../../src/match/last-applied.ts";
import type { Observation, ObservedList } from "../../../src/match/observation.ts";
import type { ResolvedState } from "../../../src/match/resolved-state.ts";
import type { Approvals } from "../../../src/plan/checks/policy-checks.ts";
import type { PlanContext } from "../../../src/plan/context.ts";
import { makePlan } from "../../../src/plan/make.ts";
import type { Plan } from "../../../src/plan/plan.ts";
import { resolve } from "../../../src/refresh/refresh.ts";
import type { Resolved } from "../../../src/refresh/what-to-read.ts";
import { described } from "../schemas/plan-schema.ts";
import { configured } from "./configuration.ts";

/** Rows of a service by kind, or by kind and scope: `catalog_entries team`. What a row leaves out is filled in. */
export type Rows = Readonly<Record<string, readonly Fields[]>>;

/** What a plan is made from besides the files; nothing is live where nothing is said. */
export interface Given {
  readonly live?: Rows;
  /** Kinds that could not be read. */
  readonly unread?: readonly string[];
  /** Incidents by the id of the entry that they hold; others were counted and hold nothing. */
  readonly held?: Readonly<Record<string, number>>;
  /** Ids of entries whose incidents could not be counted. */
  readonly uncounted?: readonly string[];
  /** Incidents by custom field and option. */
  readonly chosen?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly settings?: Partial<Settings>;
  readonly consent?: Partial<Approvals>;
  readonly memory?: LastApplied;
  readonly ownPrefixes?: readonly string[];
  readonly only?: (address: string) => boolean;
  /** What the configuration of a narrower run says that it may change. */
  readonly admits?: (address: string) => boolean;
  /** JSON Pointers of values that came from the environment, by address. */
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
}

const consenting: Approvals = { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true };

/** The plan of a document. */
export function planned(document: Fields, given: Given = {}): Plan {
  const lastApplied = given.memory ?? NO_HASHES;
  const plan = makePlan({
    ...resolve(placed(document, given), kinds, observed(document, given)),
    usage: usageOf(document, given),
    lastApplied,
    approvals: { ...consenting, ...given.consent },
    host: "http://127.0.0.1:1",
    version: "0.0.0",
    now: new Date(0),
    ownPrefixes: given.ownPrefixes ?? [],
    ...(given.only === undefined ? {} : { filter: { typed: ["--target"], admits: given.only } }),
  });
  return described(plan);
}

/** The configuration of a document, with places for its lists, and with its secrets. */
function placed(document: Fields, { settings, secrets = {}, admits }: Given): Configuration {
  const configuration = configured(document, settings);
  const declared = configuration.declared.map((entry) => ({
    ...entry,
    secrets: secrets[entry.address] ?? [],
    place: (pointer: string) => ({ ...entry.at, column: pointer.length + 1 }),
  }));
  return {
    ...configuration,
    ...(admits === undefined ? {} : { admits }),
    declared,
    listAt: (kind, scope) => ({ file: `${kind}.yaml`, line: 7, column: scope.length }),
  };
}

/** Why there is no plan: a line for each reason, its code first. */
export function refused(document: Fields, given: Given = {}): readonly string[] {
  return diagnosed(document, given).map(({ code, message }) => `${code} ${message}`);
}

/** Why there is no plan, whole. */
export function diagnosed(document: Fields, given: Given = {}): readonly Diagnostic[] {
  try {
    planned(document, given);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.diagnostics;
  }
}

/** The requests of a plan in their order: method, path and body. */
export function requests(document: Fields, given: Given = {}): readonly string[] {
  return planned(document, given).operations.map(({ method, path, query, body }) => {
    const asked = new URLSearchParams(query).toString();
    const target = `${path.replace("/api/v1", "")}${asked === "" ? "" : `?${asked}`}`;
    return `${method} ${target}${body === null ? "" : ` ${JSON.stringify(body)}`}`;
  });
}

/** What is known of both sides. */
export function stateOf(document: Fields, given: Given = {}): ResolvedState {
  return resolvedOf(document, given).state;
}

/** The same, with a place for each field. */
export function placedStateOf(document: Fields, given: Given = {}): ResolvedState {
  return resolve(placed(document, given), kinds, observed(document, given)).state;
}

/** The same, matched. */
export function resolvedOf(document: Fields, given: Given = {}): Resolved {
  const { settings, admits } = given;
  const configuration = { ...configured(document, settings), ...(admits === undefined ? {} : { admits }) };
  return resolve(configuration, kinds, observed(document, given));
}

/** The context of a plan. */
export function contextOf(document: Fields, given: Given = {}): PlanContext {
  return {
    ...resolvedOf(document, given),
    usage: usageOf(document, given),
    lastApplied: given.memory ?? NO_HASHES,
  };
}

/** The incidents that were counted. */
function usageOf(document: Fields, given: Given): IncidentUsage {
  const { held = {}, chosen, uncounted = [] } = given;
  const ids = observed(document, given).lists.flatMap(({ rows }) => rows.map(({ id }) => String(id)));
  const counted = ids.filter((id) => !uncounted.includes(id));
  return {
    incidents: new Map(counted.map((id) => [id, held[id] ?? 0])),
    ...(chosen === undefined
      ? {}
      : {
          options: new Map(Object.entries(chosen).map(([field, counts]) => [field, new Map(Object.entries(counts))])),
        }),
  };
}

const NO_HASHES: LastApplied = { hashes: {}, resend: false };

/** What reading the service would give. */
function observed(document: Fields, { live = {}, unread = [] }: Given): Observation {
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

/** A row with what every row has: an id, a place in the list, the switch that retires it. */
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
