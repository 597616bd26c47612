/** Interfaces of a connection to the service: one that reads, one that can also ask for a dry run, one that writes. */

import type { Json } from "../../core/json.ts";
import type { Purpose } from "./purpose.ts";

/** One request below the base URL; `path` begins with `/api/v1` and is already encoded. */
export interface ApiRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Send the admin token, if there is one. */
  readonly admin?: boolean;
  /** Id of the approval that the service required when the same bytes were sent before. */
  readonly approval?: string;
  /** Category in the run's count of requests. Default: `other`. */
  readonly purpose?: Purpose;
}

/** A successful response. */
export interface ApiResponse {
  readonly status: number;
  /** Null for an empty body. */
  readonly body: Json;
  /** The service's clock, from the `Date` header. */
  readonly date?: Date;
}

/** A connection that can only read: the type that `plan` and `drift` get. */
export interface Reader {
  /** Scheme, host and port. */
  readonly host: string;
  /** Sends one GET. Throws if the response is an error, or none arrives. */
  get(ask: ApiRequest): Promise<ApiResponse>;
}

/** A hypothetical alert. */
export interface AlertSample {
  /** The name of an alert source; undefined for the workspace's rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A connection that can read and ask the service for a dry run of routing: the type that `test` gets. */
export interface Evaluator extends Reader {
  evaluate(sample: AlertSample): Promise<ApiResponse>;
}

/** A connection that can write. It repeats a write only if the retry table says that the request was certainly not applied. */
export interface Writer extends Reader {
  /**
   * Sends one write; a `null` body sends none. `recheck` runs before each retry and after a long wait for the rate limit. It
   * throws if a precondition no longer holds: meanwhile another resource may have taken the address.
   */
  send(
    method: "POST" | "PATCH" | "DELETE",
    ask: ApiRequest,
    body: Json,
    recheck?: () => Promise<void>,
  ): Promise<ApiResponse>;
}

/** Returns the reader with a purpose for every request. */
export function withPurpose(reader: Reader, purpose: Purpose): Reader {
  return { host: reader.host, get: (ask) => reader.get({ ...ask, purpose }) };
}
