/** What can go wrong with an operation besides the service's refusal. */

import type { Fields } from "../../core/json.ts";

/** The entry is not what the plan was made from: somebody has changed, removed or made it since. Nothing was sent. */
export class NotAsPlanned extends Error {
  constructor(address: string, what: string) {
    super(`${address} is no longer what the plan was made from: ${what}; plan again`);
    this.name = "NotAsPlanned";
  }
}

/** The service took the request and did not do what it says. */
export class NotTaken extends Error {
  constructor(address: string, fields: readonly string[]) {
    super(`the service answered as if ${address} were changed, and left ${fields.join(", ")} as before`);
    this.name = "NotTaken";
  }
}

/** The answer speaks of another entry than the request. */
export class WrongEntry extends Error {
  constructor(address: string) {
    super(`the answer to the change of ${address} is about another entry`);
    this.name = "WrongEntry";
  }
}

/** A write whose answer was lost, and of which looking does not tell how it ended either. */
export class Unresolved extends Error {
  override readonly cause: Error;
  /** Identities of entries that may be the one. */
  readonly candidates: readonly Fields[];

  constructor(address: string, cause: Error, why: string, candidates: readonly Fields[] = []) {
    const them = candidates.map((candidate) => JSON.stringify(candidate)).join(", ");
    super(`${cause.message}; whether ${address} was written is not known: ${why}${them === "" ? "" : `: ${them}`}`);
    this.name = "Unresolved";
    this.cause = cause;
    this.candidates = candidates;
  }
}

/** The check before a write could not be made; nothing was sent. */
export class Unchecked extends Error {
  override readonly cause: Error;

  constructor(address: string, cause: Error) {
    super(`${address} could not be checked before it is changed: ${cause.message}`);
    this.name = "Unchecked";
    this.cause = cause;
  }
}

/** A value that an earlier creation or the environment should have given is not there; nothing was sent. */
export class MissingValue extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MissingValue";
  }
}

/** The service created the entry under another slug than the one declared: the entry exists, and is not the one meant. */
export class UnexpectedSlug extends Error {
  readonly expected: string;
  readonly actual: string | undefined;

  constructor(address: string, expected: string, actual: string | undefined) {
    const got = actual === undefined ? "told no slug" : `chose the slug "${actual}"`;
    const help = actual === undefined ? "" : `; write "slug: ${actual}" for it, or remove it`;
    super(`${address} was created, but the service ${got} instead of "${expected}"${help}`);
    this.name = "UnexpectedSlug";
    this.expected = expected;
    this.actual = actual;
  }
}

/** A one-time token was issued and is in nobody's hands. The message never holds more than its prefix. */
export class TokenNotKept extends Error {
  /** The first twelve characters; undefined when the answer held no token. */
  readonly prefix: string | undefined;
  /** It was ended; otherwise it works, and a later run has to look after it. */
  readonly ended: boolean;

  /** `then` says what became of it, or what a person has to do. */
  constructor(address: string, prefix: string | undefined, why: string, then: string, ended = false) {
    const which = prefix === undefined ? "" : ` (prefix ${prefix})`;
    super(`the token of ${address}${which} could not be kept: ${why}; ${then}`);
    this.name = "TokenNotKept";
    this.prefix = prefix;
    this.ended = ended;
  }
}

/** The journal could not be written: before the request nothing was sent, after it nobody knows how it ended but this error. */
export class Unrecorded extends Error {
  override readonly cause: Error;

  constructor(address: string, when: "before" | "after", cause: Error) {
    const what = when === "before" ? "was not sent" : "was carried out, and that is not written down";
    super(`the journal cannot be written, so ${address} ${what}: ${cause.message}`);
    this.name = "Unrecorded";
    this.cause = cause;
  }
}

/** A write that was sent, as often as it may be, and that looking shows was not carried out. */
export class NotApplied extends Error {
  override readonly cause: Error;

  constructor(address: string, cause: Error, attempts: number) {
    super(`${cause.message}; ${address} was not written, as reading it again shows (${attempts} attempts)`);
    this.name = "NotApplied";
    this.cause = cause;
  }
}

/** Somebody made the same entry at the same time. This run's was removed again, and its token with it; the other's stays. */
export class Forestalled extends Error {
  constructor(address: string) {
    super(
      `${address} was made by somebody else at the same time: that one stays, and this run's was removed with its token`,
    );
    this.name = "Forestalled";
  }
}

/** What waits for an approval would not be sent as it was approved; nothing was sent. */
export class NotApproved extends Error {
  constructor(address: string, approval: string) {
    super(`the approval ${approval} is for another request than the one that ${address} needs now; plan again`);
    this.name = "NotApproved";
  }
}

/** Whether it is one of these: certainly not written, or written and not as planned. */
export function isOurs(error: unknown): error is Error {
  return KINDS.some((kind) => error instanceof kind);
}

const KINDS = [
  NotAsPlanned,
  Unchecked,
  MissingValue,
  UnexpectedSlug,
  TokenNotKept,
  Unrecorded,
  NotTaken,
  NotApplied,
  NotApproved,
  Forestalled,
] as const;
