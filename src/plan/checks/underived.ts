/**
 * Operations that come from outside, such as those of a journal, compared with what their kinds give. Addresses, values and ids differ
 * from one operation to the next; where a request goes and what else it may lead to is the same for all operations of a kind.
 */

import { equal, type Json } from "../../core/json.ts";
import { type Route, segment } from "../../core/route.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { kindOfAddress } from "../../kinds/model/resource.ts";
import { tokenStorePart } from "../diff/create.ts";
import { LATER } from "../diff/step.ts";
import type { Operation, Precondition } from "../model/plan.ts";
import { canReadAlone, identityFieldsOf, otherNames } from "./preconditions.ts";

/** Names the first part of an operation that its kind does not give; undefined if its kind gives all of it. */
export function underivedPart(operation: Operation, kinds: readonly Kind[]): string | undefined {
  const { address, method, path, query, item, admin, reveals, custody, fallback, expects, guard } = operation;
  const kind = kindOfAddress(address, kinds);
  if (kind === undefined) return "address";
  const { endpoint, lifecycle, identity } = kind;
  const isCreation = method === "POST";
  const route = isCreation ? (endpoint.create ?? endpoint.list) : endpoint.member;
  const token = isCreation ? tokenStorePart(kind) : {};
  const disabled = lifecycle.disable === undefined ? undefined : { [lifecycle.disable]: false };
  const slug = identity.slug === undefined ? undefined : { slug: address.split("/").at(-1) ?? "" };
  const checks: Readonly<Record<string, boolean>> = {
    method:
      (isCreation && lifecycle.createByPatch === undefined) ||
      method === "PATCH" ||
      (method === "DELETE" && lifecycle.permanent !== true),
    path: isPathOf(route, path),
    query: isQueryOf(route, query),
    item: item === endpoint.envelope.item,
    admin: (admin === true) === (endpoint.admin === true),
    reveals: reveals === token.reveals,
    // Earlier versions did not say how to remove a row without a token.
    custody: (custody === undefined && reveals === undefined) || isSame(custody, token.custody),
    slug: expects === undefined || isSame(expects, slug),
    fallback: fallback === undefined || isSame(fallback, { method: "PATCH", body: disabled }),
    precondition: guard === undefined || isPreconditionOf(kind, operation, guard),
  };
  return Object.keys(checks).find((part) => checks[part] !== true);
}

function isPreconditionOf(kind: Kind, { method, path, body }: Operation, guard: Precondition): boolean {
  const { endpoint, identity, lifecycle } = kind;
  const disabled = lifecycle.disable === undefined ? {} : { include_disabled: "true" };
  const { row = {}, member, paginated, repeatable, told = {} } = guard;
  const names = { ...otherNames(kind, body).told, ...told };
  const id = identity.idFields.flatMap((name) => row[name] ?? []).slice(0, 1);
  const hasId = endpoint.member.path.includes("{id}") && id.length > 0;
  return (
    isPathOf(endpoint.list, guard.path) &&
    isQueryOf({ ...endpoint.list, query: { ...endpoint.list.query, ...disabled } }, guard.query) &&
    guard.list === endpoint.envelope.list &&
    isSame(guard.identity, identityFieldsOf(kind)) &&
    Object.keys(row).every((name) => identityFieldsOf(kind).includes(name)) &&
    // The request reaches the row that is checked.
    (method === "POST" || !hasId || path.endsWith(`/${encodeURIComponent(String(id[0]))}`)) &&
    (paginated === undefined || endpoint.paginated === true) &&
    (member === undefined || canReadAlone(kind)) &&
    (repeatable === true) === (method === "POST" && lifecycle.allowsDuplicates === true) &&
    isSame(otherNames(kind, Object.fromEntries(Object.keys(names).map((name) => [name, null]))).told ?? {}, names)
  );
}

/** Whether a path is a filled one of the route: its placeholders are single segments, or not known yet. */
function isPathOf({ path: template }: Route, path: string): boolean {
  const [expected, actual] = [`/api/v1${template}`.split("/"), path.split("/")];
  return (
    expected.length === actual.length &&
    expected.every((part, index) => {
      const filled = actual[index] ?? "";
      return part.startsWith("{") ? filled === LATER || isSegment(filled) : filled === part;
    })
  );
}

function isSegment(text: string): boolean {
  try {
    return segment(decodeURIComponent(text)) === text;
  } catch {
    return false;
  }
}

/** Whether a query has only members of the route, with their fixed values. */
function isQueryOf({ query: template = {} }: Route, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).every(([name, value]) => {
    const expected = Object.hasOwn(template, name) ? template[name] : undefined;
    return expected !== undefined && (expected.includes("{") || expected === value);
  });
}

function isSame(left: object | undefined, right: object | undefined): boolean {
  return equal((left ?? null) as Json, (right ?? null) as Json);
}
