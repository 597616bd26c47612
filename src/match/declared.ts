/** What the files declare, collection by collection. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Declared } from "../kinds/resource.ts";

type Collections = ReadonlyMap<string, readonly Declared[]>;

/** Sorted once for all who ask: with a list for each of a hundred scopes, looking through everything each time would be felt. */
const SORTED = new WeakMap<Configuration["declared"], Collections>();

/** The declared entries of a collection, in the order of the files. */
export function declaredIn({ declared }: Configuration, kind: string, scope: string): readonly Declared[] {
  const collections = SORTED.get(declared) ?? sorted(declared);
  SORTED.set(declared, collections);
  return collections.get(`${kind} ${scope}`) ?? NONE;
}

const NONE: readonly Declared[] = [];

function sorted(declared: readonly Declared[]): Collections {
  const collections = new Map<string, Declared[]>();
  for (const entry of declared) {
    const name = `${entry.kind.name} ${entry.scope}`;
    const collection = collections.get(name);
    if (collection === undefined) collections.set(name, [entry]);
    else collection.push(entry);
  }
  return collections;
}
