/** What a plan is bound to: the files, the live state it was read from, and its own text. */

import { createHash } from "node:crypto";
import type { Configuration } from "../../config/load/configuration.ts";
import { canonical, type Json, OneOrder } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Live } from "../../kinds/resource.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Change, Plan, Seal } from "../plan.ts";

/**
 * Seals a plan that has everything but its seal. The digests of what is live and of the plan's own text are for a plan that is
 * kept or held to: they are made when somebody asks, and a plan that is only looked at does without.
 */
export function seal(plan: Omit<Plan, "seal">, configuration: Configuration, state: State, now: Date): Seal {
  let live: string | undefined;
  let fingerprint: string | undefined;
  let hash: string | undefined;
  return {
    created_at: now.toISOString(),
    configuration: configuration.digest,
    get live() {
      live ??= digestOfLive(configuration, state);
      return live;
    },
    get fingerprint() {
      fingerprint ??= fingerprintOf(plan, configuration.digest);
      return fingerprint;
    },
    get hash() {
      hash ??= hashOf({ ...plan, seal: this });
      return hash;
    },
  };
}

/** The hash that a plan's text must have. */
export function hashOf(plan: Plan): string {
  const { seal: bound, ...rest } = plan;
  return digestOf({ ...rest, configuration: bound.configuration, live: bound.live });
}

/**
 * What a run without the file of a plan is held to: the service and the files, what narrows it, its changes and its requests in
 * order. 32 hex digits. Whatever else has changed in the workspace leaves it as it is; it says nothing of secret values.
 */
function fingerprintOf(plan: Omit<Plan, "seal">, configuration: string): string {
  const { target, partial = [], changes, operations } = plan;
  return digestOf({ host: target.host, partial, configuration, changes: changes.map(disclosed), operations }).slice(
    0,
    32,
  );
}

/** The change without its secret values. */
function disclosed(change: Change): object {
  if (change.fields.every(({ secret }) => secret !== true)) return change;
  return { ...change, fields: change.fields.map((field) => (field.secret === true ? { path: field.path } : field)) };
}

/** Digest of the ids of the kinds that incidents hold: tells one workspace from another. Null when they were not read. */
export function workspaceIdentity(state: State): string | null {
  const counted = [...state.kinds.values()].filter((kind) => kind.references?.countedBy !== undefined);
  if (counted.some((kind) => state.live(kind.name) === undefined)) return null;
  return digest(
    counted.map((kind) =>
      state
        .rows(kind.name)
        .map(({ id }) => id ?? null)
        .sort(),
    ),
  ).slice(0, 16);
}

/**
 * The digest of every live field that a decision could rest on; what changes by mere use, such as a token's last use, is left out.
 * A list at a time, since the texts of a large workspace would be the largest of all; those of a list in one order, whatever it is told in.
 */
function digestOfLive(configuration: Configuration, state: State): string {
  const hash = createHash("sha256");
  const declared = declaredNames(configuration);
  for (const kind of state.kinds.values()) {
    const names = [...new Set([...(declared.get(kind) ?? []), ...ownNames(kind)])].sort();
    const order = new OneOrder();
    let texts: string[] = [];
    let scope: string | undefined;
    const end = () => {
      if (scope !== undefined) hash.update(`${JSON.stringify([kind.name, scope])}\n${texts.sort().join("\n")}\n`);
    };
    for (const live of state.all(kind.name)) {
      if (scope !== live.scope) {
        end();
        texts = [];
      }
      scope = live.scope;
      texts.push(picture(live, names, state.held(live), order));
    }
    end();
  }
  return hash.digest("hex");
}

/** The names of the fields that are declared of each kind. */
function declaredNames(configuration: Configuration): ReadonlyMap<Kind, ReadonlySet<string>> {
  const declared = new Map<Kind, Set<string>>();
  for (const { kind, fields } of configuration.declared) {
    const names = declared.get(kind) ?? new Set<string>();
    declared.set(kind, names);
    for (const name of Object.keys(fields)) names.add(name);
  }
  return declared;
}

function ownNames({
  fields = {},
  identity: { keys: key, idFields: address },
  lifecycle: { disable = "enabled" },
}: Kind): readonly string[] {
  return [...Object.keys(fields), ...key, ...address, "id", "name", "position", disable];
}

/**
 * What is looked at in an entry, as a text of one line: its key, so that those of a list are in order as they come, how many
 * incidents hold it, then names and values.
 */
function picture(
  { kind, key, row, fields }: Live,
  names: readonly string[],
  held: number | undefined,
  order: OneOrder,
): string {
  const seen: Json[] = [key, held ?? null];
  for (const name of names) {
    const decoded = fields[name];
    const told = decoded === undefined ? row[name] : decoded;
    if (told === undefined) continue;
    seen.push(name, order.of(kind.fields?.[name]?.canonical?.(told) ?? told));
  }
  return JSON.stringify(seen);
}

/**
 * The digest of the canonical text of a value in which nothing that is undefined counts. The text of a large plan would be the
 * largest of all, so it is never there as a whole: the lists of the value are gone through one item at a time.
 */
function digestOf(value: Readonly<Record<string, unknown>>): string {
  const hash = createHash("sha256");
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  for (const [at, name] of names.sort().entries()) {
    const member = value[name];
    hash.update(`${at === 0 ? "{" : ","}${JSON.stringify(name)}:`);
    if (Array.isArray(member)) {
      hash.update("[");
      for (const [place, item] of member.entries()) hash.update((place === 0 ? "" : ",") + canonical(asJson(item)));
      hash.update("]");
    } else hash.update(canonical(asJson(member)));
  }
  return hash.update("}").digest("hex");
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function digest(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}
