/** Comparators of live with declared values, for fields for which plain equality is too strict. */

import { canonical, equal, type Fields, isFields, isList, type Json, listIn } from "../../core/json.ts";
import type { Equality } from "../model/kind.ts";

/** Compares texts; the service may store an empty one as null. */
export const equalTexts: Equality = (live, declared) => equal(live ?? "", declared ?? "");

/** Compares color codes in any case and notation. */
export const equalColors: Equality = (live, declared) =>
  typeof live === "string" && typeof declared === "string"
    ? colorCode(live) === colorCode(declared)
    : equal(live, declared);

/** The digits of a color: `dc143c` of `#DC143C`, `#DC143CFF` and `rgb(220, 20, 60)`. Any other text in lower case. */
function colorCode(text: string): string {
  const code = text.trim().toLowerCase();
  const [, parts = ""] = /^rgba?\(([\d\s,./]+)\)$/.exec(code) ?? [];
  const [red, green, blue, opacity = 1] = parts.split(/[\s,/]+/).map(Number);
  if (red !== undefined && green !== undefined && blue !== undefined && opacity === 1)
    return [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  const [, digits] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(code) ?? [];
  if (digits === undefined) return code;
  const full = digits.length < 6 ? digits.replaceAll(/./g, "$&$&") : digits;
  return full.replace(/^(.{6})ff$/, "$1");
}

/** Compares lists without regard to order and repetitions. */
export const equalSets: Equality = (live, declared) => equal(sortAsSet(live), sortAsSet(declared));

/** Compares objects of lists, each as a set; an empty list equals a missing one. */
export const equalSetMaps: Equality = (live, declared) => equal(setsOf(live), setsOf(declared));

/** Compares moments in time, in any notation; null means never. */
export const equalInstants: Equality = (live, declared) =>
  typeof live === "string" && typeof declared === "string"
    ? Date.parse(live) === Date.parse(declared)
    : equal(live, declared);

/** Returns a comparison of lists of objects by the named fields only; a blank value equals a missing one. */
export function equalRowsOf(names: readonly string[]): Equality {
  return (live, declared) => equal(pickRowFields(live ?? [], names), pickRowFields(declared ?? [], names));
}

/** A list of objects with only the named fields of each, in that order, and without blank values. */
export function pickRowFields(value: Json, names: readonly string[]): Json {
  return isList(value) ? value.map((row) => (isFields(row) ? pickFields(row, names) : row)) : value;
}

/** Compares objects; a blank value equals a missing one, at any depth, and so does an object of nothing else. */
export const equalWithoutBlanks: Equality = (live, declared) => {
  const [left, right] = [withoutBlanks(live), withoutBlanks(declared)];
  return equal(left, right) || (isNoObject(left) && isNoObject(right));
};

function isNoObject(value: Json): boolean {
  return value === null || (isFields(value) && isBlank(value));
}

/** Objects of values in which a list of one item and the item are the same, and so are a blank value and none. */
export const equalSingles: Equality = (live, declared) => {
  if (equal(live, declared)) return true;
  if (!isFields(live) || !isFields(declared)) return false;
  const names = new Set([...Object.keys(live), ...Object.keys(declared)]);
  return [...names].every((name) => equal(singleOf(live[name]), singleOf(declared[name])));
};

function singleOf(value: Json | undefined): Json {
  const [first = null] = listIn(value);
  if (value === undefined || isBlank(value)) return null;
  return isList(value) && value.length === 1 ? first : value;
}

/** The value without members that are null, empty text, empty lists or empty objects. */
export function withoutBlanks(value: Json): Json {
  if (isList(value)) return value.map(withoutBlanks);
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutBlanks(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isBlank(member)));
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

/** Whether a value is null or empty, which many services do not tell apart. */
export function isBlank(value: Json): boolean {
  if (value === null || value === "") return true;
  if (isList(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

function pickFields(row: Fields, names: readonly string[]): Json {
  return withoutBlanks(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

function setsOf(value: Json): Json {
  return isFields(value) ? withoutBlanks(sortSetMap(value)) : value;
}
