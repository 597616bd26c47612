/** Verifies the response to a write before the operation counts as done. */

import { equal, type Fields, textIn } from "../../core/json.ts";
import { fingerprint, type Operation } from "../../plan/model/plan.ts";
import { memberOf } from "../../service/lists/envelope.ts";
import type { ApiResponse } from "../../service/requests/connection.ts";
import type { StoredFields } from "../journal/outcome.ts";
import { IgnoredChange, UnexpectedSlug, WrongResource } from "./failure.ts";
import type { FilledRequest } from "./request.ts";
import { confirmsField, type ResponseNames, responseFieldsOf } from "./response-match.ts";
import { fingerprintOf } from "./row-match.ts";
import { Secret } from "./secret.ts";

/** The resource in a response, and the one-time token beside it. */
export interface ResponseParts {
  readonly token: Secret | undefined;
  readonly member: Fields;
}

/** Splits a response into the resource and its token. */
export function splitResponse({ item, reveals = "" }: Operation, response: ApiResponse): ResponseParts {
  const { [reveals]: token, ...member } = memberOf(response.body, item);
  return { token: typeof token === "string" && token !== "" ? new Secret(token) : undefined, member };
}

/**
 * Throws {@link WrongResource} if the response is about another resource or none, {@link UnexpectedSlug} if a create chose another
 * slug, and {@link IgnoredChange} if an update left a value unchanged.
 */
export function verifyResponse(
  operation: Operation,
  { body, guard }: FilledRequest,
  member: Fields,
  before: readonly Fields[] | null,
): void {
  const { address, method } = operation;
  const sent = body ?? {};
  const other = method === "POST" ? isUnrelated(member, sent) : isOtherRow(member, guard?.row ?? {});
  if (other || Object.keys(member).length === 0) throw new WrongResource(address);
  verifySlug(operation, member);
  const [preImage] = before ?? [];
  if (method !== "PATCH" || guard?.row === undefined || preImage === undefined) return;
  const ignored = Object.entries(sent).flatMap(([field, value]) => {
    const wires = responseFieldsOf(field, guard).filter(
      (wire) => member[wire] !== undefined && preImage[wire] !== undefined,
    );
    const isUnchanged =
      wires.length > 0 && wires.every((wire) => equal(preImage[wire] ?? null, fingerprintOf(member, wire)));
    return isUnchanged && !confirmsField(member, field, value, guard) ? [field] : [];
  });
  if (ignored.length > 0) throw new IgnoredChange(address, ignored);
}

/** Fingerprints of the fields that a response shows in another form, or with another value, than was sent; by their names in the row. */
export function storedOtherwise({ body, guard }: FilledRequest, member: Fields): StoredFields {
  const names: ResponseNames = guard ?? {};
  const fields = Object.entries(body ?? {}).flatMap(([field, sent]) =>
    responseFieldsOf(field, names)
      .filter((wire) => member[wire] !== undefined && !equal(sent, member[wire] ?? null))
      .map((wire) => [wire, fingerprint(member[wire] ?? null)] as const),
  );
  return Object.fromEntries(fields);
}

/** Throws {@link UnexpectedSlug} if the resource has another slug than the declared one. */
export function verifySlug({ address, expects }: Operation, { slug }: Fields): void {
  if (expects === undefined || slug === expects.slug) return;
  throw new UnexpectedSlug(address, expects.slug, textIn(slug));
}

/** Whether the resource in a response has none of the texts that were sent. */
function isUnrelated(member: Fields, sent: Fields): boolean {
  const texts = Object.entries(sent).filter(
    ([field, value]) => typeof value === "string" && value !== "" && typeof member[field] === "string",
  );
  return texts.length > 0 && !texts.some(([field, value]) => confirmsField(member, field, value, {}));
}

function isOtherRow(member: Fields, row: Fields): boolean {
  return Object.entries(row).some(([name, value]) => member[name] !== undefined && !equal(member[name], value));
}
