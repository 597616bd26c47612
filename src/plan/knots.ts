/**
 * Entries that go together and mention each other: each would have to go first. One of them lets go of the others by a
 * request of its own, before any goes. Where none can, they stay.
 */

import { type Fields, isFields, isList } from "../json.ts";
import { addressOf, type Live } from "../kinds/resource.ts";
import { isHeld } from "./retained.ts";
import type { State } from "./state.ts";

/** What an entry is made to say before it goes. */
export interface Release {
  /** What is sent, in the words of the configuration. */
  readonly fields: Fields;
  /** Addresses of entries that it mentions no longer. */
  readonly mentions: readonly string[];
}

/** Who lets go of whom. */
export class Releases {
  readonly #state: State;
  /** Address → the addresses of entries that point at it. */
  readonly #pointers: ReadonlyMap<string, Set<string>>;
  readonly #made = new Map<Live, Release>();
  /** Entries that have been asked; nobody is asked twice. */
  readonly #asked = new Set<Live>();

  constructor(state: State, pointers: ReadonlyMap<string, Set<string>>) {
    this.#state = state;
    this.#pointers = pointers;
  }

  of(live: Live): Release | undefined {
    return this.#made.get(live);
  }

  /** Has one entry of the knot let go of the others; false when none can. */
  loosen(knot: readonly Live[]): boolean {
    for (const live of knot) {
      if (this.#asked.has(live)) continue;
      this.#asked.add(live);
      const release = this.#release(live, new Set(knot.map(({ address }) => address)));
      if (release === undefined) continue;
      this.#made.set(live, release);
      for (const address of release.mentions) this.#pointers.get(address)?.delete(live.address);
      return true;
    }
    return false;
  }

  /** An entry that stays after all is left as it is. */
  takeBack(live: Live): void {
    for (const address of this.#made.get(live)?.mentions ?? []) this.#pointers.get(address)?.add(live.address);
    this.#made.delete(live);
  }

  #release(live: Live, knot: ReadonlySet<string>): Release | undefined {
    const { kind, scope, fields, address: own } = live;
    const mentions = (kind.references?.(fields, this.#state, scope) ?? []).flatMap((reference) => {
      const target = this.#state.kinds.get(reference.kind);
      const address = target === undefined ? own : addressOf(target, reference.scope, reference.key);
      return address !== own && knot.has(address) ? [{ at: reference.at, address }] : [];
    });
    if (mentions.length === 0) return undefined;
    const at = mentions.map((mention) => mention.at);
    const sent = kind.released?.(fields, at, this.#state, scope);
    if (sent === undefined || this.#isUsed(live, sent)) return undefined;
    return { fields: sent, mentions: [...new Set(mentions.map(({ address }) => address))] };
  }

  /** Whether nested entries hold values of an item that is left out: the service would refuse that. */
  #isUsed({ kind, key, fields }: Live, sent: Fields): boolean {
    return Object.entries(kind.fields ?? {}).some(([name, { named }]) => {
      const [before, after] = [fields[name], sent[name]];
      if (named === undefined || !isList(before) || !isList(after)) return false;
      const gone = before.filter(isFields).filter((item) => !after.includes(item));
      const values = (this.#state.live(named.kind, key) ?? []).map((entry) => entry.fields[named.values]);
      return gone.some((item) => values.some((value) => isHeld(value, named.by(item))));
    });
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
  const waiting = new Map<Live, Set<Live>>();
  const behind = new Map<Live, Live[]>();
  for (const live of deleted) {
    const before = [...(pointers.get(live.address) ?? [])].flatMap((address) => owner.get(address) ?? []);
    const others = new Set(before.filter((other) => other !== live));
    waiting.set(live, others);
    for (const other of others) add(behind, other, live);
  }
  const free = deleted.filter((live) => waiting.get(live)?.size === 0);
  for (const live of free) {
    open.delete(live);
    for (const next of behind.get(live) ?? []) {
      const others = waiting.get(next);
      others?.delete(live);
      if (others?.size === 0) free.push(next);
    }
  }
  return [...open].filter((live) => live.kind.disable === undefined);
}

/** What goes with an entry: the rows that lie in the scope it gives its name to. */
export function cascaded(state: State, live: Live): readonly string[] {
  return (live.kind.cascades ?? []).flatMap((kind) => (state.live(kind, live.key) ?? []).map(({ address }) => address));
}

/** Adds to the list under a key. */
export function add<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
