/** Shapes of JSON values as the interface's tables name them, and how values are reached inside a body. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { parseUrl } from "../core/url.ts";

/** A named predicate over a value. */
export interface ValueShape {
  /** The shape in words, for a report. */
  readonly says: string;
  holds(value: Json | undefined): boolean;
}

/** The value reached by member names and indexes, or undefined where the way ends. */
export function at(value: Json | undefined, ...way: readonly (string | number)[]): Json | undefined {
  let here = value;
  for (const step of way) {
    if (isList(here) && typeof step === "number") here = here[step];
    else if (isFields(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

/** The text reached, or the empty string. */
export function textAt(value: Json | undefined, ...way: readonly (string | number)[]): string {
  const found = at(value, ...way);
  return typeof found === "string" ? found : "";
}

/** The number reached, or NaN. */
export function numberAt(value: Json | undefined, ...way: readonly (string | number)[]): number {
  const found = at(value, ...way);
  return typeof found === "number" ? found : Number.NaN;
}

/** The objects of the array reached; empty when there is none. */
export function rowsAt(value: Json | undefined, ...way: readonly (string | number)[]): readonly Fields[] {
  const found = at(value, ...way);
  return isList(found) ? found.filter(isFields) : [];
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$/;

/** A string in the form of a UUID. */
export const uuid: ValueShape = matching("a UUID", (value) => typeof value === "string" && uuidPattern.test(value));

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

/** The shape, or null. */
export function orNull(shape: ValueShape): ValueShape {
  return matching(`${shape.says} or null`, (value) => value === null || shape.holds(value));
}

/** One of these strings. */
export function oneOf(...values: readonly string[]): ValueShape {
  return matching(`one of ${values.join(", ")}`, (value) => typeof value === "string" && values.includes(value));
}

/** A string of this form. */
export function stringLike(says: string, pattern: RegExp): ValueShape {
  return matching(says, (value) => typeof value === "string" && pattern.test(value));
}

/** An object holding at least these members. */
export function objectWith(members: Readonly<Record<string, ValueShape>>): ValueShape {
  const says = Object.entries(members).map(([name, shape]) => `${name}: ${shape.says}`);
  return matching(
    `an object with ${says.join(", ")}`,
    (value) => isFields(value) && Object.entries(members).every(([name, shape]) => shape.holds(at(value, name))),
  );
}

function matching(says: string, holds: (value: Json | undefined) => boolean): ValueShape {
  return { says, holds };
}
