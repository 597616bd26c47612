/** What the service is to the rest of the program: something to read from and, for those who are given it, to write to. */

import type { Json } from "../../core/json.ts";
import type { Purpose } from "./purpose.ts";

/** One request below the base URL; `path` begins with `/api/v1` and is already encoded. */
export interface Ask {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Use the admin token where there is one. */
  readonly admin?: boolean;
  /** The approval that the service asked for when the same bytes were sent before. */
  readonly approval?: string;
  /** What it is for, in the account of the run; `other` when left out. */
  readonly purpose?: Purpose;
}

/** A successful answer. */
export interface Answer {
  readonly status: number;
  /** Null for an empty body. */
  readonly body: Json;
  /** The service's clock, from the `Date` header. */
  readonly date?: Date;
}

/** Can only read: the type that `plan` and `drift` are given. */
export interface Reader {
  /** Scheme, host and port. */
  readonly host: string;
  /** Sends one GET. Throws when the answer is an error, or none comes. */
  get(ask: Ask): Promise<Answer>;
}

/** A hypothetical alert. */
export interface Sample {
  /** The name of an alert source; undefined for the workspace's rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Can read, and ask what the live rules would do with an alert, which changes nothing: the type that `test` is given. */
export interface Evaluator extends Reader {
  evaluate(sample: Sample): Promise<Answer>;
}

/** Can write as well. One attempt, repeated only where the retry table says that the request was certainly not applied. */
export interface Writer extends Reader {
  /**
   * Null sends no body. `recheck` runs before each repetition, and when the rate limit has held the request back for a while;
   * it throws when what the request relies on no longer holds: an address may have come to mean another entry while waiting.
   */
  send(method: "POST" | "PATCH" | "DELETE", ask: Ask, body: Json, recheck?: () => Promise<void>): Promise<Answer>;
}

/** The same reader; whatever it reads is for this. */
export function readingFor(reader: Reader, purpose: Purpose): Reader {
  return { host: reader.host, get: (ask) => reader.get({ ...ask, purpose }) };
}
