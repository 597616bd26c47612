/** The row of a resource in a replica. */

import { type Fields, isFields, isList, type Json, objectsIn, textsIn } from "../../core/json.ts";
import { type JsonTypeName, typesOf } from "../http/value-schema.ts";
import { idOf, type ReplicaLoad } from "../service/live-rows.ts";
import { initialValue, type ResourceFields, type RowOf, type StoredField, storedFields } from "./field.ts";

/**
 * The row of a resource as another service returns it. What the service does not return is as in a new row, and a missing time is
 * now. `computed` are values that the fields alone do not give.
 */
export function liveRow<F extends ResourceFields>(
  load: ReplicaLoad,
  fields: F,
  live: Fields,
  noun: string,
  computed: Partial<RowOf<F>>,
): RowOf<F> {
  const now = load.service.now().toISOString();
  const values = storedFields(fields).map(([name, field]): [string, Json] => {
    return [name, name === "id" ? (computed.id ?? idOf(load, live, noun)) : liveValue(name, field, live, now)];
  });
  // A service is trusted to return a word of each closed set.
  return { ...Object.fromEntries(values), ...computed } as RowOf<F>;
}

function liveValue(name: string, field: StoredField, live: Fields, now: string): Json {
  const types = typesOf(field.value);
  const names = field.liveNames ?? (field.hidden === true ? [] : [name]);
  const value = names.map((each) => live[each]).find((each) => types.some((type) => isOfType(type, each)));
  if (value === undefined) return initialValue(field, now);
  if (isList(value)) return field.value.items?.type === "string" ? textsIn(value) : objectsIn(value);
  return typeof value === "number" ? Math.trunc(value) : value;
}

function isOfType(type: JsonTypeName, value: Json | undefined): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isList(value);
  if (type === "object") return isFields(value);
  return typeof value === (type === "integer" ? "number" : type);
}
