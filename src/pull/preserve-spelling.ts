/** The value nearest to a declared one that means what is live: what somebody wrote stays wherever it means the same. */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";

/** Whether declaring a value would leave the live one as it is. */
export type Means = (candidate: Json) => boolean;

/** Beyond this many items the nearest of each is looked for by equality alone. */
const MOST_ITEMS = 60;

/** The live value, each part of it as it is declared where that is no change. */
export function closest(live: Json, declared: Json, means: Means): Json {
  if (means(declared)) return declared;
  if (isList(live) && isList(declared)) return closestList(live, declared, means);
  if (isFields(live) && isFields(declared)) return closestFields(live, declared, means);
  return live;
}

function closestList(live: readonly Json[], declared: readonly Json[], means: Means): Json {
  const result = [...live];
  const free = new Map(declared.map((item, at) => [at, item]));
  const met = new Map<number, number>();
  const meet = (at: number, other: number, value: Json): void => {
    result[at] = value;
    met.set(at, other);
    free.delete(other);
  };
  const put = (at: number, value: Json): readonly Json[] => result.map((item, place) => (place === at ? value : item));
  for (const [at, item] of live.entries()) {
    const found = [...free].find(([, wanted]) => equal(item, wanted));
    if (found !== undefined) meet(at, found[0], found[1]);
  }
  for (const at of live.keys()) {
    if (met.has(at) || live.length > MOST_ITEMS) continue;
    const found = [...free].find(([, wanted]) => means(put(at, wanted)));
    if (found !== undefined) meet(at, found[0], found[1]);
  }
  for (const [at, item] of live.entries()) {
    if (met.has(at)) continue;
    // What stands between two that met belongs together, as far as there is something on both sides.
    const before = met.get(at - 1) ?? -1;
    const wanted = free.get(before + 1);
    if (wanted === undefined || !isFields(item) || !isFields(wanted)) continue;
    meet(
      at,
      before + 1,
      closest(item, wanted, (candidate) => means(put(at, candidate))),
    );
  }
  const byPlace = [...result.keys()].sort((left, right) => order(met, left) - order(met, right));
  const asDeclared = byPlace.map((at) => result[at] ?? null);
  return result.length > 1 && means([...result].reverse()) && means(asDeclared) ? asDeclared : result;
}

/** Where an item stood among the declared ones; new ones come last. */
function order(met: ReadonlyMap<number, number>, at: number): number {
  return met.get(at) ?? Number.MAX_SAFE_INTEGER;
}

function closestFields(live: Fields, declared: Fields, means: Means): Json {
  const names = [...new Set([...Object.keys(declared), ...Object.keys(live)])];
  let result: Fields = Object.fromEntries(
    names.flatMap((name) => (live[name] === undefined ? [] : [[name, live[name]]])),
  );
  for (const [name, wanted] of Object.entries(declared)) {
    const found = live[name];
    const same = { ...result, [name]: wanted };
    if (means(same)) result = inOrder(same, names);
    else if (found !== undefined) {
      result = { ...result, [name]: closest(found, wanted, (candidate) => means({ ...result, [name]: candidate })) };
    }
  }
  for (const name of Object.keys(live)) {
    if (Object.hasOwn(declared, name)) continue;
    const { [name]: _left, ...rest } = result;
    if (means(rest)) result = rest;
  }
  return result;
}

function inOrder(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
