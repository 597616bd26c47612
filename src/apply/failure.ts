/** What can go wrong with an operation besides the service's refusal. */

import type { Fields } from "../json.ts";

/** The entry is not what the plan was made from: somebody has changed it since. Nothing was sent. */
export class NotAsPlanned extends Error {
  readonly planned: Fields;

  constructor(address: string, planned: Fields) {
    super(`${address} is no longer what the plan was made from; plan again`);
    this.name = "NotAsPlanned";
    this.planned = planned;
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

/** A one-time token was issued and is in nobody's hands: it must be revoked. The message never holds more than its prefix. */
export class TokenNotKept extends Error {
  /** The first twelve characters; undefined when the answer held no token. */
  readonly prefix: string | undefined;

  constructor(address: string, prefix: string | undefined, why: string) {
    const which = prefix === undefined ? "" : ` (prefix ${prefix})`;
    super(
      `the token of ${address}${which} could not be kept: ${why}; the entry exists, revoke the token and make another`,
    );
    this.name = "TokenNotKept";
    this.prefix = prefix;
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
