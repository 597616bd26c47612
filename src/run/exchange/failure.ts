/** Errors of an operation other than the service's. */

import type { Fields, Json } from "../../core/json.ts";
import { counted } from "../../core/value-text.ts";

/** Error for an operation that was certainly not carried out, or not as planned. */
export class ApplyError extends Error {}

/** Error for a resource that somebody changed, removed or created since the plan was made. Nothing was sent. */
export class NotAsPlanned extends ApplyError {
  /** Wire fields that changed, with their live values; undefined for a field that is gone. Empty if that is not the reason. */
  readonly changed: Readonly<Record<string, Json | undefined>>;

  constructor(address: string, what: string, changed: Readonly<Record<string, Json | undefined>> = {}) {
    super(`${address} no longer matches the plan: ${what}; plan again`);
    this.name = "NotAsPlanned";
    this.changed = changed;
  }
}

/** Error for an accepted update that left fields unchanged. */
export class IgnoredChange extends ApplyError {
  constructor(address: string, fields: readonly string[]) {
    super(`the service accepted the update of ${address}, but left ${fields.join(", ")} unchanged`);
    this.name = "IgnoredChange";
  }
}

/** Error for an accepted request about a token that has no effect. */
export class IgnoredRequest extends ApplyError {
  constructor(address: string, isRevocation: boolean) {
    const state = isRevocation ? "still lists the old token" : "does not list the new token";
    super(`the service accepted the request, but ${state} of ${address}`);
    this.name = "IgnoredRequest";
  }
}

/** Error for a token that is not ended, because the service does not list the one that takes its place. Nothing was sent. */
export class NoSuccessor extends ApplyError {
  constructor(address: string, prefix: string) {
    super(`the service does not list the new token ${prefix} of ${address}, so the old one stays`);
    this.name = "NoSuccessor";
  }
}

/** Error for a response about another resource than the request's. */
export class WrongResource extends Error {
  constructor(address: string) {
    super(`the response to the write of ${address} is about another resource`);
    this.name = "WrongResource";
  }
}

/** Error for a write whose response was lost, and whose outcome the live state does not show either. */
export class Unresolved extends Error {
  /** Identities of rows that the write may have made. */
  readonly candidates: readonly Fields[];

  constructor(address: string, cause: Error, why: string, candidates: readonly Fields[] = []) {
    const them = candidates.map((candidate) => JSON.stringify(candidate)).join(", ");
    super(`${cause.message}; it is unknown whether ${address} was written: ${why}${them === "" ? "" : `: ${them}`}`, {
      cause,
    });
    this.name = "Unresolved";
    this.candidates = candidates;
  }
}

/** Error for a precondition that could not be checked; nothing was sent. */
export class Unchecked extends ApplyError {
  override readonly cause: Error;

  constructor(address: string, cause: Error) {
    super(`${address} could not be checked before the write: ${cause.message}`);
    this.name = "Unchecked";
    this.cause = cause;
  }
}

/** Error for a missing value of an earlier create or of the environment; nothing was sent. */
export class MissingValue extends ApplyError {
  constructor(message: string) {
    super(message);
    this.name = "MissingValue";
  }
}

/** Error for a resource that the service created under another slug than the declared one. */
export class UnexpectedSlug extends ApplyError {
  readonly expected: string;
  readonly actual: string | undefined;

  constructor(address: string, expected: string, actual: string | undefined) {
    const got = actual === undefined ? "returned no slug" : `chose the slug "${actual}"`;
    const help = actual === undefined ? "" : `; write "slug: ${actual}" for it, or remove it`;
    super(`${address} was created, but the service ${got} instead of "${expected}"${help}`);
    this.name = "UnexpectedSlug";
    this.expected = expected;
    this.actual = actual;
  }
}

/** Error for a one-time token that was issued and not stored. The message contains its prefix at most. */
export class TokenNotStored extends ApplyError {
  /** The first twelve characters; undefined if the response had no token. */
  readonly prefix: string | undefined;
  /** The token was revoked; otherwise it works, and a later run must recover it. */
  readonly isRevoked: boolean;

  /** `then` says what happened to the token, or what a person must do. */
  constructor(address: string, prefix: string | undefined, why: string, then: string, ended = false) {
    const which = prefix === undefined ? "" : ` (prefix ${prefix})`;
    super(`the token of ${address}${which} could not be stored: ${why}; ${then}`);
    this.name = "TokenNotStored";
    this.prefix = prefix;
    this.isRevoked = ended;
  }
}

/** Error for a journal that cannot be written. Before the request, nothing was sent; after it, the outcome is not recorded. */
export class Unrecorded extends ApplyError {
  constructor(address: string, when: "before" | "after", cause: Error) {
    const what = when === "before" ? "was not sent" : "was carried out without a record";
    super(`the journal cannot be written, so ${address} ${what}: ${cause.message}`, { cause });
    this.name = "Unrecorded";
  }
}

/** Error for a write that was sent as often as allowed and, as the live state shows, not carried out. */
export class NotApplied extends ApplyError {
  constructor(address: string, cause: Error, attempts: number) {
    super(`${cause.message}; ${address} was not written, as reading it again shows (${counted(attempts, "attempt")})`, {
      cause,
    });
    this.name = "NotApplied";
  }
}

/** Error for a resource that another run created at the same time. This run removed its own, with its token; the other's stays. */
export class DuplicateRemoved extends ApplyError {
  constructor(address: string) {
    super(
      `somebody else created ${address} at the same time: theirs stays, and this run removed its own with its token`,
    );
    this.name = "DuplicateRemoved";
  }
}

/** Error for a row that this run appended to a list right after somebody else had appended one. This run removed its own again. */
export class AppendRemoved extends ApplyError {
  constructor(address: string) {
    super(
      `somebody else added to the list of ${address} at the same time: theirs stays, and this run removed its own again; plan again`,
    );
    this.name = "AppendRemoved";
  }
}

/** Error for an operation whose request is not the approved one any more; nothing was sent. */
export class ApprovalMismatch extends ApplyError {
  constructor(address: string, approval: string) {
    super(`the approval ${approval} is for another request than the one that ${address} needs now; plan again`);
    this.name = "ApprovalMismatch";
  }
}
