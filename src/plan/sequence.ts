/**
 * The order of all requests: what is mentioned before what mentions it, what takes away last and the other way round.
 * A circle of new entries is broken by creating one of them without the fields that close it.
 */

import type { Fields } from "../json.ts";
import type { Kind, Reference } from "../kinds/kind.ts";
import { addressOf, type Live } from "../kinds/resource.ts";
import type { Pair } from "./meet.ts";
import type { State } from "./state.ts";
import type { Draft, Step } from "./step.ts";

/** Kinds so that each comes after those it may mention; otherwise in the order given. */
export function kindOrder(kinds: readonly Kind[]): readonly Kind[] {
  const order: Kind[] = [];
  const visit = (kind: Kind) => {
    if (order.includes(kind)) return;
    for (const other of kinds) {
      if (other !== kind && kind.after?.includes(other.name) === true) visit(other);
    }
    order.push(kind);
  };
  for (const kind of kinds) visit(kind);
  return order;
}

/** Entries of one kind, each after those it mentions, and the fields that have to wait because they close a circle. */
export interface Arrangement {
  readonly pairs: readonly Pair[];
  /** Address → fields that mention an entry which comes later. */
  readonly deferred: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Arranges the entries of one kind by their mentions of new entries of the same kind. */
export function arrange(state: State, kind: Kind, pairs: readonly Pair[]): Arrangement {
  if (kind.after?.includes(kind.name) !== true) return { pairs, deferred: new Map() };
  const byAddress = new Map(pairs.map((pair) => [pair.declared.address, pair]));
  const deferred = new Map<string, Set<string>>();
  const order: Pair[] = [];
  const done = new Set<Pair>();
  const open = new Set<Pair>();
  const visit = (pair: Pair) => {
    if (done.has(pair)) return;
    open.add(pair);
    for (const reference of kind.references?.(pair.declared.fields, state, pair.declared.scope) ?? []) {
      if (reference.kind !== kind.name) continue;
      const other = byAddress.get(addressOf(kind, reference.scope, reference.key));
      if (other === undefined || other.live !== undefined || done.has(other)) continue;
      if (open.has(other)) {
        const fields = deferred.get(pair.declared.address) ?? new Set<string>();
        deferred.set(pair.declared.address, fields.add(reference.at.split("/")[1] ?? ""));
      } else visit(other);
    }
    open.delete(pair);
    done.add(pair);
    order.push(pair);
  };
  for (const pair of pairs) visit(pair);
  return { pairs: order, deferred };
}

/** All requests in the order in which they run. `drafts` come kind by kind, in kind order. */
export function sequence(state: State, drafts: readonly Draft[]): readonly Step[] {
  link(state, drafts);
  const early = drafts.flatMap(({ steps }) => steps.filter(({ late }) => !late));
  const late = drafts.flatMap(({ steps }) => steps.filter((step) => step.late)).reverse();
  return settle([...early, ...late]);
}

/** Stable: a step moves back only as far as something that it needs makes it. */
function settle(steps: readonly Step[]): readonly Step[] {
  const order: Step[] = [];
  const seen = new Set<Step>();
  const all = new Set(steps);
  const visit = (step: Step) => {
    if (seen.has(step)) return;
    seen.add(step);
    for (const need of step.needs) if (all.has(need)) visit(need);
    order.push(step);
  };
  for (const step of steps) visit(step);
  return order;
}

/** Says of each request what it needs. */
function link(state: State, drafts: readonly Draft[]): void {
  const makers = new Map<string, readonly Step[]>();
  /** Requests after which an entry offers the choices that it is declared to offer. */
  const offers = new Map<string, readonly Step[]>();
  for (const { change, steps } of drafts) {
    const early = steps.filter(({ late }) => !late);
    if (change.action === "create" || change.action === "enable") makers.set(change.address, early.slice(0, 1));
    offers.set(change.address, early);
  }
  for (const { kind, scope, declared, steps, change } of drafts) {
    steps[0]?.needs.push(...(makers.get(parentAddress(state, kind, scope)) ?? []));
    const circle = steps.length > 1 && change.action === "create";
    for (const { reference, target, address } of declared === undefined
      ? []
      : mentions(state, kind, scope, declared.fields)) {
      const made = (reference.choice === undefined ? makers : offers).get(address) ?? [];
      const waits = circle && target === kind && !fieldIn(steps[0], reference);
      const user = waits ? steps.at(-1) : steps[0];
      user?.needs.push(...made.filter((step) => !steps.includes(step)));
    }
  }
  linkRemovals(state, drafts);
}

/** The address of the entry that a nested one lies in; empty for others. */
function parentAddress(state: State, { layout }: Kind, scope: string): string {
  const parent = layout !== undefined && "within" in layout ? state.kinds.get(layout.within) : undefined;
  return parent === undefined ? "" : addressOf(parent, "", scope);
}

/** Whether the request sends the field that holds the mention; one that closes a circle of new entries is left for later. */
function fieldIn(step: Step | undefined, { at }: Reference): boolean {
  const [, field = ""] = at.split("/");
  return step?.body?.[field] !== undefined;
}

/** What takes something away needs that nothing mentions or holds it any more. */
function linkRemovals(state: State, drafts: readonly Draft[]): void {
  const released = releases(state, drafts);
  for (const { change, steps, kind, live } of drafts) {
    for (const step of steps.filter(({ late }) => late)) {
      const gone = change.action === "delete" || change.action === "disable" || step.retains !== undefined;
      const needs = gone
        ? [...(released.get(change.address) ?? []), ...successors(kind, drafts)]
        : holders(kind, live, drafts);
      step.needs.push(...needs.filter((other) => !steps.includes(other) && !other.needs.includes(step)));
    }
  }
}

/** Address → the requests after which entries that mention it now do so no longer: their own, or of what takes them along. */
function releases(state: State, drafts: readonly Draft[]): ReadonlyMap<string, readonly Step[]> {
  const found = new Map<string, Step[]>();
  for (const { kind, scope, live, steps } of drafts) {
    if (live === undefined) continue;
    const along = (kind.cascades ?? []).flatMap((name) => state.live(name, live.key) ?? []);
    const carried = along.flatMap((entry) => mentions(state, entry.kind, entry.scope, entry.fields));
    let fields = live.fields;
    let open = new Set(mentions(state, kind, scope, fields).map(({ address }) => address));
    for (const step of steps) {
      fields = { ...fields, ...step.sets };
      const deletes = step.method === "DELETE";
      const left = new Set(deletes ? [] : mentions(state, kind, scope, fields).map(({ address }) => address));
      const released = [...open].filter((address) => !left.has(address));
      for (const address of [...released, ...(deletes ? carried.map((mention) => mention.address) : [])]) {
        found.set(address, [...(found.get(address) ?? []), step]);
      }
      open = left;
    }
  }
  return found;
}

/** Requests to the nested entries that hold values of a list's items. */
function holders(kind: Kind, live: Live | undefined, drafts: readonly Draft[]): readonly Step[] {
  const nested = Object.values(kind.fields ?? {}).flatMap(({ named }) => named?.kind ?? []);
  return drafts
    .filter((draft) => nested.includes(draft.kind.name) && draft.scope === live?.key)
    .flatMap(({ steps }) => steps);
}

/** Requests that make another entry the default. */
function successors(kind: Kind, drafts: readonly Draft[]): readonly Step[] {
  const promoting = drafts.filter((other) => other.kind === kind && promotes(other));
  return promoting.flatMap(({ steps }) => steps.slice(0, 1));
}

function mentions(
  state: State,
  kind: Kind,
  scope: string,
  fields: Fields,
): readonly { readonly reference: Reference; readonly target: Kind; readonly address: string }[] {
  return (kind.references?.(fields, state, scope) ?? []).flatMap((reference) => {
    const target = state.kinds.get(reference.kind);
    return target === undefined
      ? []
      : [{ reference, target, address: addressOf(target, reference.scope, reference.key) }];
  });
}

function promotes({ change, steps }: Draft): boolean {
  return steps.length > 0 && change.fields.some(({ path, after }) => path === "/default" && after === true);
}
