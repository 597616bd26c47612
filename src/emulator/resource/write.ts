/** Creation, change and deletion of a resource's rows. */

import { randomUUID } from "node:crypto";
import type { Fields, Json } from "../../core/json.ts";
import { requireFound } from "../http/http-error.ts";
import type { RequestContext } from "../service/module.ts";
import { readName } from "../service/names.ts";
import type { ResourceDefinition, ResourceRequest } from "./definition.ts";
import { initialValue, type RequestKind, type ResourceField, type ResourceFields, type RowOf } from "./field.ts";

/** Creates a row, and returns it. */
export function createRow<F extends ResourceFields>(
  definition: ResourceDefinition<F>,
  request: ResourceRequest<F>,
): RowOf<F> {
  const { fields, table } = definition;
  const values = readValues(definition, request, "create");
  const initial = Object.entries<ResourceField>(fields)
    .filter(([, { only }]) => only !== "response")
    .map(([name, field]): [string, Json] => [name, initialValue(field, request.timestamp)]);
  // RowOf names the same fields, with the types of the same schemas.
  const empty = { ...Object.fromEntries(initial), id: randomUUID() } as unknown as RowOf<F>;
  const draft = { ...empty, ...values, ...definition.complete?.(request, values) };
  const row = definition.check?.(request, draft, undefined) ?? draft;
  request.database.insert(table, row);
  definition.afterWrite?.(request, row, undefined);
  return currentRow(definition, request, row.id);
}

/** Changes a row, and returns it. */
export function updateRow<F extends ResourceFields>(
  definition: ResourceDefinition<F>,
  request: ResourceRequest<F>,
  before: RowOf<F>,
): RowOf<F> {
  const draft = { ...before, ...readValues(definition, request, "update") };
  const row = definition.check?.(request, draft, before) ?? draft;
  request.database.update(definition.table, before.id, row);
  definition.afterWrite?.(request, row, before);
  return currentRow(definition, request, before.id);
}

/** Removes a row. Throws 422 if it is referenced or protected. */
export function removeRow<F extends ResourceFields>(
  definition: ResourceDefinition<F>,
  request: RequestContext<unknown>,
  row: RowOf<F>,
): void {
  definition.protect?.(request, row);
  request.database.remove(definition.table, { id: row.id } as Partial<RowOf<F>>);
  definition.afterRemove?.(request, row);
}

function currentRow<F extends ResourceFields>(
  { table }: ResourceDefinition<F>,
  { database }: RequestContext<unknown>,
  id: string,
): RowOf<F> {
  return requireFound(database.find(table, { id } as Partial<RowOf<F>>));
}

/** The values that a request sets, in the order of the fields. */
function readValues<F extends ResourceFields>(
  { fields, read }: ResourceDefinition<F>,
  request: ResourceRequest<F>,
  kind: RequestKind,
): Partial<RowOf<F>> {
  const body = request.body as Fields;
  // Each takes the input of its field's schema, by which the body has been validated.
  const readers = (read ?? {}) as { readonly [name: string]: InputReader<F> | undefined };
  const values = Object.entries<ResourceField>(fields).flatMap(([name, field]): [string, Json][] => {
    const input = body[field.inputName ?? name];
    if (field.input === undefined || (field.sentIn ?? kind) !== kind || input === undefined) return [];
    const read = readers[name];
    const value =
      read === undefined ? readInput(field, input, kind) : input === null ? undefined : read(input, request);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as Partial<RowOf<F>>;
}

type InputReader<F extends ResourceFields> = (input: Json, request: ResourceRequest<F>) => Json | undefined;

/** The value that an input sets; undefined if it changes nothing. */
function readInput({ reading }: ResourceField, input: Json, kind: RequestKind): Json | undefined {
  if (reading === "none") return undefined;
  if (reading === "nullable") return input;
  if (reading === "name" && (input !== null || kind === "create"))
    return readName(input === null ? null : String(input));
  if (input === null) return undefined;
  return reading === "clearable" && String(input).trim() === "" ? null : input;
}
