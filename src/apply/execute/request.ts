/** From a planned operation to the request that is sent: the plan's own words, with what it could not hold put in. */

import type { Ask } from "../../api/http/connection.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { segment } from "../../core/route.ts";
import type { LateValue, Operation, Precondition } from "../../plan/plan.ts";
import { MissingValue } from "./failure.ts";

/** Values that a plan leaves out. */
export interface LeftOut {
  /** What an entry's creation was answered with, in this run. */
  created(address: string): Fields | undefined;
  /** A value that came from the environment, by address and JSON Pointer into the declared entry. */
  secret(address: string, pointer: string): Json | undefined;
}

/** A request with everything that the plan left out. */
export interface Filled {
  readonly ask: Ask;
  readonly body: Fields | null;
  readonly guard: Precondition | undefined;
  /** Member key of a wrapped answer. */
  readonly item: string;
}

/** The request of an operation. Throws {@link MissingValue} when something that it needs is not known. */
export function requestOf(operation: Operation, leftOut: LeftOut): Filled {
  const path = operation.path.split("/");
  let query = operation.query;
  let body: Json = operation.body;
  for (const insert of operation.inserts ?? []) {
    const value = inserted(insert, leftOut);
    const [, part, ...at] = insert.at.split("/").map(unescaped);
    if (part === "path") path[Number(at.join())] = asSegment(value, insert.address);
    else if (part === "query") query = { ...query, [at.join()]: String(value) };
    else body = put(body, at, value);
  }
  const admin = operation.admin === true ? { admin: true } : {};
  const ask = { path: path.join("/"), query, ...admin };
  const guard = operation.guard === undefined ? undefined : guardOf(operation.guard, leftOut);
  return { ask, body: isFields(body) ? body : null, guard, item: operation.item };
}

function guardOf(planned: Precondition, leftOut: LeftOut): Precondition {
  let guard = planned;
  for (const insert of planned.inserts ?? []) {
    const [, part, name = ""] = insert.at.split("/").map(unescaped);
    if (part === "query") guard = { ...guard, query: { ...guard.query, [name]: String(inserted(insert, leftOut)) } };
    else {
      const { [name]: _unknown, ...ids } = guard.ids ?? {};
      const id = told(insert, leftOut);
      guard = { ...guard, ids: id === undefined ? ids : { ...ids, [name]: String(id) } };
    }
  }
  return guard;
}

function inserted(insert: LateValue, leftOut: LeftOut): Json {
  const { address, fields = [], secret } = insert;
  if (secret !== undefined) {
    const value = leftOut.secret(address, secret);
    if (value === undefined) throw new MissingValue(`the value of ${address} at ${secret} is not in the environment`);
    return value;
  }
  const value = told(insert, leftOut);
  if (value === undefined) throw new MissingValue(`the creation of ${address} did not tell its ${fields.join(" or ")}`);
  return value;
}

function told({ address, fields = [] }: LateValue, leftOut: LeftOut): Json | undefined {
  const created = leftOut.created(address);
  const field = fields.find((name) => created?.[name] !== undefined);
  return field === undefined ? undefined : created?.[field];
}

function asSegment(value: Json, address: string): string {
  try {
    return segment(String(value));
  } catch {
    throw new MissingValue(`the creation of ${address} told ${JSON.stringify(value)}, which cannot stand in a path`);
  }
}

/** The value with another one put at a place in it. */
function put(into: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (isList(into)) return into.map((item, index) => (String(index) === name ? put(item, rest, value) : item));
  const fields = isFields(into) ? into : {};
  return { ...fields, [name]: put(fields[name] ?? null, rest, value) };
}

function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
