/** JSON values as data, and the two questions asked of them: are they equal, and what is their canonical text. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

/** A JSON object; also an entry of a kind, field by field. */
export interface Fields {
  readonly [name: string]: Json;
}

/** What objects without a prototype are made by: with `Object.create(null)` each would be a table of its own, larger and slower. */
function Bare(): void {}
Bare.prototype = Object.freeze(Object.create(null));

/** An object that inherits nothing: in it "__proto__" and "constructor" are keys like any other. */
export function bare(): Record<string, Json> {
  return Reflect.construct(Bare, []) as Record<string, Json>;
}

/** Whether the value is a JSON object (not an array, not null). */
export function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value's text with the keys of every object sorted: equal values have equal text. */
export function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isFields(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** The value with every list of plain values sorted: services tell sets in any order. Lists of objects keep theirs. */
export function unordered(value: Json): Json {
  if (isList(value)) return value.some(isCompound) ? value.map(unordered) : [...value].sort(byText);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unordered(member)]));
}

function isCompound(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

function byText(left: Json, right: Json): number {
  const [one, other] = [canonical(left), canonical(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Deep equality; the order of an object's keys is irrelevant, that of an array's items is not. */
export function equal(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, at) => equal(item, right[at] ?? null));
  }
  if (!isFields(left) || !isFields(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal(left[name] ?? null, right[name] ?? null))
  );
}
