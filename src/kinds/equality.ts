/** Named comparators: whether a live value is what a declared one asks for, where plain equality is too strict. */

import { canonical, equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Equality } from "./kind.ts";

/** Text; the service may keep an empty one as null. */
export const equalTexts: Equality = (live, declared) => equal(live ?? "", declared ?? "");

/** Colour codes; the case of the digits carries nothing. */
export const equalColors: Equality = (live, declared) =>
  typeof live === "string" && typeof declared === "string"
    ? live.toLowerCase() === declared.toLowerCase()
    : equal(live, declared);

/** Lists whose order and repetitions carry nothing. */
export const equalSets: Equality = (live, declared) => equal(sortAsSet(live), sortAsSet(declared));

/** An object of lists, each a set; an empty list and a missing one are the same. */
export const equalSetMaps: Equality = (live, declared) => equal(sets(live), sets(declared));

/** Moments in time, however they are written; null is never. */
export const equalInstants: Equality = (live, declared) =>
  typeof live === "string" && typeof declared === "string"
    ? Date.parse(live) === Date.parse(declared)
    : equal(live, declared);

/** Lists of objects of which only the named fields count; a blank value and a missing one are the same. */
export function equalRowsOf(names: readonly string[]): Equality {
  return (live, declared) => equal(pickRowFields(live ?? [], names), pickRowFields(declared ?? [], names));
}

/** A list of objects with only the named fields of each, in that order, and without blank values. */
export function pickRowFields(value: Json, names: readonly string[]): Json {
  return isList(value) ? value.map((row) => (isFields(row) ? picked(row, names) : row)) : value;
}

/** Objects in which a blank value and a missing one are the same, at any depth. */
export const equalWithoutBlanks: Equality = (live, declared) => equal(filled(live), filled(declared));

/** Objects of values in which a list of one item and the item are the same. */
export const equalSingles: Equality = (live, declared) => {
  if (equal(live, declared)) return true;
  if (!isFields(live) || !isFields(declared)) return false;
  const names = new Set([...Object.keys(live), ...Object.keys(declared)]);
  return [...names].every((name) => equal(single(live[name]), single(declared[name])));
};

function single(value: Json | undefined): Json {
  const [first = null] = isList(value) ? value : [];
  return isList(value) && value.length === 1 ? first : (value ?? null);
}

/** The value without members that are null, empty text, empty lists or empty objects. */
function filled(value: Json): Json {
  if (isList(value)) return value.map(filled);
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, filled(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !blank(member)));
}

/** A list as a set, in canonical order; anything else as it is. */
export function sortAsSet(value: Json): Json {
  if (!isList(value)) return value;
  const items = new Map(value.map((item) => [canonical(item), item]));
  return [...items].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item);
}

/** An object of sets, each in canonical order; anything else as it is. */
export function sortSetMap(value: Json): Json {
  if (!isFields(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortAsSet(value[name] ?? null)]));
}

function blank(value: Json): boolean {
  if (value === null || value === "") return true;
  if (isList(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

function picked(row: Fields, names: readonly string[]): Json {
  return filled(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

function sets(value: Json): Json {
  return isFields(value) ? filled(sortSetMap(value)) : value;
}
