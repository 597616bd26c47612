/** Expected values: parts of a response as a row writes them, and how a response is compared with them. */

import { fieldsIn, isFields, isList, type Json } from "../core/json.ts";
import { type Exchange, formatValue } from "./client.ts";
import { expectSame, expectShape, expectThat } from "./expectation.ts";
import { Deviation } from "./rule.ts";
import type { Scope } from "./scope.ts";
import { at, numberAt, rowsAt, type ValueShape } from "./value-shape.ts";

/** A value with references, a shape, an object with at least these members, a list of exactly these items, or a check. */
export type Expected = Json | ValueShape | ValueCheck | readonly Expected[] | { readonly [name: string]: Expected };

/** A comparison that an equal value cannot state. */
export interface ValueCheck {
  /** Whether it is about the list of a response. */
  readonly ofList: boolean;
  /** Throws a deviation unless the value is as expected. */
  compare(found: Found): Promise<void>;
}

/** A value of a response, and what a report says of it. */
interface Found {
  readonly actual: Json | undefined;
  readonly subject: string;
  readonly scope: Scope;
  readonly exchange: Exchange;
}

function isShape(expected: Expected): expected is ValueShape {
  return (
    typeof expected === "object" && expected !== null && "holds" in expected && typeof expected.holds === "function"
  );
}

function isCheck(expected: Expected): expected is ValueCheck {
  return (
    typeof expected === "object" && expected !== null && "compare" in expected && typeof expected.compare === "function"
  );
}

function isItems(expected: Expected): expected is readonly Expected[] {
  return Array.isArray(expected);
}

/** The part of the response that is compared: its list, the member it carries, or, if a wrapper's name is expected, all of it. */
export function partOf(body: Json | undefined, expected: Expected): Json | undefined {
  if (isItems(expected) || (isCheck(expected) && expected.ofList)) return listOf(body);
  if (!isFields(body)) return body;
  const names = Object.keys(body);
  const only = names.length === 1 ? body[names[0] ?? ""] : undefined;
  const named = typeof expected === "object" && expected !== null && Object.hasOwn(expected, names[0] ?? "");
  return isFields(only) && !named ? only : body;
}

/** The only array of a body. The document names its key for few lists. */
function listOf(body: Json | undefined): Json | undefined {
  if (!isFields(body)) return body;
  const lists = Object.values(body).filter(isList);
  return lists.length === 1 ? lists[0] : undefined;
}

/** Throws a deviation unless the value is as expected. */
export async function expectMatch(expected: Expected, found: Found): Promise<void> {
  const { actual, subject, scope, exchange } = found;
  if (isShape(expected)) return expectShape(subject, actual, expected, exchange);
  if (isCheck(expected)) return expected.compare(found);
  if (typeof expected === "string") return expectSame(subject, actual, await scope.read(expected), exchange);
  if (isItems(expected)) {
    expectThat(
      isList(actual) && actual.length === expected.length,
      `${subject} to have ${expected.length} items`,
      actual,
    );
    for (const [index, item] of expected.entries()) {
      await expectMatch(item, { ...found, actual: at(actual, index), subject: `${subject}[${index}]` });
    }
    return;
  }
  if (typeof expected !== "object" || expected === null) return expectSame(subject, actual, expected, exchange);
  if (!isFields(actual)) throw new Deviation(`${subject} to be an object`, formatValue(actual), exchange);
  for (const [name, member] of Object.entries(expected)) {
    const key = await scope.fill(name);
    await expectMatch(member, { ...found, actual: at(actual, key), subject: memberOfSubject(subject, key) });
  }
}

/** `the row with slug "a": options[1].id`. */
function memberOfSubject(subject: string, name: string): string {
  return `${subject}${subject.includes(": ") ? "." : ": "}${name}`;
}

function ofList(compare: ValueCheck["compare"]): ValueCheck {
  return { ofList: true, compare };
}

function ofValue(compare: ValueCheck["compare"]): ValueCheck {
  return { ofList: false, compare };
}

/** The value that an earlier step kept, which may be absent: `before.conditions`. */
export function asKept(path: string): ValueCheck {
  return ofValue(async ({ subject, actual, scope, exchange }) => {
    expectSame(subject, actual, await scope.find(path), exchange);
  });
}

/** An object with the members of the kept one and no others, the named ones excepted. */
export function likeKept(name: string, ...except: readonly string[]): ValueCheck {
  return ofValue(async ({ actual, subject, scope, exchange }) => {
    const kept = fieldsIn(await scope.find(name));
    for (const member of Object.keys({ ...kept, ...fieldsIn(actual) })) {
      if (except.includes(member)) continue;
      expectSame(memberOfSubject(subject, member), at(actual, member), kept[member], exchange);
    }
  });
}

/** The named members of the kept object, for an object that may have others too. */
export function keptMembers(name: string, members: readonly string[]): Expected {
  return Object.fromEntries(members.map((member) => [member, asKept(`${name}.${member}`)]));
}

/** The values of members by which rows are chosen. */
type Where = Readonly<Record<string, Json>>;

async function choose({ actual, scope, exchange }: Found, where: Where) {
  if (!isList(actual)) throw new Deviation("one list in the response", formatValue(actual), exchange);
  const wanted = await scope.fill(where);
  const chosen = rowsAt(actual).filter((each) => Object.entries(wanted).every(([name, value]) => each[name] === value));
  const words = Object.entries(wanted).map(([name, value]) => `${name} ${formatValue(value)}`);
  return { chosen, words: words.join(", ") };
}

/** The rows of these values are as expected, taken as a list. */
export function rows(where: Where, expected: Expected): ValueCheck {
  return ofList(async (found) => {
    const { chosen, words } = await choose(found, where);
    await expectMatch(expected, { ...found, actual: chosen, subject: `the rows with ${words}` });
  });
}

/** A list without a row of these values. */
export function noRow(where: Where): ValueCheck {
  return rows(where, []);
}

/** A list with a row of these values, the first of which has these members too. */
export function row(where: Where, members: Expected = {}): ValueCheck {
  return ofList(async (found) => {
    const { chosen, words } = await choose(found, where);
    if (chosen[0] === undefined) throw new Deviation(`a row with ${words}`, formatValue(found.actual), found.exchange);
    await expectMatch(members, { ...found, actual: chosen[0], subject: `the row with ${words}` });
  });
}

/** A list that is not empty and every row of which is as expected; or every row of these values, if there is one. */
export function every(expected: Expected, where: Where = {}): ValueCheck {
  return ofList(async (found) => {
    const { chosen } = await choose(found, where);
    const any = chosen.length > 0 || Object.keys(where).length > 0;
    expectThat(any, "a list that is not empty", found.actual, found.exchange);
    for (const actual of chosen) await expectMatch(expected, { ...found, actual, subject: "each row" });
  });
}

/** A list whose rows' members of this name are as expected, taken as a list. */
export function column(name: string, expected: Expected): ValueCheck {
  return ofList(async (found) => {
    const path = name.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const values = (await choose(found, {})).chosen.map((each) => at(each, ...path) ?? null);
    await expectMatch(expected, { ...found, actual: values, subject: `${name} of all rows` });
  });
}

/** A list of which all of this holds. */
export function all(...checks: readonly ValueCheck[]): ValueCheck {
  return ofList(async (found) => {
    for (const check of checks) await check.compare(found);
  });
}

/** A list with more rows than the kept one, or with exactly so many more. */
export function longer(than: string, by?: number): ValueCheck {
  return ofList(async ({ actual, scope, exchange }) => {
    const before = await scope.read(than);
    const more = (isList(actual) ? actual.length : 0) - (isList(before) ? before.length : 0);
    expectThat(by === undefined ? more > 0 : more === by, `a list with ${by ?? "some"} more rows`, more, exchange);
  });
}

/** The same list as the kept one. */
export function same(as: string): ValueCheck {
  return ofList(async ({ actual, subject, scope, exchange }) =>
    expectSame(subject, actual, await scope.read(as), exchange),
  );
}

/** The kept list, but for the row of this slug, which may have changed. */
export function sameWithout(slug: string, list: string): ValueCheck {
  return ofList(async ({ actual, subject, scope, exchange }) => {
    const changed = await scope.fill(slug);
    const others = (value: Json | undefined) => rowsAt(value).filter((each) => each.slug !== changed);
    expectSame(`${subject} but ${changed}`, others(actual), others(await scope.read(list)), exchange);
  });
}

/** Equal to the value with its references replaced, and nothing more. */
export function exactly(value: Json): ValueCheck {
  return ofValue(async ({ actual, subject, scope, exchange }) =>
    expectSame(subject, actual, await scope.fill(value), exchange),
  );
}

/** Another value than this one. */
export function not(text: string): ValueCheck {
  return ofValue(async ({ actual, subject, scope, exchange }) => {
    const other = await scope.read(text);
    expectThat(
      actual !== undefined && actual !== other,
      `${subject} to differ from ${formatValue(other)}`,
      actual,
      exchange,
    );
  });
}

/** A number above the kept one. */
export function above(text: string): ValueCheck {
  return ofValue(async ({ actual, subject, scope, exchange }) => {
    const least = numberAt(await scope.read(text));
    expectThat(numberAt(actual) > least, `${subject} to be above ${least}`, actual, exchange);
  });
}
