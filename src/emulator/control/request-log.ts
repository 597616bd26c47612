/** The request log: requests, principals and results, without tokens and response bodies. */

import type { Fields } from "../../core/json.ts";
import type { PrincipalKind } from "../service/permissions.ts";

/** One request to /api/v1. */
export interface LoggedRequest {
  /** Sequential, from 1. */
  readonly number: number;
  readonly at: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** Null if the request was rejected or aborted before its body was read. */
  readonly body: Fields | null;
  /** The token's principal; null if the token was not accepted. */
  readonly principal: { readonly kind: PrincipalKind; readonly id: string; readonly name: string } | null;
  /** The sequential number of the request's commit; null if it changed nothing. */
  readonly commit: number | null;
  /** The status of the response; null after a reset of the connection, and while the request is running. */
  readonly status: number | null;
  readonly request_id: string | null;
  /** The ids of the faults that applied to it. */
  readonly faults: readonly string[];
}

const maximumEntries = 10_000;

/** The last ten thousand requests. */
export class RequestLog {
  readonly #entries = new Map<number, LoggedRequest>();
  #requests = 0;
  #commits = 0;

  /** Adds a request and returns its number. */
  open(request: Pick<LoggedRequest, "at" | "method" | "path" | "faults">): number {
    this.#requests += 1;
    const number = this.#requests;
    const initial = { body: null, principal: null, commit: null, status: null, request_id: null };
    this.#entries.set(number, { number, ...initial, ...request });
    this.#entries.delete(number - maximumEntries);
    return number;
  }

  /** Changes the entry of a request. */
  update(number: number, changes: Partial<Omit<LoggedRequest, "number">>): void {
    const entry = this.#entries.get(number);
    if (entry !== undefined) this.#entries.set(number, { ...entry, ...changes });
  }

  /** Records that the request committed a change. */
  recordCommit(number: number): void {
    this.#commits += 1;
    this.update(number, { commit: this.#commits });
  }

  /** The requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return [...this.#entries.values()];
  }

  /** Removes all requests. The numbers continue. */
  clear(): void {
    this.#entries.clear();
  }
}
