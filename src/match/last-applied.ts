/** What is remembered of fields that the service does not return: what was declared of them at the last apply, as hashes. */

import { createHash } from "node:crypto";
import { canonical, type Json } from "../core/json.ts";

/** Hash of a declared value, or `UNDECLARED`, by address and field: `runbooks/failover#conditions`. */
export type Lock = Readonly<Record<string, string>>;

/** How fields that cannot be read are treated. */
export interface Memory {
  readonly lock: Lock;
  /** Send every one of them, whatever is remembered. */
  readonly resend: boolean;
  /** Tell those that the files leave out as well, so that it can be remembered that they were left out. */
  readonly noting?: true;
}

/** Remembered of a field that was left out at the last apply: whatever is declared of it later is a change. */
export const UNDECLARED = "undeclared";

/** Whether a declared value is to be sent although nobody can tell whether it differs; undefined when nothing is remembered. */
export function differsFromMemory(
  { lock, resend }: Memory,
  address: string,
  field: string,
  value: Json,
): boolean | undefined {
  if (resend) return true;
  const remembered = lock[`${address}#${field}`];
  return remembered === undefined ? undefined : remembered !== hash(value);
}

/** Whether the field was met as it was when it was first declared, and never sent: what is remembered of it is hope. */
export function isUnsent({ lock }: Memory, address: string, field: string, value: Json): boolean {
  return lock[`${address}#${field}${UNSENT}`] === hash(value);
}

/** Whether the service refused, at the last apply, to let go of what this declared list leaves out. */
export function wasRefused({ lock, resend }: Memory, address: string, field: string, value: Json): boolean {
  return !resend && lock[`${address}#${field}${REFUSED}`] === hash(value);
}

/** Whether the service refused, at the last apply, to delete this entry, which is not declared and cannot be disabled. */
export function isHeldBack({ lock, resend }: Memory, address: string): boolean {
  return !resend && lock[heldBack(address)] !== undefined;
}

/** What a refused deletion is remembered under. */
export function heldBack(address: string): string {
  return `${address}#${REFUSED}`;
}

/** Ends the name of a list whose shortening the service refused. */
export const REFUSED = "?refused";

/** Ends the name of a field that is remembered as declared and was never sent. */
export const UNSENT = "?unsent";

/** Ends the name of a field that an apply has set from the environment: as long as nothing else is declared, its live value is secret. */
export const CONCEALED = "?environment";

/** What is remembered of refusals alone. */
export function refusals(lock: Lock): Lock {
  return ending(lock, REFUSED);
}

/** What is remembered of values from the environment alone. */
export function concealments(lock: Lock): Lock {
  return ending(lock, CONCEALED);
}

/** Whether the live value of an entry's field may be one that an apply took from the environment. */
export function isConcealed(lock: Lock, address: string, field: string): boolean {
  return lock[`${address}#${field}${CONCEALED}`] !== undefined;
}

function ending(lock: Lock, end: string): Lock {
  return Object.fromEntries(Object.entries(lock).filter(([name]) => name.endsWith(end)));
}

/** The hash of a declared value. */
export function hash(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}
