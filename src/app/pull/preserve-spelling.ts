/** Preserves the spelling of declared values that mean the same as the live ones. */

import { equal, type Fields, isFields, isList, type Json, pick } from "../../core/json.ts";

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
    const pair = [...free].find(([, declaredItem]) => equal(item, declaredItem));
    if (pair !== undefined) meet(at, pair[0], pair[1]);
  }
  for (const at of live.keys()) {
    if (matches.has(at) || live.length > MOST_ITEMS) continue;
    const pair = [...free].find(([, candidate]) => means(put(at, candidate)));
    if (pair !== undefined) meet(at, pair[0], pair[1]);
  }
  for (const [at, item] of live.entries()) {
    if (matches.has(at)) continue;
    // Items between two matches belong together, as far as both sides have some.
    const before = matches.get(at - 1) ?? -1;
    const next = free.get(before + 1);
    if (next === undefined || !isFields(item) || !isFields(next)) continue;
    meet(
      at,
      before + 1,
      preserveSpelling(item, next, (candidate) => means(put(at, candidate))),
    );
  }
  const byPlace = [...result.keys()].sort((left, right) => order(matches, left) - order(matches, right));
  const asDeclared = byPlace.map((at) => result[at] ?? null);
  return result.length > 1 && means([...result].reverse()) && means(asDeclared) ? asDeclared : result;
}

/** Position of an item among the declared ones; new ones come last. */
function order(matched: ReadonlyMap<number, number>, at: number): number {
  return matched.get(at) ?? Number.MAX_SAFE_INTEGER;
}

function preserveInFields(live: Fields, declared: Fields, means: MeansSame): Json {
  const names = [...new Set([...Object.keys(declared), ...Object.keys(live)])];
  let result = pick(live, names);
  for (const [name, declaredValue] of Object.entries(declared)) {
    const liveValue = live[name];
    const same = { ...result, [name]: declaredValue };
    if (means(same)) result = inOrder(same, names);
    else if (liveValue !== undefined) {
      result = {
        ...result,
        [name]: preserveSpelling(liveValue, declaredValue, (candidate) => means({ ...result, [name]: candidate })),
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
