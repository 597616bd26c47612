/** The request log: what was asked of the service, by whom, and how it ended; tokens and answers are not in it. */

import type { Fields } from "../../core/json.ts";
import type { PrincipalKind } from "../rooms/access/tokens.ts";

/** One request to /api/v1. */
export interface LoggedRequest {
  /** 1 for the first. */
  readonly number: number;
  readonly at: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Null when the request was refused, or broken, before it was read. */
  readonly body: Fields | null;
  /** Whom the token speaks for; null when it was not accepted. */
  readonly principal: { readonly kind: PrincipalKind; readonly id: string; readonly name: string } | null;
  /** The number of the change this request committed, over the whole log; null when it changed nothing. */
  readonly commit: number | null;
  /** What was answered; null when the connection was reset instead, or while the request is under way. */
  readonly status: number | null;
  readonly request_id: string | null;
  /** The ids of the faults that met it. */
  readonly faults: readonly string[];
}

const maximumEntries = 10_000;

/** The last ten thousand requests. */
export class RequestLog {
  readonly #entries = new Map<number, LoggedRequest>();
  #requests = 0;
  #commits = 0;

  /** Begins an entry and returns its number. */
  open(request: Pick<LoggedRequest, "at" | "method" | "path" | "faults">): number {
    this.#requests += 1;
    const number = this.#requests;
    const unknown = { body: null, principal: null, commit: null, status: null, request_id: null };
    this.#entries.set(number, { number, ...unknown, ...request });
    this.#entries.delete(number - maximumEntries);
    return number;
  }

  /** Adds to an entry what is known by now. */
  note(number: number, known: Partial<Omit<LoggedRequest, "number">>): void {
    const entry = this.#entries.get(number);
    if (entry !== undefined) this.#entries.set(number, { ...entry, ...known });
  }

  /** Notes that the request committed a change. */
  commit(number: number): void {
    this.#commits += 1;
    this.note(number, { commit: this.#commits });
  }

  /** The requests, the oldest first. */
  list(): readonly LoggedRequest[] {
    return [...this.#entries.values()];
  }

  /** Forgets every request; the numbers go on. */
  clear(): void {
    this.#entries.clear();
  }
}
