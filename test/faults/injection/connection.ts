/** The connection between client and service: records every request, and injects faults. */

import type { FetchInit, HttpResponse } from "../../../src/core/fetch.ts";
import type { RawFault } from "../raw/raw-fault.ts";
import type { Workspace } from "../stage/workspace.ts";
import type { Fault } from "./fault.ts";
import type { Timeline } from "./timeline.ts";

/** A fault and its first request, counted from 1 at the start of the run. */
export interface Injection {
  readonly fault: Fault;
  readonly request: number;
}

/** One request as the client sent it. */
export interface SentRequest {
  /** From 1. */
  readonly number: number;
  /** Milliseconds of virtual time. */
  readonly at: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string | null;
  readonly bearer: string;
  /** Name of the injected fault. */
  readonly fault?: string;
}

/** Carries requests over real sockets. */
export interface Carrier {
  /** Sends a request to `service`, with a fault on the way. */
  send(url: string, init: FetchInit, fault: RawFault | undefined, service: CarriedService): Promise<HttpResponse>;
}

/** The service as a carrier reaches it. */
export interface CarriedService {
  readonly timeline: Timeline;
  serve(url: string, init: Omit<FetchInit, "redirect" | "signal">): Promise<Response>;
}

/** Milliseconds of a request without a fault. */
const ROUND_TRIP = 5;
const PATIENCE = 30_000;

/** Observes requests, and can delay them. */
export interface RequestObserver {
  /** Called, and awaited, before the request is sent. */
  readonly leaving?: (sent: SentRequest) => Promise<void> | void;
  /** Called when the service has finished, even if the client gets no response. */
  readonly done?: (sent: SentRequest) => void;
}

/** A connection to a workspace. */
export class Connection {
  readonly sent: SentRequest[] = [];
  /** One-time tokens and secrets in responses. */
  readonly revealed: Set<string> = new Set();
  readonly #workspace: Workspace;
  readonly #timeline: Timeline;
  readonly #watcher: RequestObserver;
  readonly #carrier: Carrier | undefined;
  #injections: readonly Injection[] = [];
  #count = 0;

  constructor(workspace: Workspace, timeline: Timeline, watcher: RequestObserver = {}, carrier?: Carrier) {
    this.#workspace = workspace;
    this.#carrier = carrier;
    this.#timeline = timeline;
    this.#watcher = watcher;
  }

  /** Restarts the count of requests, with these faults. */
  inject(injections: readonly Injection[]): void {
    this.#injections = injections;
    this.#count = 0;
  }

  readonly fetch = async (url: string, init: FetchInit): Promise<HttpResponse> => {
    this.#count += 1;
    const injected = this.#injections.find(({ fault, request }) => {
      return this.#count >= request && this.#count < request + (fault.times ?? 1);
    });
    this.#timeline.tick(ROUND_TRIP);
    const { pathname, search } = new URL(url);
    const sent: SentRequest = {
      number: this.sent.length + 1,
      at: this.#timeline.now(),
      method: init.method,
      path: `${pathname}${search}`,
      body: init.body ?? null,
      bearer: init.headers.authorization ?? "",
      ...(injected === undefined ? {} : { fault: injected.fault.name }),
    };
    this.sent.push(sent);
    await this.#watcher.leaving?.(sent);
    if (this.#carrier === undefined) return this.#received(await this.#pass(injected?.fault, url, init, sent));
    const effect = injected?.fault.effect;
    const raw = effect !== undefined && "raw" in effect ? effect.raw : undefined;
    return this.#carrier.send(url, init, raw, {
      timeline: this.#timeline,
      serve: async (arrived, carried) => {
        const { pathname: way, search: query } = new URL(arrived);
        const request = { ...sent, method: carried.method, path: `${way}${query}` };
        return this.#received(await this.#deliver(arrived, carried, request));
      },
    });
  };

  #received(response: Response): Promise<Response> {
    // Servers send the time in every response.
    response.headers.set("date", this.#timeline.date().toUTCString());
    return this.#collectSecrets(response);
  }

  async #pass(fault: Fault | undefined, url: string, init: FetchInit, sent: SentRequest): Promise<Response> {
    const mishap = fault?.effect;
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
    if ("raw" in mishap) throw new Error(`the fault "${fault?.name}" needs a carrier`);
    if ("crossed" in mishap) return crossed(await this.#deliver(url, init, sent));
    this.#workspace.control.faults.add({ phase: mishap.at, action: mishap.action });
    return this.#deliver(url, init, sent);
  }

  async #deliver(
    url: string,
    { method, headers, body }: Omit<FetchInit, "redirect" | "signal">,
    sent: SentRequest,
  ): Promise<Response> {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    try {
      return await this.#workspace.fetch(request);
    } finally {
      this.#watcher.done?.(sent);
    }
  }

  /** Collects the secrets of a response before the client receives it. */
  async #collectSecrets(response: Response): Promise<Response> {
    if (response.status !== 201) return response;
    try {
      const text = await response.clone().text();
      for (const [, secret = ""] of text.matchAll(/"(?:token|secret)":"([^"]{20,})"/g)) this.revealed.add(secret);
    } catch {
      // The body breaks off for the client as well, so that no secret in it is used.
    }
    return response;
  }
}

function failed(code: string, syscall: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });
}

/** The response with the ids and names of another resource. */
async function crossed(response: Response): Promise<Response> {
  const text = await response.text();
  const changed = text
    .replace(/"(id|prefix)":"[^"]*"/g, '"$1":"00000000-0000-4000-8000-000000000000"')
    .replace(/"(slug|name)":"[^"]*"/g, '"$1":"somebody_else"');
  const bodyless = response.status === 204;
  return new Response(bodyless ? null : changed, { status: response.status, headers: response.headers });
}
