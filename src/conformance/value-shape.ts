/** Shapes of JSON values as the interface's tables name them, and how values are reached inside a body. */

import { type Fields, isFields, isList, type Json, objectsIn } from "../core/json.ts";
import { parseUrl } from "../core/url.ts";

/** A named predicate over a value. */
export interface ValueShape {
  /** The shape in words, for a report. */
  readonly description: string;
  holds(value: Json | undefined): boolean;
}

/** The value reached by member names and indexes, or undefined where the way ends. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let current = value;
  for (const step of path) {
    if (isList(current) && typeof step === "number") current = current[step];
    else if (isFields(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** The text reached, or the empty string. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const member = at(value, ...path);
  return typeof member === "string" ? member : "";
}

/** The number reached, or NaN. */
export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number {
  const member = at(value, ...path);
  return typeof member === "number" ? member : Number.NaN;
}

/** The objects of the array reached; empty when there is none. */
export function rowsAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Fields[] {
  return objectsIn(at(value, ...path));
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$/;

/** A string in the form of a UUID. */
export const uuid: ValueShape = matching("a UUID", (value) => typeof value === "string" && uuidPattern.test(value));

/** An id that no resource has. */
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** An ISO 8601 string in UTC. */
export const timestamp: ValueShape = matching(
  "an ISO 8601 UTC timestamp",
  (value) => typeof value === "string" && timestampPattern.test(value) && !Number.isNaN(Date.parse(value)),
);

/** Any string. */
export const string: ValueShape = matching("a string", (value) => typeof value === "string");

/** A string with at least one character. */
export const nonEmptyString: ValueShape = matching(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);

/** A whole number. */
export const integer: ValueShape = matching("an integer", (value) => Number.isInteger(value));

/** true or false. */
export const boolean: ValueShape = matching("a boolean", (value) => typeof value === "boolean");

/** A JSON object. */
export const object: ValueShape = matching("an object", isFields);

/** A JSON array. */
export const array: ValueShape = matching("an array", isList);

/** A string that parses as an http or https URL. */
export const url: ValueShape = matching(
  "a URL",
  (value) => typeof value === "string" && /^https?:\/\//.test(value) && parseUrl(value) !== undefined,
);

/** The value null. */
export const nullValue: ValueShape = matching("null", (value) => value === null);

/** No value. */
export const absent: ValueShape = matching("absent", (value) => value === undefined);

/** Any value, also null. */
export const present: ValueShape = matching("present", (value) => value !== undefined);

/** A text without characters, or none. */
export const emptyText: ValueShape = matching("empty", (value) => (value ?? "") === "");

/** An array without items, or no value. */
export const emptyOrAbsent: ValueShape = matching(
  "an empty array or absent",
  (value) => value === undefined || (isList(value) && value.length === 0),
);

/** The shape, or null. */
export function orNull(shape: ValueShape): ValueShape {
  return matching(`${shape.description} or null`, (value) => value === null || shape.holds(value));
}

/** One of these strings. */
export function oneOf(...values: readonly string[]): ValueShape {
  return matching(`one of ${values.join(", ")}`, (value) => typeof value === "string" && values.includes(value));
}

/** A string of this form. */
export function stringLike(description: string, pattern: RegExp): ValueShape {
  return matching(description, (value) => typeof value === "string" && pattern.test(value));
}

/** An object holding at least these members. */
export function objectWith(members: Readonly<Record<string, ValueShape>>): ValueShape {
  const description = Object.entries(members).map(([name, shape]) => `${name}: ${shape.description}`);
  return matching(
    `an object with ${description.join(", ")}`,
    (value) => isFields(value) && Object.entries(members).every(([name, shape]) => shape.holds(at(value, name))),
  );
}

/** An array of so many items or fewer. */
export function listUpTo(size: number): ValueShape {
  return matching(`${size} items or fewer`, (value) => isList(value) && value.length <= size);
}

/** Numbers, each above the one before. */
export const rising: ValueShape = matching("rising numbers", (value) => isMonotonic(value, (was, is) => was < is));

/** The numbers 1, 2, 3 and so on, in any order. */
export const fromOne: ValueShape = matching(
  "the numbers from 1 without a gap",
  (value) => isList(value) && value.length > 0 && value.every((_, index) => value.includes(index + 1)),
);

/** Numbers, each below the one before. */
export const falling: ValueShape = matching("falling numbers", (value) => isMonotonic(value, (was, is) => was > is));

/** Timestamps, none later than the one before. */
export const latestFirst: ValueShape = matching(
  "timestamps, the latest first",
  (value) =>
    isList(value) &&
    isMonotonic(
      value.map((each) => Date.parse(String(each))),
      (was, is) => was >= is,
    ),
);

function isMonotonic(value: Json | undefined, holds: (was: number, is: number) => boolean): boolean {
  if (!isList(value)) return false;
  return value.every((_, index) => index === 0 || holds(numberAt(value, index - 1), numberAt(value, index)));
}

function matching(description: string, holds: (value: Json | undefined) => boolean): ValueShape {
  return { description, holds };
}
