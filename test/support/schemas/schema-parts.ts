/** The parts of a JSON Schema that describe values. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";

/** Every part that describes a value, with its path. Conditions such as `if` are left out. */
export function parts(schema: Fields, at: string): readonly (readonly [string, Fields])[] {
  const named = (key: string) => Object.entries(isFields(schema[key]) ? schema[key] : {});
  const below: readonly (readonly [string, Json])[] = [
    ...named("properties").map(([name, part]) => [`${at}/${name}`, part] as const),
    ...named("$defs").map(([name, part]) => [`${at}#${name}`, part] as const),
    [`${at}/*`, schema.items ?? null],
    [`${at}/*`, schema.additionalProperties ?? null],
  ];
  return [[at, schema], ...below.flatMap(([place, part]) => (isFields(part) ? parts(part, place) : []))];
}

/** Paths of the parts without a description in sentences. */
export function undescribed(schema: Fields, at: string): readonly string[] {
  return parts(schema, at)
    .filter(([, part]) => part.$ref === undefined && !isSentence(part.description))
    .map(([place]) => place);
}

export function takesObjects(part: Fields): boolean {
  return part.type === "object" || (isList(part.type) && part.type.includes("object"));
}

function isSentence(text: Json | undefined): boolean {
  return typeof text === "string" && /^[A-Z].*\.$/s.test(text);
}
