/** Verifies the response to a write before the operation counts as done. */

import { equal, type Fields, hasMembers, stepsOf, textIn } from "../../core/json.ts";
import { POSITION } from "../../kinds/model/kind.ts";
import { isAnswerTo, isMask, mayShowName, mayShowValue } from "../../kinds/values/same-answer.ts";
import { fingerprint, type Operation, type Precondition } from "../../plan/model/plan.ts";
import { PREFIX_LENGTH } from "../../plan/model/token-paths.ts";
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

/**
 * Splits a response into the resource and its token. Where the token itself is what the request makes, it stands for the resource. Throws
 * {@link WrongResource} if the response does not show that it belongs to the row of the precondition.
 */
export function splitResponse(
  { address, item, reveals = "" }: Operation,
  response: ApiResponse,
  { within }: Pick<Precondition, "within"> = {},
): ResponseParts {
  const { [reveals]: value, ...member } = memberOf(response.body, item);
  const token = typeof value === "string" && value !== "" ? new Secret(value) : undefined;
  if (within === undefined) return { token, member };
  if (token === undefined || !hasMembers(member, within.row)) throw new WrongResource(address);
  return { token, member: { prefix: token.prefix(PREFIX_LENGTH) } };
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
  const { address, method, inserts = [] } = operation;
  const sent = body ?? {};
  const other = method === "POST" ? isUnrelated(member, sent) : isOtherRow(member, guard?.row ?? {});
  if (other || Object.keys(member).length === 0) throw new WrongResource(address);
  verifySlug(operation, member);
  const [preImage] = before ?? [];
  if (method !== "PATCH" || guard?.row === undefined || preImage === undefined) return;
  const ignored = Object.entries(sent).flatMap(([field, value]) => {
    const wires = responseFieldsOf(field, guard).filter(
      (wire) =>
        member[wire] !== undefined &&
        preImage[wire] !== undefined &&
        !isMask(member[wire]) &&
        !(wire === POSITION && member[wire] === null),
    );
    // A switch that is not as sent is as it was, in whatever form reads and writes show it.
    const isUnchanged = (wire: string): boolean =>
      typeof value === "boolean" || equal(preImage[wire] ?? null, fingerprintOf(member, wire, guard));
    // A value from the environment is sent in each apply, since nothing records it: the service may have made the same of it before.
    const isSecret = inserts.some(({ at, secret }) => secret !== undefined && stepsOf(at)[1] === field);
    const isMadeOf = (wire: string): boolean => isSecret && mayShowValue(value, member[wire] ?? null);
    const isIgnored =
      wires.length > 0 &&
      wires.every((wire) => isUnchanged(wire) && !isMadeOf(wire)) &&
      !confirmsField(member, field, value, guard);
    return isIgnored ? [field] : [];
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
export function isUnrelated(member: Fields, sent: Fields): boolean {
  const texts = Object.entries(sent).flatMap(([field, value]): readonly (readonly [string, string])[] => {
    const shown = member[field];
    return typeof value === "string" && value !== "" && typeof shown === "string" ? [[value, shown]] : [];
  });
  return texts.length > 0 && !texts.some(([value, shown]) => isAnswerTo(value, shown) || mayShowName(value, shown));
}

function isOtherRow(member: Fields, row: Fields): boolean {
  return Object.entries(row).some(([name, value]) => member[name] !== undefined && !isAnswerTo(value, member[name]));
}
