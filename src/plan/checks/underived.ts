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
import { PREFIX, tokenRequests } from "./token-requests.ts";

/** Names the first part of an operation that its kind does not give; undefined if its kind gives all of it. */
export function underivedPart(operation: Operation, kinds: readonly Kind[]): string | undefined {
  const { address, method, path, query, item, admin, reveals, custody, fallback, expects, guard } = operation;
  const kind = kindOfAddress(address, kinds);
  if (kind === undefined) return "address";
  if (guard?.within !== undefined) return underivedTokenPart(operation, kind, { ...guard, within: guard.within });
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

/** The same for an operation that issues or revokes one token of a resource. */
function underivedTokenPart(
  { address, method, path, query, body, item, admin, reveals, custody, fallback, expects, inserts }: Operation,
  kind: Kind,
  { row, path: list, query: filter, list: key, identity, within }: TokenPrecondition,
): string | undefined {
  const isIssue = method === "POST";
  const isOwner = Object.keys(within.row).every((name) => identityFieldsOf(kind).includes(name));
  const id = kind.identity.idFields.map((name) => within.row[name]).find((value) => value !== undefined);
  const isNamed = isOwner && address === `${kind.name}/${id}` && fitsPath(String(id));
  const requests = isNamed ? tokenRequests(kind, within.row) : undefined;
  const prefix = row?.[PREFIX];
  const target = isIssue
    ? requests?.issue
    : typeof prefix === "string" && fitsPath(prefix)
      ? requests?.revoke(prefix)
      : undefined;
  const checks: Readonly<Record<string, boolean>> = {
    precondition: isSame({ path: list, query: filter, list: key, identity, within }, requests?.guard),
    method: isIssue || method === "DELETE",
    path: path === target && fallback === undefined && expects === undefined && inserts === undefined,
    query: Object.keys(query).length === 0,
    body: isSame(body ?? undefined, isIssue ? {} : undefined),
    item: item === kind.endpoint.envelope.item,
    admin: (admin === true) === (kind.endpoint.admin === true),
    reveals: reveals === (isIssue ? kind.lifecycle.secret?.field : undefined),
    custody: isSame(custody, isIssue ? requests?.custody : undefined),
  };
  return Object.keys(checks).find((part) => checks[part] !== true);
}

type TokenPrecondition = Precondition & Required<Pick<Precondition, "within">>;

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

/** Whether a value can be one segment of a path. */
function fitsPath(value: string): boolean {
  try {
    return segment(value) !== "";
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
