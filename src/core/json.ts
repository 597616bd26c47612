/** JSON values: their types, equality, canonical text, and their parts by JSON Pointers. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

/** A JSON object; also the fields of a resource. */
export interface Fields {
  readonly [name: string]: Json;
}

/** Constructor of objects without a prototype. `Object.create(null)` puts each object in V8's slow dictionary mode. */
function Bare(): void {}
Bare.prototype = Object.freeze(Object.create(null));

/** Returns an object that inherits nothing: in it, `__proto__` and `constructor` are ordinary keys. */
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

/** The list; an empty one for any other value. */
export function listIn(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** The object; an empty one for any other value. */
export function fieldsIn(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

/** The objects of a list; none for any other value. */
export function objectsIn(value: Json | undefined): readonly Fields[] {
  return listIn(value).filter(isFields);
}

/** The texts of a list; none for any other value. */
export function textsIn(value: Json | undefined): readonly string[] {
  return listIn(value).filter((item) => typeof item === "string");
}

/** The text; undefined for any other value. */
export function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The object without the members that are undefined, which a type with an optional member does not allow. */
export function defined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const stated = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}

/** The members of these names that exist. */
export function pick(value: Fields, names: readonly string[]): Fields {
  const members = names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
  return Object.fromEntries(members);
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the value as text, with the keys of every object sorted: equal values have equal text. */
export function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  return isFields(value) ? members(value, canonical) : JSON.stringify(value);
}

/** Like {@link canonical}, with every list of scalars sorted too: services return sets in any order. Lists of objects keep theirs. */
export function canonicalUnordered(value: Json): string {
  if (!isList(value)) return isFields(value) ? members(value, canonicalUnordered) : JSON.stringify(value);
  const texts = value.map(canonicalUnordered);
  return `[${(value.some(isCompound) ? texts : texts.sort()).join(",")}]`;
}

function members(value: Fields, textOf: (member: Json) => string): string {
  let text = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:${textOf(member)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

function isCompound(value: Json): value is readonly Json[] | Fields {
  return typeof value === "object" && value !== null;
}

/** Sorts the keys of objects. Keeps the last key order, because the objects of a list mostly have the same keys. */
export class KeySorter {
  #names: readonly string[] = [];
  #sorted: readonly string[] = [];

  /**
   * Returns the value with sorted keys and sorted lists of scalars, so that equal values have equal text. May return parts of the
   * value itself.
   */
  of(value: Json): Json {
    if (!isCompound(value)) return value;
    if (isList(value)) {
      if (value.some(isCompound)) return value.map((item) => this.of(item));
      return value.length < 2 ? value : [...value].sort(byText);
    }
    const all = bare();
    for (const name of this.#order(Object.keys(value))) all[name] = this.of(value[name] ?? null);
    return all;
  }

  #order(names: readonly string[]): readonly string[] {
    const { length } = this.#names;
    if (names.length === length && names.every((name, at) => name === this.#names[at])) return this.#sorted;
    this.#names = names;
    this.#sorted = [...names].sort();
    return this.#sorted;
  }
}

function byText(left: Json, right: Json): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

/** Whether the object has all members of the other one, with equal values; null equals an absent one. */
export function hasMembers(value: Fields, members: Fields): boolean {
  return Object.entries(members).every(([name, member]) => equal(value[name] ?? null, member));
}

/** Deep equality; the order of an object's keys is irrelevant, that of an array's items is not. */
export function equal(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (!isCompound(left) || !isCompound(right)) return false;
  if (isList(left)) {
    return isList(right) && left.length === right.length && left.every((item, at) => equal(item, right[at] ?? null));
  }
  if (isList(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name) || !equal(left[name] ?? null, right[name] ?? null)) return false;
  }
  return true;
}

/** The steps of a JSON Pointer, unescaped: `/options/0/label` has three. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A step, escaped for a JSON Pointer. */
export function escapedStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Whether a JSON Pointer leads to the value of another one, or into it. */
export function pointerIsWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The value at some steps; undefined if there is none. */
export function valueAt(value: Json | undefined, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>((part, step) => {
    if (isList(part)) return part[Number(step)];
    return isFields(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }, value);
}

/** A copy with another value at some steps. Mappings on the way that do not exist are added. */
export function withValueAt(value: Json | undefined, [step, ...rest]: readonly string[], to: Json): Json {
  if (step === undefined) return to;
  if (isList(value)) return value.map((item, index) => (String(index) === step ? withValueAt(item, rest, to) : item));
  const fields = fieldsIn(value);
  return { ...fields, [step]: withValueAt(fields[step], rest, to) };
}

/** The fields without the members at some JSON Pointers, in which `*` is every item of a list. Items of lists stay. */
export function withoutMembers(fields: Fields, pointers: Iterable<string>): Fields {
  let rest: Json = fields;
  for (const pointer of pointers) rest = withoutMember(rest, stepsOf(pointer));
  return fieldsIn(rest);
}

function withoutMember(value: Json, [step = "", ...rest]: readonly string[]): Json {
  const isMeant = (index: number): boolean => step === "*" || String(index) === step;
  if (isList(value)) return value.map((item, index) => (isMeant(index) ? withoutMember(item, rest) : item));
  if (!isFields(value)) return value;
  const { [step]: member, ...others } = value;
  return member === undefined || rest.length === 0 ? others : { ...value, [step]: withoutMember(member, rest) };
}
