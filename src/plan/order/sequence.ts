/**
 * The order of all requests: what is mentioned before what mentions it, what takes away last and the other way round.
 * A circle of new entries is broken by creating one of them without the fields that close it.
 */

import type { Kind } from "../../kinds/kind.ts";
import type { Reference } from "../../kinds/lookup.ts";
import { addressOf, type Live } from "../../kinds/resource.ts";
import type { Pair } from "../../match/match.ts";
import { mentions } from "../../match/references.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Draft, Step } from "../diff/step.ts";
import { add } from "../removal/deletion-cycles.ts";

/** Kinds so that each comes after those it may mention; otherwise in the order given. */
export function kindOrder(kinds: readonly Kind[]): readonly Kind[] {
  const order: Kind[] = [];
  const visit = (kind: Kind) => {
    if (order.includes(kind)) return;
    for (const other of kinds) {
      if (other !== kind && kind.references?.dependsOn?.includes(other.name) === true) visit(other);
    }
    order.push(kind);
  };
  for (const kind of kinds) visit(kind);
  return order;
}

/** Entries of one kind, each after those it mentions, and the fields that have to wait because they close a circle. */
export interface Arrangement {
  readonly pairs: readonly Pair[];
  /** Address → JSON Pointers to mentions of an entry which comes later. */
  readonly deferred: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Arranges the entries of one kind by their mentions of new entries of the same kind. */
export function arrange(state: State, pairs: readonly Pair[]): Arrangement {
  const arranged = inOrder(state, pairs, () => true);
  const must = ({ declared }: Pair, at: string) =>
    declared.kind.references?.without?.(declared.fields, [at], state, declared.scope) === undefined;
  const stuck = arranged.pairs.some((pair) =>
    [...(arranged.deferred.get(pair.declared.address) ?? [])].some((at) => must(pair, at)),
  );
  if (!stuck) return arranged;
  // What cannot do without a mention comes after it, whatever else has to wait.
  return inOrder(state, inOrder(state, pairs, must).pairs, () => false);
}

/** Entries after those they mention, as far as these mentions count; of the others only those wait that come too early. */
function inOrder(state: State, pairs: readonly Pair[], counts: (pair: Pair, at: string) => boolean): Arrangement {
  const added = new Map(pairs.flatMap((pair) => (pair.live === undefined ? [[pair.declared.address, pair]] : [])));
  if (added.size === 0) return { pairs, deferred: new Map() };
  const deferred = new Map<string, Set<string>>();
  const done = new Set<Pair>();
  const open = new Set<Pair>();
  function* before(pair: Pair): Iterable<Pair> {
    open.add(pair);
    for (const { reference, address } of mentions(state, pair.declared)) {
      const other = added.get(address);
      if (other === undefined || done.has(other)) continue;
      if (open.has(other) || !counts(pair, reference.at)) {
        const places = deferred.get(pair.declared.address) ?? new Set<string>();
        deferred.set(pair.declared.address, places.add(reference.at));
      } else yield other;
    }
    open.delete(pair);
    done.add(pair);
  }
  return { pairs: eachAfter(pairs, before), deferred };
}

/** All requests in the order in which they run. `drafts` come kind by kind, in kind order. */
export function sequence(state: State, drafts: readonly Draft[]): readonly Step[] {
  link(state, drafts);
  const steps = drafts.flatMap((draft) => draft.steps);
  return settle([...steps.filter(({ late }) => !late), ...steps.toReversed()]);
}

/** Each step once, where it first stands. Stable: a step moves back only as far as something that it needs makes it. */
function settle(steps: readonly Step[]): readonly Step[] {
  return eachAfter(steps, ({ needs }) => needs);
}

/** Each item once, after those that come before it; they are asked for one by one. A chain of them may be longer than a stack is deep. */
function eachAfter<Item>(items: readonly Item[], before: (item: Item) => Iterable<Item>): readonly Item[] {
  const order: Item[] = [];
  const begun = new Set<Item>();
  const path: { readonly item: Item; readonly rest: Iterator<Item> }[] = [];
  const begin = (item: Item): void => {
    if (begun.has(item)) return;
    begun.add(item);
    path.push({ item, rest: before(item)[Symbol.iterator]() });
  };
  for (const each of items) {
    begin(each);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done !== true) begin(next.value);
      else {
        order.push(top.item);
        path.pop();
      }
    }
  }
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
  for (const { kind, scope, declared, steps } of drafts) {
    const [first] = steps;
    if (first === undefined) continue;
    first.needs.push(...(makers.get(parentAddress(state, kind, scope)) ?? []));
    if (declared === undefined) continue;
    for (const { reference, address } of mentions(state, declared)) {
      const made = (reference.option === undefined ? makers : offers).get(address) ?? [];
      const user = saying(steps, reference) ?? first;
      user.needs.push(...made.filter((step) => !steps.includes(step)));
    }
  }
  linkRemovals(state, drafts);
}

/** The address of the entry that a nested one lies in; empty for others. */
function parentAddress(state: State, { parent }: Kind, scope: string): string {
  const kind = parent === undefined ? undefined : state.kinds.get(parent.kind);
  return kind === undefined ? "" : addressOf(kind, "", scope);
}

/** The request that sends the mention, or else the field that holds it: one that closes a circle of new entries is left for later. */
function saying(steps: readonly Step[], { at }: Reference): Step | undefined {
  const [, field = "", key = ""] = at.split("/");
  const holding = steps.filter(({ body }) => body?.[field] !== undefined);
  return holding.find(({ body }) => Object.keys(body?.[field] ?? {}).includes(key)) ?? holding[0];
}

/** What takes something away needs that nothing mentions or holds it any more. */
function linkRemovals(state: State, drafts: readonly Draft[]): void {
  const released = releases(state, drafts);
  const lists = new Map<string, Draft[]>();
  const promoting = new Map<Kind, Step[]>();
  for (const draft of drafts) {
    add(lists, listOf(draft.kind.name, draft.scope), draft);
    const [first] = draft.steps;
    if (first !== undefined && promotes(draft)) add(promoting, draft.kind, first);
  }
  for (const { change, steps, kind, live } of drafts) {
    const holding = holders(kind, live, lists);
    const nested = holding.filter(({ late }) => !late);
    // What lets go of others before it goes can do so only once nothing in it holds them.
    for (const step of steps.filter(({ late }) => !late)) if (change.action === "delete") step.needs.push(...nested);
    for (const step of steps.filter(({ late }) => late)) {
      const gone = change.action === "delete" || change.action === "disable" || step.retains !== undefined;
      const needs = gone ? [...(released.get(change.address) ?? []), ...(promoting.get(kind) ?? [])] : holding;
      step.needs.push(...needs.filter((other) => !steps.includes(other) && !other.needs.includes(step)));
    }
  }
}

/** Address → the requests after which entries that mention it now do so no longer: their own, or of what takes them along. */
function releases(state: State, drafts: readonly Draft[]): ReadonlyMap<string, readonly Step[]> {
  const found = new Map<string, Step[]>();
  const own = new Set(drafts.flatMap(({ change, live }) => (change.action === "delete" ? (live ?? []) : [])));
  for (const { kind, scope, live, steps } of drafts) {
    if (live === undefined) continue;
    const along = (kind.references?.cascades ?? []).flatMap((name) => state.live(name, live.key) ?? []);
    const carried = along.filter((entry) => !own.has(entry)).flatMap((entry) => mentions(state, entry));
    let fields = live.fields;
    let open = new Set(mentions(state, { kind, scope, fields }).map(({ address }) => address));
    for (const step of steps) {
      fields = { ...fields, ...step.sets };
      const deletes = step.method === "DELETE";
      const left = new Set(deletes ? [] : mentions(state, { kind, scope, fields }).map(({ address }) => address));
      const released = [...open].filter((address) => !left.has(address));
      for (const address of [...released, ...(deletes ? carried.map((mention) => mention.address) : [])]) {
        add(found, address, step);
      }
      open = left;
    }
  }
  return found;
}

/** Requests to the nested entries that hold values of a list's items. */
function holders(kind: Kind, live: Live | undefined, lists: ReadonlyMap<string, readonly Draft[]>): readonly Step[] {
  if (live === undefined) return [];
  const nested = new Set(Object.values(kind.fields ?? {}).flatMap(({ keyedItems: named }) => named?.kind ?? []));
  return [...nested].flatMap((name) => lists.get(listOf(name, live.key)) ?? []).flatMap(({ steps }) => steps);
}

function listOf(kind: string, scope: string): string {
  return `${kind} ${scope}`;
}

/** Whether it makes an entry the default. */
function promotes({ change }: Draft): boolean {
  return change.fields.some(({ path, after }) => path === "/default" && after === true);
}
