/**
 * Which live entry is which declared one: by pin, by key, by former name; never a second copy of what is there
 * under another slug.
 */

import type { Configuration } from "../config/load/configuration.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Declared, Live } from "../kinds/resource.ts";
import { declaredIn } from "./declared.ts";
import type { State } from "./resolved-state.ts";

/** A declared entry and the live one it means, if there is one. */
export interface Pair {
  readonly declared: Declared;
  readonly live?: Live;
}

/** How a managed collection meets the live one. */
export interface Meetings {
  /** In declared order. */
  readonly pairs: readonly Pair[];
  /** Live entries that nothing declared means, in the service's order. */
  readonly unlisted: readonly Live[];
  /** Why some entry cannot be told from another; such a plan must not be made. */
  readonly errors: readonly Diagnostic[];
}

/** How the entries of a live collection were met, and by which declared ones: everybody asks for the same meetings. */
const MET = new WeakMap<readonly Live[], { readonly declared: readonly Declared[]; readonly met: Meetings }>();

/** Meets the declared entries of one collection with its live ones. Ranked kinds meet by their transition, not here. */
export function meetings(configuration: Configuration, state: State, kind: string, scope: string): Meetings {
  const live = state.live(kind, scope) ?? [];
  const declared = declaredIn(configuration, kind, scope);
  const before = MET.get(live);
  if (before?.declared === declared) return before.met;
  const met = meet(live, declared);
  MET.set(live, { declared, met });
  return met;
}

function meet(live: readonly Live[], declared: readonly Declared[]): Meetings {
  const free = new Set(live);
  const taken = new Map<Declared, Live>();
  const errors: Diagnostic[] = [];
  const take = (entry: Declared, found: Live | undefined) => {
    if (found === undefined) return;
    taken.set(entry, found);
    free.delete(found);
  };

  const byKey = grouped(live);
  const pinned = declared.filter((entry) => entry.pin !== undefined);
  const byId = new Map(pinned.length === 0 ? [] : live.toReversed().map((row) => [row.id, row]));
  for (const entry of pinned) {
    const found = byId.get(entry.pin ?? "");
    if (found === undefined) errors.push(lost(entry));
    take(entry, found);
  }
  const open = declared.filter((entry) => entry.pin === undefined);
  const meetBy = (entry: Declared, key: string) => {
    const same = (byKey.get(key) ?? NONE).filter((row) => row.keyField === entry.keyField && free.has(row));
    if (same.length > 1) errors.push(ambiguous(entry, same));
    take(entry, same[0]);
  };
  for (const entry of open) meetBy(entry, entry.key);
  const alone = open.filter((entry) => !taken.has(entry));
  for (const entry of alone) if (entry.renamedFrom !== undefined) meetBy(entry, entry.renamedFrom);
  const fresh = alone.filter((entry) => !taken.has(entry) && entry.keyField !== "name");
  const byName = new Map(fresh.length === 0 ? [] : [...free].reverse().map((row) => [nameOf(row), row]));
  for (const entry of fresh) {
    const name = nameOf(entry);
    const twin = name === undefined ? undefined : byName.get(name);
    if (twin !== undefined) errors.push(otherwise(entry, twin));
  }
  const pairs = declared.map((entry): Pair => {
    const met = taken.get(entry);
    return met === undefined ? { declared: entry } : { declared: entry, live: met };
  });
  return { pairs, unlisted: live.filter((row) => free.has(row)), errors };
}

/** Whether this run may change an entry. A list in which the first match wins changes as a whole. */
export function isConcerned(
  { admits, managed }: Configuration,
  { kind, scope, address }: Pick<Live, "kind" | "scope" | "address">,
): boolean {
  if (admits === undefined) return true;
  return kind.lifecycle.order === "rank"
    ? managed.some((list) => list.kind === kind.name && list.scope === scope)
    : admits(address);
}

/** The same, without the entries that this run may not change. */
export function concerned(configuration: Configuration, state: State, kind: string, scope: string): Meetings {
  const all = meetings(configuration, state, kind, scope);
  if (configuration.admits === undefined) return all;
  const { pairs, unlisted, errors } = all;
  return {
    pairs: pairs.filter(({ declared }) => isConcerned(configuration, declared)),
    unlisted: unlisted.filter((live) => isConcerned(configuration, live)),
    errors,
  };
}

const NONE: readonly Live[] = [];

/** By key, whichever field holds it. */
function grouped(live: readonly Live[]): ReadonlyMap<string, readonly Live[]> {
  const groups = new Map<string, Live[]>();
  for (const row of live) {
    const group = groups.get(row.key);
    if (group === undefined) groups.set(row.key, [row]);
    else group.push(row);
  }
  return groups;
}

/** A name as it is told from others; undefined where there is none. */
function nameOf({ fields: { name } }: Pick<Live, "fields">): string | undefined {
  return typeof name === "string" ? name.trim().toLowerCase() : undefined;
}

function lost(entry: Declared): Diagnostic {
  return {
    severity: "error",
    code: "E_PIN",
    message: `${entry.address} is pinned to "${entry.pin}", but no live ${entry.kind.title} has that ${entry.kind.identity.pin}`,
    at: entry.place(`/${entry.kind.identity.pin}`),
    help: `Remove ${entry.kind.identity.pin} to have it created, or write the ${entry.kind.identity.pin} of the live one.`,
  };
}

function ambiguous(entry: Declared, same: readonly Live[]): Diagnostic {
  const ids = same.map((row) => row.id).join(", ");
  return {
    severity: "error",
    code: "E_AMBIGUOUS",
    message: `${same.length} live ${entry.kind.name} are called "${entry.key}" (${ids}), so it is not clear which one is meant`,
    at: entry.at,
    help:
      entry.kind.identity.pin === undefined
        ? "Give the live ones different names first."
        : `Write ${entry.kind.identity.pin}: ${same[0]?.id} (or one of the others) to say which.`,
  };
}

function otherwise(entry: Declared, twin: Live): Diagnostic {
  return {
    severity: "error",
    code: "E_OTHER_SLUG",
    message: `a live ${entry.kind.title} is already called "${twin.fields.name}", under the ${twin.keyField} "${twin.key}"; creating ${entry.address} would make a second one`,
    at: entry.place(`/${entry.keyField}`),
    help: `Write ${twin.keyField}: ${twin.key} to mean that one, or give this one another name.`,
  };
}
