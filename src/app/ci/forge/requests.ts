/** Requests to the API of a forge: over https, with waits for its rate limits and retries of what cannot have been carried out. */

import type { Fetch, HttpResponse } from "../../../core/fetch.ts";
import type { Io } from "../../../core/io.ts";
import { parseUrl } from "../../../core/url.ts";
import { isLoopback } from "../../../service/http/credentials.ts";
import { openNetwork } from "../../../service/http/network.ts";

/** Items of a page. */
const PAGE = 100;
const MOST_PAGES = 50;
/** Seconds to wait for rate limits, in all. */
const LONGEST_WAIT = 300;
/** Seconds of a request. */
const TIMEOUT = 30;
const ATTEMPTS = 4;
/** Bytes of a response. */
const LARGEST = 256 * 1024 * 1024;

/** An error response of a forge. */
class ForgeError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "ForgeError";
    this.status = status;
  }
}

/** The API of a forge. */
export interface ForgeApi {
  /** The JSON of a response, which the caller knows the shape of. */
  ask<Shape>(method: string, path: string, body?: object): Promise<Shape>;
  /** All items of a list, page by page. `items` takes them from a response. */
  all<Item>(path: string, items?: (page: never) => readonly Item[]): Promise<readonly Item[]>;
  /** The bytes of a file; undefined if there is none. A redirect is followed once, without credentials. */
  download(path: string): Promise<Uint8Array | undefined>;
}

/** Connects to an API with these headers. */
export function connectApi(address: string, credentials: Readonly<Record<string, string>>, io: Io): ForgeApi {
  const url = parseUrl(address);
  if (url === undefined) throw new Error("the address of the forge's API is not a URL");
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  if (!isSafe) throw new Error(`${url.origin}: tokens are only sent over https`);
  const base = address.replace(/\/$/, "");
  let network: Promise<Fetch> | undefined;
  let waited = 0;

  async function send(method: string, path: string, body?: object): Promise<HttpResponse> {
    network ??= io.fetch === undefined ? openNetwork(io.env, TIMEOUT, base) : Promise.resolve(io.fetch);
    const transport = await network;
    const headers: Record<string, string> = { accept: "application/json", "user-agent": "incidentctl", ...credentials };
    if (body !== undefined) headers["content-type"] = "application/json";
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt += 1) {
      const signal = AbortSignal.timeout(TIMEOUT * 1000);
      const sent = transport(`${base}${path}`, { method, headers, ...text, redirect: "manual", signal });
      const response = await sent.catch((error: unknown) => error);
      let wait: number | undefined;
      if (!isResponse(response)) {
        wait = retryWait(method, attempt);
        if (wait === undefined) throw response;
      } else {
        if (response.status < 400) return response;
        const said = (await bytesOf(response)).toString("utf8");
        wait = limitWait(response, said) ?? (response.status >= 500 ? retryWait(method, attempt) : undefined);
        if (wait === undefined) {
          const { pathname } = new URL(`${base}${path}`);
          throw new ForgeError(response.status, `${method} ${pathname}: ${response.status} ${said.slice(0, 300)}`);
        }
      }
      await sleep(wait);
    }
  }

  /** Seconds until a rate limit ends, undefined if the response reports none. The forge has not carried out the request. */
  function limitWait({ status, headers }: HttpResponse, said: string): number | undefined {
    if (status !== 429 && status !== 403) return undefined;
    const isUsedUp = headers.get("x-ratelimit-remaining") === "0";
    const reset = isUsedUp ? Number(headers.get("x-ratelimit-reset")) - Date.now() / 1000 : undefined;
    // A secondary limit may come without a header.
    const usual = status === 429 || /secondary rate limit/i.test(said) ? 60 : Number.NaN;
    const wait = Math.max(1, Math.ceil(Number(headers.get("retry-after") ?? reset ?? usual)));
    if (Number.isNaN(wait) || waited + wait > LONGEST_WAIT) return undefined;
    waited += wait;
    return wait;
  }

  const ask = async <Shape>(method: string, path: string, body?: object): Promise<Shape> =>
    JSON.parse((await bytesOf(await send(method, path, body))).toString("utf8")) as Shape;

  return {
    ask,
    async all<Item>(path: string, items: (page: never) => readonly Item[] = (page) => page) {
      const list: Item[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const some = items(
          await ask<never>("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`),
        );
        list.push(...some);
        if (some.length < PAGE) return list;
      }
      throw new Error(`${path}: more than ${MOST_PAGES * PAGE} items`);
    },
    async download(path) {
      const response = await send("GET", path).catch((error: unknown) => {
        if (error instanceof ForgeError && [404, 410].includes(error.status)) return undefined;
        throw error;
      });
      if (response === undefined) return undefined;
      const target = response.headers.get("location");
      if (response.status < 300 || target === null) return bytesOf(response);
      return fetchFile(new URL(target, base), io);
    },
  };
}

/** A file at an address that the forge has signed: it needs no credentials, and gets none. */
async function fetchFile(url: URL, io: Io): Promise<Uint8Array> {
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  if (!isSafe) throw new Error(`${url.origin}: files are only downloaded over https`);
  const transport = io.fetch ?? (await openNetwork(io.env, TIMEOUT, url.origin));
  const signal = AbortSignal.timeout(TIMEOUT * 1000);
  const response = await transport(url.href, {
    ...{ method: "GET", headers: { "user-agent": "incidentctl" }, redirect: "manual", signal },
  });
  if (response.status !== 200) throw new Error(`${url.origin} responded to a download with ${response.status}`);
  return bytesOf(response);
}

async function bytesOf({ body }: HttpResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > LARGEST) throw new Error("a response of the forge is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isResponse(value: unknown): value is HttpResponse {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value;
}

/** Seconds before the next attempt, undefined if there is none. A request that may have created something is not repeated. */
function retryWait(method: string, attempt: number): number | undefined {
  return method === "POST" || attempt === ATTEMPTS ? undefined : 0.25 * 2 ** attempt;
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, seconds * 1000));
}
