/** The type of `fetch` that the client gets: the network's, the emulator's, or a test's. */

/** Parameters of a request. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** A function like the global `fetch`, for the parameters and the parts of a response that the client uses. */
export type Fetch = (input: string, init: FetchInit) => Promise<HttpResponse>;

/** The parts of a `Response` that the client reads. */
export interface HttpResponse {
  readonly status: number;
  /** URL of the response; empty for one made in this process. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /** `default` for a `Response` that was constructed in this process and not received; absent if unknown. */
  readonly type?: string;
  /** Null if the response cannot have a body. */
  readonly body: HttpBody | null;
}

/** Whether a response was made in this process, by the embedded emulator or by a mock of a test, so that no connection can cut it. */
export function wasConstructed({ url, type }: HttpResponse): boolean {
  return url === "" || type === "default";
}

/** Headers by name in lower case. The values of a repeated header are joined with commas. */
export interface HttpHeaders {
  /** The value of a header; null if absent. */
  get(name: string): string | null;
  /** Whether a header is present. */
  has(name: string): boolean;
}

/** Bytes of a body, decompressed, in chunks. */
export interface HttpBody extends AsyncIterable<Uint8Array> {
  /** Discards the body. */
  cancel(): Promise<void>;
}

/** Error for a connection that failed before anything was sent; the reason is its `cause`. */
export class NotConnected extends Error {
  constructor(cause: Error) {
    super("the connection failed", { cause });
    this.name = "NotConnected";
  }
}
