/** Compares every response and every webhook delivery of the emulators in this process with the OpenAPI document of their dialects. */

import { subscribe } from "node:diagnostics_channel";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { Fields } from "../../../src/core/json.ts";
import type { ObservedResponse } from "../../../src/emulator/application.ts";
import { type Dialects, standardDialects } from "../../../src/emulator/dialects.ts";
import { openapi } from "../../../src/emulator/openapi/service-document.ts";
import { documentAjv } from "./document-ajv.ts";

/** The statuses that the response `default` stands for. */
const otherStatuses: readonly number[] = [405, 413, 414, 500];
const otherError = "#/components/responses/OtherError";

interface Route {
  readonly segments: readonly string[];
  /** The pointer to the operation by method, in capitals. */
  readonly operations: ReadonlyMap<string, { readonly pointer: string; readonly statuses: Fields }>;
}

/** A document with its compiled schemas. */
interface CompiledDocument {
  readonly ajv: Ajv2020;
  readonly routes: readonly Route[];
}

const documents = new Map<string, CompiledDocument>();
let problems: string[] = [];
let isSubscribed = false;

/** Starts to compare responses, once in a process. */
export function observeResponses(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe("incidentctl:emulator:response", (message) => {
    const problem = problemOf(message as ObservedResponse);
    if (problem !== undefined) problems.push(problem);
  });
  subscribe("incidentctl:emulator:delivery", (message) => {
    const body: Fields = JSON.parse(String(message));
    const pointer = `#/webhooks/${body.event_type}/post/requestBody`;
    const difference = differenceOf(documentOf(standardDialects), pointer, String(message));
    if (difference !== undefined) problems.push(`webhook ${body.event_type}: ${difference}`);
  });
}

/** The differences since the last call, one sentence each. */
export function takeProblems(): readonly string[] {
  const taken = problems;
  problems = [];
  return taken;
}

/** The first difference between the response and the document; undefined if there is none. */
function problemOf({ method, url, response, dialects }: ObservedResponse): string | undefined {
  const { status, body } = response;
  // The response to a request that a fault aborts, which nobody receives.
  if (status === 503 && body === null) return undefined;
  const document = documentOf(dialects);
  const name = `${method} ${url.pathname} ${status}`;
  const operation = findOperation(document, method === "HEAD" ? "GET" : method, url.pathname);
  const isListed = operation !== undefined && Object.hasOwn(operation.statuses, String(status));
  if (operation !== undefined && !isListed && !otherStatuses.includes(status)) {
    return `${name}: the document has no such status, but ${Object.keys(operation.statuses).join(", ")}`;
  }
  const pointer = responsePointer(operation?.pointer, operation?.statuses, isListed ? status : undefined);
  if (pointer === undefined) return body === null ? undefined : `${name}: the body is not empty`;
  if (typeof body !== "string") return `${name}: the body is empty`;
  const difference = differenceOf(document, pointer, body);
  return difference === undefined ? undefined : `${name}: ${difference}`;
}

/** The first difference between a body and the schema of the content at the pointer; undefined if there is none. */
function differenceOf({ ajv }: CompiledDocument, pointer: string, body: string): string | undefined {
  const validate = ajv.getSchema(`openapi${pointer}/content/application~1json/schema`);
  if (validate === undefined) return `the document has no schema at ${pointer}`;
  if (validate(JSON.parse(body))) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)} in ${body.slice(0, 500)}`;
}

/** The pointer to the description of a response; undefined for an empty body. An absent status is one of the other errors. */
function responsePointer(
  operation: string | undefined,
  statuses: Fields = {},
  status: number | undefined,
): string | undefined {
  if (operation === undefined || status === undefined) return otherError;
  const { $ref, content } = statuses[status] as Fields;
  if (typeof $ref === "string") return $ref;
  return content === undefined ? undefined : `${operation}/responses/${status}`;
}

function documentOf(dialects: Dialects): CompiledDocument {
  // The other dialects change no schema.
  const key = `${dialects.envelope} ${dialects.readable}`;
  const known = documents.get(key);
  if (known !== undefined) return known;
  const document = openapi(dialects);
  const compiled = { ajv: documentAjv(document), routes: routesOf(document) };
  documents.set(key, compiled);
  return compiled;
}

function routesOf({ paths }: Fields): readonly Route[] {
  return Object.entries(paths as Record<string, Record<string, Fields>>).map(([path, { parameters: _, ...item }]) => {
    const pointer = `#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}`;
    const operations = Object.entries(item).map(([method, { responses }]) => {
      return [method.toUpperCase(), { pointer: `${pointer}/${method}`, statuses: responses as Fields }] as const;
    });
    return { segments: path.split("/"), operations: new Map(operations) };
  });
}

function findOperation(
  { routes }: CompiledDocument,
  method: string,
  path: string,
): { readonly pointer: string; readonly statuses: Fields } | undefined {
  const segments = path.split("/");
  // A literal segment is preferred to a parameter: paths are sorted, and `{` sorts after letters.
  const route = routes.find(({ segments: pattern, operations }) => {
    const isMatch = (part: string, at: number): boolean => part.startsWith("{") || part === segments[at];
    return pattern.length === segments.length && operations.has(method) && pattern.every(isMatch);
  });
  return route?.operations.get(method);
}
