/** Builds the request of a planned operation: fills in values that the plan cannot contain. */

import {
  type Fields,
  hasMembers,
  isFields,
  type Json,
  stepsOf,
  valueAt,
  withoutMembers,
  withValueAt,
} from "../../core/json.ts";
import { segment } from "../../core/route.ts";
import { LATER } from "../../plan/diff/step.ts";
import type { LateValue, Operation, Precondition } from "../../plan/model/plan.ts";
import type { ApiRequest } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { CreatedResources } from "./created-resources.ts";
import { MissingValue } from "./failure.ts";
import { identityOf } from "./row-match.ts";

/** Source of the values that a plan does not contain. */
export interface LateValueSource {
  /** The responses to the creations of this run. */
  readonly created: CreatedResources;
  /** Returns a value from the environment, by address and JSON Pointer into the declared resource. */
  secret(address: string, pointer: string, pin?: string): Json | undefined;
}

/** A request with all its values. */
export interface FilledRequest {
  readonly request: ApiRequest;
  readonly body: Fields | null;
  readonly guard: Precondition | undefined;
  /** Key of the member in a wrapped response. */
  readonly item: string;
}

/**
 * Returns the request of an operation, without the values that are kept: those are known when the resource is read. Throws
 * {@link MissingValue} if a value is unknown.
 */
export function buildRequest(planned: Operation, source: LateValueSource): FilledRequest {
  const operation = withoutKept(planned);
  const filled = fillInserts(operation, (insert) => requireLateValue(operation, operation, insert, source));
  const admin = operation.admin === true ? { admin: true } : {};
  const request = { path: filled.path, query: filled.query, ...admin };
  const guard = operation.guard === undefined ? undefined : fillPrecondition(operation, operation.guard, source);
  return { request, body: filled.body, guard, item: operation.item };
}

/** The operation without the values that it keeps. */
function withoutKept(operation: Operation): Operation {
  const kept = keptValues(operation);
  if (kept.length === 0) return operation;
  const body = withoutMembers(
    operation.body ?? {},
    kept.map(({ at }) => at.slice("/body".length)),
  );
  return { ...operation, body, inserts: (operation.inserts ?? []).filter((insert) => !kept.includes(insert)) };
}

function keptValues({ inserts = [] }: Operation): readonly LateValue[] {
  return inserts.filter(({ kept }) => kept === true);
}

/** The request with the values that it keeps, from the row as it was just read. What the row has not is left out. */
export function withKept(filled: FilledRequest, operation: Operation, row: Fields | undefined): FilledRequest {
  let body: Json = filled.body;
  for (const { at, secret = "" } of keptValues(operation)) {
    const value = valueAt(row, stepsOf(secret));
    if (value !== undefined) body = withValueAt(body, stepsOf(at).slice(1), value);
  }
  return isFields(body) ? { ...filled, body } : filled;
}

/**
 * The operation of a run that was interrupted, with the values that its creations have returned, and without its precondition. Values
 * from the environment are left open.
 */
export function fillCreated({ guard: _guard, ...operation }: Operation, created: CreatedResources): Operation {
  const lateValue = (insert: LateValue) =>
    insert.secret === undefined ? createdValue(operation, insert, created) : undefined;
  return { ...operation, ...fillInserts(operation, lateValue) };
}

/** The parts of a request with the values that are known, and the inserts of the others. */
function fillInserts(
  operation: Operation,
  lateValue: (insert: LateValue) => Json | undefined,
): Required<Pick<Operation, "path" | "query" | "body" | "inserts">> {
  const path = operation.path.split("/");
  let query = operation.query;
  let body: Json = operation.body;
  const inserts: LateValue[] = [];
  for (const insert of operation.inserts ?? []) {
    const value = lateValue(insert);
    const [part, ...at] = stepsOf(insert.at);
    if (value === undefined) inserts.push(insert);
    else if (part === "path") path[Number(at.join())] = asSegment(value, insert.address);
    else if (part === "query") query = { ...query, [at.join()]: String(value) };
    else body = withValueAt(body, at, value);
  }
  return { path: path.join("/"), query, body: isFields(body) ? body : null, inserts };
}

function fillPrecondition(operation: Operation, planned: Precondition, source: LateValueSource): Precondition {
  // A resource of the same name that this run has created is not somebody else's.
  const { names } = planned;
  const own =
    operation.method !== "POST" || names === undefined
      ? []
      : [
          ...source.created.besides(operation),
          // One that is stored under this very name, and was sent under another one, would have a copy.
          ...source.created.inOtherForms(operation).filter((row) => !names.some((name) => hasMembers(row, name))),
        ];
  const known = own.map((row) => identityOf(row, planned));
  let guard = known.length === 0 ? planned : { ...planned, known: [...(planned.known ?? []), ...known] };
  for (const insert of planned.inserts ?? []) {
    const [part, name = ""] = stepsOf(insert.at);
    if (part === "query")
      guard = {
        ...guard,
        query: { ...guard.query, [name]: String(requireLateValue(operation, planned, insert, source)) },
      };
    else {
      const { [name]: _unknown, ...ids } = guard.ids ?? {};
      const id = createdValue(operation, insert, source.created);
      guard = { ...guard, ids: id === undefined ? ids : { ...ids, [name]: String(id) } };
    }
  }
  return guard;
}

/** A late value of a request or of its precondition. The name of a scope is in the plan: no response need give another. */
function requireLateValue(
  operation: Operation,
  { query }: Pick<Operation, "query">,
  insert: LateValue,
  source: LateValueSource,
): Json {
  const { address, fields = [], secret, pin } = insert;
  if (secret !== undefined) {
    const value = source.secret(address, secret, pin);
    if (value === undefined) throw new MissingValue(`the environment has no value for ${secret} of ${address}`);
    return value;
  }
  const [part, name = ""] = stepsOf(insert.at);
  const planned = part === "query" && query[name] !== LATER ? query[name] : undefined;
  const value = createdValue(operation, insert, source.created) ?? planned;
  if (value === undefined)
    throw new MissingValue(`the response to the create of ${address} has no ${fields.join(" or ")}`);
  return value;
}

function createdValue(
  operation: Operation,
  { address, fields = [] }: LateValue,
  created: CreatedResources,
): Json | undefined {
  const response = created.for(operation, address);
  const field = fields.find((name) => response?.[name] !== undefined);
  return field === undefined ? undefined : response?.[field];
}

function asSegment(value: Json, address: string): string {
  try {
    return segment(String(value));
  } catch {
    throw new MissingValue(
      `the response to the create of ${address} contains ${JSON.stringify(value)}, which cannot be part of a URL`,
    );
  }
}

/** The error, without the words of the service where the request has a value from the environment: they may repeat it. */
export function withoutValues(error: unknown, { inserts = [] }: Operation): unknown {
  const isOpen = inserts.every(({ secret }) => secret === undefined);
  return isOpen || !(error instanceof ServiceError)
    ? error
    : error.withoutWords("its message is not shown, since it may repeat a value from the environment");
}
