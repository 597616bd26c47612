/** Creation, change and deletion of a resource's rows. */

import { randomUUID } from "node:crypto";
import type { Fields, Json } from "../../core/json.ts";
import { requireFound, validationError } from "../http/http-error.ts";
import type { RequestContext } from "../service/module.ts";
import { readName } from "../service/names.ts";
import type { ResourceRequest, RowRules } from "./definition.ts";
import {
  initialValue,
  type RequestKind,
  type ResourceFields,
  type RowOf,
  type StoredField,
  storedFields,
} from "./field.ts";
import { inputName, isSentIn } from "./schemas.ts";

/** Creates a row, and returns it. */
export function createRow<F extends ResourceFields>(definition: RowRules<F>, request: ResourceRequest<F>): RowOf<F> {
  const { fields, table } = definition;
  if (definition.createRow !== undefined) return definition.createRow(request);
  const values = readValues(definition, request, "create");
  const initial = storedFields(fields).map(([name, field]): [string, Json] => {
    return [name, initialValue(field, request.timestamp)];
  });
  // RowOf names the same fields, with the types of the same schemas.
  const empty = { ...Object.fromEntries(initial), id: randomUUID() } as RowOf<F>;
  const draft = { ...empty, ...values, ...definition.complete?.(request, values) };
  refuseTaken(definition, request, draft, undefined);
  const row = definition.check?.(request, draft, undefined) ?? draft;
  request.database.insert(table, row);
  definition.afterWrite?.(request, row, undefined);
  return currentRow(definition, request, row.id);
}

/** Changes a row, and returns it. */
export function updateRow<F extends ResourceFields>(
  definition: RowRules<F>,
  request: ResourceRequest<F>,
  before: RowOf<F>,
): RowOf<F> {
  if (definition.updateRow !== undefined) return definition.updateRow(request, before);
  const draft = { ...before, ...readValues(definition, request, "update") };
  refuseTaken(definition, request, draft, before);
  const row = definition.check?.(request, draft, before) ?? draft;
  request.database.update(definition.table, before.id, row);
  definition.afterWrite?.(request, row, before);
  return currentRow(definition, request, before.id);
}

/** Removes a row. Throws 422 if it is referenced or protected. */
export function removeRow<F extends ResourceFields>(
  definition: RowRules<F>,
  request: ResourceRequest<F>,
  row: RowOf<F>,
): void {
  definition.protect?.(request, row);
  request.database.remove(definition.table, { id: row.id } as Partial<RowOf<F>>);
  definition.afterRemove?.(request, row);
}

function refuseTaken<F extends ResourceFields>(
  { fields, table }: RowRules<F>,
  { database }: RequestContext<unknown>,
  row: RowOf<F>,
  before: RowOf<F> | undefined,
): void {
  for (const [field, { unique }] of storedFields(fields)) {
    const name = field as keyof RowOf<F>;
    if (unique !== true || row[name] === before?.[name]) continue;
    if (database.find(table, { [field]: row[name] } as Partial<RowOf<F>>) !== undefined)
      throw validationError({ field, message: "has already been taken" });
  }
}

function currentRow<F extends ResourceFields>(
  { table }: RowRules<F>,
  { database }: RequestContext<unknown>,
  id: string,
): RowOf<F> {
  return requireFound(database.find(table, { id } as Partial<RowOf<F>>));
}

/** The values that a request sets, in the order of the fields. */
function readValues<F extends ResourceFields>(
  { fields, read }: RowRules<F>,
  request: ResourceRequest<F>,
  kind: RequestKind,
): Partial<RowOf<F>> {
  const body = request.body as Fields;
  // Each takes the input of its field's schema, by which the body has been validated.
  const readers = (read ?? {}) as { readonly [name: string]: InputReader<F> | undefined };
  const values = storedFields(fields).flatMap(([name, field]): [string, Json][] => {
    const input = body[inputName(name, field)];
    if (field.input === undefined || !isSentIn(field, kind) || input === undefined) return [];
    const value = readInput(name, field, input, kind);
    const read = value === null ? undefined : readers[name];
    const stored = value === undefined || read === undefined ? value : read(value, request);
    return stored === undefined ? [] : [[name, stored]];
  });
  return Object.fromEntries(values) as Partial<RowOf<F>>;
}

type InputReader<F extends ResourceFields> = (input: Json, request: ResourceRequest<F>) => Json | undefined;

/** The value that an input sets; undefined if it changes nothing. */
function readInput(name: string, field: StoredField, input: Json, kind: RequestKind): Json | undefined {
  const { reading, required, value } = field;
  const isBlank = input === null || (typeof input === "string" && input.trim() === "");
  const isNeeded = required === true && kind === "create";
  switch (reading) {
    case "name":
      return input === null && !isNeeded ? undefined : readName(input === null ? null : String(input));
    case "clearable":
      return input === null ? undefined : isBlank ? null : input;
    case "choice":
      return isBlank && !isNeeded ? undefined : readChoice(name, input, value.enum ?? []);
    case "nullable":
      return input;
    case "none":
      return undefined;
    default:
      return input ?? undefined;
  }
}

function readChoice(field: string, input: Json, choices: readonly Json[]): Json {
  if (choices.includes(input)) return input;
  throw validationError({ field, message: `must be one of ${choices.join(", ")}` });
}
