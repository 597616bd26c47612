/** The line between the client and the service: every request passes here, is written down, and may come to harm. */

import type { FetchInit } from "../../../src/core/fetch.ts";
import type { Workspace } from "../stage/workspace.ts";
import type { Fault } from "./fault.ts";
import type { Timeline } from "./timeline.ts";

/** A fault at a place: the first request that it meets, from 1, counted from the start of the run. */
export interface Injection {
  readonly fault: Fault;
  readonly request: number;
}

/** One request as the client sent it. */
export interface Sent {
  /** From 1. */
  readonly number: number;
  /** Milliseconds of virtual time. */
  readonly at: number;
  readonly method: string;
  /** Below the host, with the query. */
  readonly path: string;
  readonly body: string | null;
  readonly bearer: string;
  /** The fault that met it. */
  readonly fault?: string;
}

/** What a request takes when nothing goes wrong. */
const ROUND_TRIP = 5;
const PATIENCE = 30_000;

/** Watches what passes; may stop it from passing. */
export interface Watcher {
  /** Before the request leaves. What it returns is waited for. */
  readonly leaving?: (sent: Sent) => Promise<void> | void;
  /** When the service is done with it, whatever the client hears of that. */
  readonly done?: (sent: Sent) => void;
}

/** A line to a workspace. */
export class Line {
  readonly sent: Sent[] = [];
  /** One-time tokens and secrets that the service gave out. */
  readonly revealed: Set<string> = new Set();
  readonly #workspace: Workspace;
  readonly #timeline: Timeline;
  readonly #watcher: Watcher;
  #injections: readonly Injection[] = [];
  #count = 0;

  constructor(workspace: Workspace, timeline: Timeline, watcher: Watcher = {}) {
    this.#workspace = workspace;
    this.#timeline = timeline;
    this.#watcher = watcher;
  }

  /** From now on requests are counted anew, and meet these faults. */
  inject(injections: readonly Injection[]): void {
    this.#injections = injections;
    this.#count = 0;
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<Response> => {
    this.#count += 1;
    const met = this.#injections.find(({ fault, request }) => {
      return this.#count >= request && this.#count < request + (fault.times ?? 1);
    });
    this.#timeline.tick(ROUND_TRIP);
    const { pathname, search } = new URL(url);
    const sent: Sent = {
      number: this.sent.length + 1,
      at: this.#timeline.now(),
      method: init.method,
      path: `${pathname}${search}`,
      body: init.body ?? null,
      bearer: init.headers.authorization ?? "",
      ...(met === undefined ? {} : { fault: met.fault.name }),
    };
    this.sent.push(sent);
    await this.#watcher.leaving?.(sent);
    const response = await this.#pass(met?.fault, url, init, sent);
    // As every server says what time it is.
    response.headers.set("date", this.#timeline.date().toUTCString());
    return this.#heard(response);
  };

  async #pass(fault: Fault | undefined, url: string, init: FetchInit, sent: Sent): Promise<Response> {
    const mishap = fault?.mishap;
    if (mishap === undefined) return this.#deliver(url, init, sent);
    if ("unreachable" in mishap) throw failed("ECONNREFUSED", "connect");
    if ("timeout" in mishap) {
      if (mishap.timeout) await this.#deliver(url, init, sent);
      this.#timeline.tick(PATIENCE);
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    }
    if ("late" in mishap) {
      this.#timeline.later(mishap.late, async () => void (await this.#deliver(url, init, sent)));
      throw failed("ECONNRESET", "read");
    }
    if ("crossed" in mishap) return crossed(await this.#deliver(url, init, sent));
    this.#workspace.control.faults.add({ phase: mishap.at, action: mishap.action });
    return this.#deliver(url, init, sent);
  }

  async #deliver(url: string, { method, headers, body }: FetchInit, sent: Sent): Promise<Response> {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    try {
      return await this.#workspace.fetch(request);
    } finally {
      this.#watcher.done?.(sent);
    }
  }

  /** Remembers what must not be told, before the client sees it. */
  async #heard(response: Response): Promise<Response> {
    if (response.status !== 201) return response;
    try {
      const text = await response.clone().text();
      for (const [, secret = ""] of text.matchAll(/"(?:token|secret)":"([^"]{20,})"/g)) this.revealed.add(secret);
    } catch {
      // The body breaks off for the client as well; whatever was in it, nobody has it.
    }
    return response;
  }
}

function failed(code: string, syscall: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });
}

/** The same shape, about another entry. */
async function crossed(response: Response): Promise<Response> {
  const text = await response.text();
  const changed = text
    .replace(/"(id|prefix)":"[^"]*"/g, '"$1":"00000000-0000-4000-8000-000000000000"')
    .replace(/"(slug|name)":"[^"]*"/g, '"$1":"somebody_else"');
  const bodyless = response.status === 204;
  return new Response(bodyless ? null : changed, { status: response.status, headers: response.headers });
}
