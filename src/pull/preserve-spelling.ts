/** Preserves the spelling of declared values that mean the same as the live ones. */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";

/** Whether a plan with this declared value would leave the live one unchanged. */
export type MeansSame = (candidate: Json) => boolean;

/** Most items of a list that are compared by meaning; in longer lists, only equal items match. */
const MOST_ITEMS = 60;

/** Returns the live value, with each part spelled as declared if that means the same. */
export function preserveSpelling(live: Json, declared: Json, means: MeansSame): Json {
  if (means(declared)) return declared;
  if (isList(live) && isList(declared)) return preserveInList(live, declared, means);
  if (isFields(live) && isFields(declared)) return preserveInFields(live, declared, means);
  return live;
}

function preserveInList(live: readonly Json[], declared: readonly Json[], means: MeansSame): Json {
  const result = [...live];
  const free = new Map(declared.map((item, at) => [at, item]));
  const matches = new Map<number, number>();
  const meet = (at: number, other: number, value: Json): void => {
    result[at] = value;
    matches.set(at, other);
    free.delete(other);
  };
  const put = (at: number, value: Json): readonly Json[] => result.map((item, place) => (place === at ? value : item));
  for (const [at, item] of live.entries()) {
    const found = [...free].find(([, declaredItem]) => equal(item, declaredItem));
    if (found !== undefined) meet(at, found[0], found[1]);
  }
  for (const at of live.keys()) {
    if (matches.has(at) || live.length > MOST_ITEMS) continue;
    const found = [...free].find(([, wanted]) => means(put(at, wanted)));
    if (found !== undefined) meet(at, found[0], found[1]);
  }
  for (const [at, item] of live.entries()) {
    if (matches.has(at)) continue;
    // Items between two matches belong together, as far as both sides have some.
    const before = matches.get(at - 1) ?? -1;
    const wanted = free.get(before + 1);
    if (wanted === undefined || !isFields(item) || !isFields(wanted)) continue;
    meet(
      at,
      before + 1,
      preserveSpelling(item, wanted, (candidate) => means(put(at, candidate))),
    );
  }
  const byPlace = [...result.keys()].sort((left, right) => order(matches, left) - order(matches, right));
  const asDeclared = byPlace.map((at) => result[at] ?? null);
  return result.length > 1 && means([...result].reverse()) && means(asDeclared) ? asDeclared : result;
}

/** Position of an item among the declared ones; new ones come last. */
function order(met: ReadonlyMap<number, number>, at: number): number {
  return met.get(at) ?? Number.MAX_SAFE_INTEGER;
}

function preserveInFields(live: Fields, declared: Fields, means: MeansSame): Json {
  const names = [...new Set([...Object.keys(declared), ...Object.keys(live)])];
  let result: Fields = Object.fromEntries(
    names.flatMap((name) => (live[name] === undefined ? [] : [[name, live[name]]])),
  );
  for (const [name, wanted] of Object.entries(declared)) {
    const found = live[name];
    const same = { ...result, [name]: wanted };
    if (means(same)) result = inOrder(same, names);
    else if (found !== undefined) {
      result = {
        ...result,
        [name]: preserveSpelling(found, wanted, (candidate) => means({ ...result, [name]: candidate })),
      };
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
