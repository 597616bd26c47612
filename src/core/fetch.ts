/** The seam of the network: everything above it sees a function named `fetch`. */

/** What is told to `fetch` about a request. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** The global `fetch`, the embedded service's own, or one that gives no more of a response than is read of it. */
export type Fetch = (input: string, init: FetchInit) => Promise<HttpResponse>;

/** What is read of a `Response`. */
export interface HttpResponse {
  readonly status: number;
  /** Where it came from; empty when it was made in this process. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Null where there can be none. */
  readonly body: HttpBody | null;
}

/** Headers by their names in lower case; of those that came several times the values stand behind one another. */
export interface HttpHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** The bytes of a body, unpacked, as they come. */
export interface HttpBody extends AsyncIterable<Uint8Array> {
  /** Nobody will read it. */
  cancel(): Promise<void>;
}

/** The connection did not come about, for the reason that is its cause: nothing was sent. */
export class NotConnected extends Error {
  constructor(cause: Error) {
    super("the connection did not come about", { cause });
    this.name = "NotConnected";
  }
}
