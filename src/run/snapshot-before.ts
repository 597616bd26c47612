/** What a run finds before it writes, as its journal keeps it: enough to plan the inverse later, and no secret. */

import { declarable } from "../config/edit/declarable.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { type Fields, isFields, isList } from "../core/json.ts";
import { kinds } from "../kinds/index.ts";
import type { Kind } from "../kinds/kind.ts";
import type { LiveResource } from "../kinds/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../match/last-applied.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import type { Change, Plan } from "../plan/plan.ts";
import type { ResourceSnapshot, RunSnapshot } from "../plan/snapshot.ts";

/** Ids kept of each kind: a few are enough to tell workspaces apart. */
const IDS = 50;

/** The live state as far as the plan changes it, less what the environment of this configuration or an earlier one gave. */
export function beforeOf(
  plan: Plan,
  configuration: Configuration,
  live: ResolvedState,
  lock: LastAppliedHashes = {},
): RunSnapshot {
  const secret = secretFields(configuration);
  const hidden = (address: string) => (name: string) =>
    secret(address).has(name) || cameFromEnvironment(lock, address, name);
  const touched = kinds.filter(({ name }) => plan.changes.some(({ kind }) => kind === name));
  const keyed = touched.filter(({ lifecycle: { order } }) => order !== "rank").map(({ name }) => name);
  const entries = plan.changes
    .filter(({ kind }) => keyed.includes(kind))
    .flatMap((change) => [...former(change, live), ...goingAlong(change, live)]);
  return {
    entries: [...new Set(entries)].map((entry) => picture(entry, hidden(entry.address))),
    orders: touched
      .filter(({ lifecycle: { order } }) => order === "position")
      .map(({ name }) => ({
        kind: name,
        scope: "",
        addresses: (live.live(name) ?? []).map(({ address }) => address),
      })),
    ranks: kinds
      .filter(({ lifecycle: { order } }) => order === "rank")
      .flatMap((kind) => ranksOf(kind, plan, configuration, live)),
  };
}

/** Some ids of every kind that was read: they tell one workspace from another. */
export function idsOf(live: ResolvedState): Readonly<Record<string, readonly string[]>> {
  const told = kinds.map(({ name }): readonly [string, readonly string[]] => [
    name,
    live
      .rows(name)
      .flatMap(({ id }) => (typeof id === "string" ? [id] : []))
      .sort()
      .slice(0, IDS),
  ]);
  return Object.fromEntries(told.filter(([, ids]) => ids.length > 0));
}

/** The names of fields that hold values from the environment, by address. */
function secretFields(configuration: Configuration): (address: string) => ReadonlySet<string> {
  const fields = new Map<string, Set<string>>();
  for (const { address, secrets } of configuration.declared) {
    const names = fields.get(address) ?? new Set<string>();
    for (const pointer of secrets) names.add(pointer.split("/")[1] ?? "");
    fields.set(address, names);
  }
  return (address) => fields.get(address) ?? new Set();
}

/** The live entry that a change is about: under its former name, where it gets another one. */
function former({ address, kind, fields }: Change, live: ResolvedState): readonly LiveResource[] {
  const all = live.all(kind);
  const same = all.filter((entry) => entry.address === address);
  if (same.length > 0) return same;
  const scope = live.kinds.get(kind)?.identity.keys ?? [];
  const renamed = fields.find(({ path, before }) => scope.includes(path.slice(1)) && before !== null);
  return all.filter(
    (entry) => renamed !== undefined && entry.key === renamed.before && sibling(entry.address, address),
  );
}

/** Whether two addresses differ in their last part only. */
function sibling(left: string, right: string): boolean {
  const stem = (address: string) => address.split("/").slice(0, -1).join("/");
  return stem(left) === stem(right);
}

function goingAlong({ cascades = [] }: Change, live: ResolvedState): readonly LiveResource[] {
  return kinds
    .filter(({ lifecycle: { order } }) => order !== "rank")
    .flatMap(({ name }) => live.all(name).filter(({ address }) => cascades.includes(address)));
}

function picture(entry: LiveResource, hidden: (name: string) => boolean): ResourceSnapshot {
  const { address, kind, scope, key, keyField } = entry;
  const choices = Object.entries(kind.fields ?? {}).flatMap(([name, field]) => {
    const rows = entry.row[name];
    if (field.optionList !== true || !isList(rows)) return [];
    const ids = rows.filter(isFields).map(({ label, id }) => [String(label), String(id)] as const);
    return [[name, Object.fromEntries(ids)] as const];
  });
  return {
    address,
    kind: kind.name,
    scope,
    key,
    keyField,
    fields: without(declarable(entry, kinds), hidden),
    ...(choices.length === 0 ? {} : { choices: Object.fromEntries(choices) }),
  };
}

/** The ranked lists that a plan changes, whole: an entry of one is its place. */
function ranksOf(kind: Kind, plan: Plan, configuration: Configuration, live: ResolvedState): RunSnapshot["ranks"] {
  const changed = plan.changes.filter((change) => change.kind === kind.name).map(({ address }) => address);
  const declared = configuration.declared.filter((entry) => entry.kind === kind);
  const managed = configuration.managed.filter((list) => list.kind === kind.name).map(({ scope }) => scope);
  const along = plan.changes.flatMap(({ cascades = [] }) => cascades);
  const lost = live.all(kind.name).filter(({ address }) => along.includes(address));
  return [...new Set([...managed, ...lost.map(({ scope }) => scope)])].flatMap((scope) => {
    const found = live.live(kind.name, scope) ?? [];
    const wanted = declared.filter((entry) => entry.scope === scope);
    const concerned = [...found, ...wanted].some(({ address }) => changed.includes(address) || along.includes(address));
    if (!concerned) return [];
    const before = found.map((entry) => declarable(entry, kinds));
    return [{ kind: kind.name, scope, before, after: wanted.map(({ fields }) => fields) }];
  });
}

function without(fields: Fields, hidden: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden(name)));
}
