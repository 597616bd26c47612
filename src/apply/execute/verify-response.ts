/** What an answer to a write is held against before the operation counts as done. */

import type { Answer } from "../../api/http/connection.ts";
import { memberOf } from "../../api/read/envelope.ts";
import { equal, type Fields } from "../../core/json.ts";
import { fingerprint, type Operation } from "../../plan/plan.ts";
import { Secret } from "../tokens/secret.ts";
import { NotTaken, UnexpectedSlug, WrongEntry } from "./failure.ts";
import type { Filled } from "./request.ts";
import { tellsField, wiresOf } from "./response-match.ts";

/** The entry in an answer, and the one-time token beside it. */
export interface Received {
  readonly token: Secret | undefined;
  readonly member: Fields;
}

/** Takes an answer apart. */
export function receivedFrom({ item, reveals = "" }: Operation, answer: Answer): Received {
  const { [reveals]: token, ...member } = memberOf(answer.body, item);
  return { token: typeof token === "string" && token !== "" ? new Secret(token) : undefined, member };
}

/**
 * Throws {@link WrongEntry} when the answer is about another entry, or about none, {@link UnexpectedSlug} when a creation chose another
 * slug, and {@link NotTaken} when a change left a value as it was.
 */
export function readBack(
  operation: Operation,
  { body, guard }: Filled,
  member: Fields,
  before: readonly Fields[] | null,
): void {
  const { address, method } = operation;
  const sent = body ?? {};
  const other = method === "POST" ? isStrange(member, sent) : isOther(member, guard?.row ?? {});
  if (other || Object.keys(member).length === 0) throw new WrongEntry(address);
  expectSlug(operation, member);
  const [picture] = before ?? [];
  if (method !== "PATCH" || guard?.row === undefined || picture === undefined) return;
  const left = Object.entries(sent).flatMap(([field, value]) => {
    const wires = wiresOf(field, guard).filter((wire) => member[wire] !== undefined && picture[wire] !== undefined);
    const same = wires.length > 0 && wires.every((wire) => equal(picture[wire] ?? null, printOf(member, wire)));
    return same && !tellsField(member, field, value, guard) ? [field] : [];
  });
  if (left.length > 0) throw new NotTaken(address, left);
}

/** Throws {@link UnexpectedSlug} when the entry has another slug than the one declared. */
export function expectSlug({ address, expects }: Operation, { slug }: Fields): void {
  if (expects === undefined || slug === expects.slug) return;
  throw new UnexpectedSlug(address, expects.slug, typeof slug === "string" ? slug : undefined);
}

/** Nothing that was said of a new entry is said of this one. */
function isStrange(member: Fields, sent: Fields): boolean {
  const texts = Object.entries(sent).filter(
    ([field, value]) => typeof value === "string" && value !== "" && typeof member[field] === "string",
  );
  return texts.length > 0 && !texts.some(([field, value]) => tellsField(member, field, value, {}));
}

function isOther(member: Fields, row: Fields): boolean {
  return Object.entries(row).some(([name, value]) => member[name] !== undefined && !equal(member[name], value));
}

function printOf(row: Fields, wire: string): string | null {
  return row[wire] === undefined ? null : fingerprint(row[wire]);
}
