/**
 * Entries that go together and mention each other: each would have to go first. One of them lets go of the others by a
 * request of its own, before any goes. Where none can, they stay.
 */

import { type Fields, isFields, isList } from "../../core/json.ts";
import type { Live } from "../../kinds/resource.ts";
import { mentions } from "../../match/references.ts";
import type { State } from "../../match/resolved-state.ts";
import { isHeld } from "../diff/retained-options.ts";

/** What an entry is made to say before it goes. */
export interface Release {
  readonly live: Live;
  /** What is sent, in the words of the configuration. */
  readonly fields: Fields;
  /** Addresses of entries that it mentions no longer. */
  readonly mentions: readonly string[];
}

/** A release, and entries that lie in the one that lets go and hold values of what it drops: they let go of those before. */
interface Way extends Release {
  readonly first: readonly Release[];
}

/** Who lets go of whom. */
export class Releases {
  readonly #state: State;
  /** Address → the addresses of entries that point at it. */
  readonly #pointers: ReadonlyMap<string, Set<string>>;
  readonly #made = new Map<Live, Release>();
  /** Entries that have let go; nobody is asked twice. */
  readonly #asked = new Set<Live>();

  constructor(state: State, pointers: ReadonlyMap<string, Set<string>>) {
    this.#state = state;
    this.#pointers = pointers;
  }

  /** How an entry that goes lets go of others before, where it does. */
  of(live: Live): Release | undefined {
    return this.#made.get(live);
  }

  /** How entries that lie in one that goes let go of others before, unless they go by requests of their own. */
  within({ kind, key }: Live, others: ReadonlySet<Live>): readonly Release[] {
    const along = (kind.references?.cascades ?? []).flatMap((name) => this.#state.live(name, key) ?? []);
    return along.filter((live) => !others.has(live)).flatMap((live) => this.#made.get(live) ?? []);
  }

  /** Has the entry of the knot let go of the others that does so by the fewest requests; false when none can. */
  loosen(knot: readonly Live[]): boolean {
    const addresses = new Set(knot.map(({ address }) => address));
    const [best] = knot
      .filter((live) => !this.#asked.has(live))
      .flatMap((live) => this.#way(live, addresses) ?? [])
      .sort((left, right) => left.first.length - right.first.length);
    if (best === undefined) return false;
    this.#asked.add(best.live);
    for (const release of [...best.first, best]) {
      this.#made.set(release.live, release);
      for (const address of release.mentions) this.#pointers.get(address)?.delete(release.live.address);
    }
    return true;
  }

  /** An entry that stays after all is left as it is. */
  takeBack(live: Live): void {
    for (const address of this.#made.get(live)?.mentions ?? []) this.#pointers.get(address)?.add(live.address);
    this.#made.delete(live);
  }

  #way(live: Live, knot: ReadonlySet<string>): Way | undefined {
    const release = this.#release(live, (_at, address) => knot.has(address));
    if (release === undefined) return undefined;
    const first = this.#first(live, release.fields);
    return first === undefined ? undefined : { ...release, first };
  }

  /** How an entry lets go of what it mentions there; undefined where it mentions nothing, or must. */
  #release(live: Live, drops: (at: string, address: string) => boolean): Release | undefined {
    const { kind, scope, address: own } = live;
    const before = this.#made.get(live);
    const fields = { ...live.fields, ...before?.fields };
    const dropped = mentions(this.#state, { kind, scope, fields }).filter(
      ({ reference, address }) => address !== own && drops(reference.at, address),
    );
    if (dropped.length === 0) return undefined;
    const at = dropped.map(({ reference }) => reference.at);
    const sent = kind.references?.without?.(fields, at, this.#state, scope);
    const addresses = [...(before?.mentions ?? []), ...dropped.map(({ address }) => address)];
    return sent === undefined ? undefined : { live, fields: sent, mentions: [...new Set(addresses)] };
  }

  /** Nested entries without values of items that are left out, which the service would not drop else; undefined where one must have its value. */
  #first({ kind, key, fields }: Live, sent: Fields): readonly Release[] | undefined {
    const holding = Object.entries(kind.fields ?? {}).flatMap(([name, { keyedItems: named }]) => {
      const [before, after] = [fields[name], sent[name]];
      if (named === undefined || !isList(before) || !isList(after)) return [];
      const gone = before
        .filter((item) => !after.includes(item))
        .flatMap((item) => (isFields(item) ? named.keyOf(item) : []));
      return (this.#state.live(named.kind, key) ?? []).flatMap((live) => {
        const values = { ...live.fields, ...this.#made.get(live)?.fields }[named.values];
        const held = gone.filter((item) => isHeld(values, item)).map((item) => `/${named.values}/${item}`);
        return held.length === 0 ? [] : [{ live, held }];
      });
    });
    const releases = holding.flatMap(
      ({ live, held }) =>
        this.#release(live, (at) => held.some((place) => at === place || at.startsWith(`${place}/`))) ?? [],
    );
    return releases.length === holding.length ? releases : undefined;
  }
}

/** Entries that can go in no order, since each is mentioned by another of them that would have to go first, and that cannot be disabled. */
export function entangled(
  state: State,
  deleted: readonly Live[],
  pointers: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Live[] {
  const owner = new Map(
    deleted.flatMap((live) => [live.address, ...cascaded(state, live)].map((address) => [address, live])),
  );
  const open = new Set(deleted);
  const waiting = deleted.map((live) => {
    const before = [...(pointers.get(live.address) ?? [])].flatMap((address) => owner.get(address) ?? []);
    return { live, others: new Set(before.filter((other) => other !== live)) };
  });
  const behind = new Map<Live, typeof waiting>();
  for (const one of waiting) for (const other of one.others) add(behind, other, one);
  const free = waiting.filter(({ others }) => others.size === 0).map(({ live }) => live);
  for (const live of free) {
    open.delete(live);
    for (const { live: next, others } of behind.get(live) ?? []) {
      others.delete(live);
      if (others.size === 0) free.push(next);
    }
  }
  return [...open].filter((live) => live.kind.lifecycle.disable === undefined);
}

/** What goes with an entry: the rows that lie in the scope it gives its name to. */
export function cascaded(state: State, live: Live): readonly string[] {
  return (live.kind.references?.cascades ?? []).flatMap((kind) =>
    (state.live(kind, live.key) ?? []).map(({ address }) => address),
  );
}

/** Adds to the list under a key. */
export function add<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
