/** The parts of the schemas of the control surface's responses, for its OpenAPI document. A test validates responses with them. */

import type { ValueSchema } from "../http/value-schema.ts";

export const text = { type: "string" } as const;
/** A text, or null. */
export const optionalText = { type: ["string", "null"] } as const;
/** true or false. */
export const flag = { type: "boolean" } as const;
/** A whole number. */
export const whole = { type: "integer" } as const;
/** A whole number, or null. */
export const optionalWhole = { type: ["integer", "null"] } as const;
/** An object with any members. */
export const anyObject = { type: "object" } as const;
export const time = { type: "string", format: "date-time" } as const;

/** An object that always has all of these members. */
export function object(properties: { readonly [name: string]: ValueSchema }): ValueSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

/** An object with one list. */
export function list(name: string, items: ValueSchema): ValueSchema {
  return object({ [name]: { type: "array", items } });
}
