/** Fault injection: logs every request to the application, and applies the faults that match it. */

import { setTimeout } from "node:timers/promises";
import type { Application } from "../application.ts";
import type { OutgoingResponse, RequestHandler } from "../http/exchange.ts";
import { ConnectionReset } from "../http/exchange.ts";
import { RequestAborted, type RequestHooks } from "../service/request-hooks.ts";
import type { ActiveFault, ActiveFaults, FaultAction, FaultActionType, FaultPhase } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";

const second = 1000;

/** The log and the faults. */
interface FaultInjectionOptions {
  readonly now: () => Date;
  readonly log: RequestLog;
  readonly faults: ActiveFaults;
}

/** The application with log and faults. It rejects if a fault resets the connection. */
export function withFaultInjection(
  application: Application,
  { now, log, faults }: FaultInjectionOptions,
): RequestHandler {
  return async (incoming) => {
    const { method, url } = incoming;
    const path = `${url.pathname}${url.search}`;
    const matching = faults.matchRequest(method, path);
    const ids = matching.map(({ id }) => id);
    const number = log.open({ at: now().toISOString(), method, path, faults: ids });
    const injector = new FaultInjector(matching);
    const response = await injector.run(() => application(incoming, createHooks(injector, method, log, number)));
    log.update(number, { status: response.status, request_id: response.headers["x-request-id"] ?? null });
    return response;
  };
}

function createHooks(injector: FaultInjector, method: string, log: RequestLog, number: number): RequestHooks {
  return {
    async afterRead({ kind, id, name }, body) {
      log.update(number, { principal: { kind, id, name }, body });
      await injector.applyPhase("after-read");
      // A transaction cannot wait, so a delay before the commit happens before the transaction, with the same effect
      // for the client.
      await injector.applyDelays("before-commit");
    },
    beforeCommit: () => injector.abortAt("before-commit"),
    afterCommit: () => {
      if (method !== "GET") log.recordCommit(number);
    },
  };
}

/** The faults of one request, applied phase by phase. */
class FaultInjector {
  readonly #faults: readonly ActiveFault[];
  /** The action that aborted the request, if any. */
  #abortedBy: FaultAction | undefined;

  constructor(faults: readonly ActiveFault[]) {
    this.#faults = faults;
  }

  /**
   * Runs the application between the faults before and after it. Rejects with ConnectionReset if a fault resets the
   * connection.
   */
  async run(application: () => Promise<OutgoingResponse>): Promise<OutgoingResponse> {
    try {
      await this.applyPhase("before-read");
    } catch (error) {
      return this.#replaceOrThrow(error);
    }
    const response = await application();
    if (this.#abortedBy !== undefined) return replacementResponse(this.#abortedBy);
    try {
      await this.applyPhase("after-commit", ["truncate", "content_type"]);
    } catch (error) {
      return this.#replaceOrThrow(error);
    }
    return this.#alterTransport(await this.#alterBody(response));
  }

  /** Applies the delays of the phase, then its other actions except the `harmless` ones. */
  async applyPhase(phase: FaultPhase, harmless: readonly FaultActionType[] = []): Promise<void> {
    await this.applyDelays(phase);
    this.abortAt(phase, harmless);
  }

  /** Applies the delays of the phase. */
  async applyDelays(phase: FaultPhase): Promise<void> {
    for (const action of this.#actions(phase))
      if (action.type === "delay") await setTimeout(action.milliseconds ?? second);
  }

  /** Throws a RequestAborted if a fault of the phase aborts the request. */
  abortAt(phase: FaultPhase, harmless: readonly FaultActionType[] = []): void {
    this.#abortedBy = this.#actions(phase).find(({ type }) => type !== "delay" && !harmless.includes(type));
    if (this.#abortedBy !== undefined) throw new RequestAborted(`a fault at ${phase}`);
  }

  #actions(phase: FaultPhase): readonly FaultAction[] {
    return this.#faults.filter((fault) => fault.phase === phase).map(({ action }) => action);
  }

  #replaceOrThrow(error: unknown): OutgoingResponse {
    if (this.#abortedBy === undefined) throw error;
    return replacementResponse(this.#abortedBy);
  }

  /** The response after the commit, with a truncated body or another content type. */
  async #alterBody(original: OutgoingResponse): Promise<OutgoingResponse> {
    let response = original;
    for (const action of this.#actions("after-commit")) {
      if (action.type === "truncate") response = await truncateBody(response, action.bytes);
      if (action.type === "content_type") response = withContentType(response, action.content_type ?? "text/plain");
    }
    return response;
  }

  /** The response with faults of its transport, and of its connection afterwards. */
  async #alterTransport(original: OutgoingResponse): Promise<OutgoingResponse> {
    let response = original;
    for (const action of this.#actions("mid-response")) {
      if (action.type === "delay") response = await withPause(response, action.milliseconds ?? second);
      if (action.type === "reset") response = await cutConnection(response, action.bytes, "reset");
      if (action.type === "truncate") response = await cutConnection(response, action.bytes, "close");
    }
    if (this.#actions("after-response").length === 0) return response;
    return { ...response, connectionEnd: { connection: "reset" } };
  }
}

/** The response in place of the service's. Throws ConnectionReset for a reset. */
function replacementResponse(action: FaultAction): OutgoingResponse {
  if (action.type === "html") {
    const page = "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>";
    return { status: action.status ?? 502, headers: { "content-type": "text/html; charset=utf-8" }, body: page };
  }
  if (action.type !== "status") throw new ConnectionReset();
  const customHeaders = Object.entries(action.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { "content-type": "application/json; charset=utf-8", ...Object.fromEntries(customHeaders) };
  const status = action.status ?? 503;
  const isBodyless = status === 204 || status === 304;
  return { status, headers, body: isBodyless ? null : (action.body ?? "{}") };
}

async function truncateBody(response: OutgoingResponse, bytes: number | undefined): Promise<OutgoingResponse> {
  const whole = await readBytes(response);
  return withBody(response, whole.slice(0, bytes ?? Math.floor(whole.length / 2)));
}

function withContentType(response: OutgoingResponse, type: string): OutgoingResponse {
  return { ...response, headers: { ...response.headers, "content-type": type } };
}

/** The response with a pause in the middle of its body. */
async function withPause(response: OutgoingResponse, milliseconds: number): Promise<OutgoingResponse> {
  const whole = await readBytes(response);
  const half = Math.floor(whole.length / 2);
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield whole.slice(0, half);
    await setTimeout(milliseconds);
    yield whole.slice(half);
  }
  return withBody(response, parts());
}

/**
 * The response up to the middle of its body, where the connection is closed or reset; without a body, after the
 * headers. In process, reading the body fails there.
 */
async function cutConnection(
  response: OutgoingResponse,
  bytes: number | undefined,
  connection: "close" | "reset",
): Promise<OutgoingResponse> {
  if (response.body === null) return { ...response, connectionEnd: { connection } };
  const whole = await readBytes(response);
  const part = whole.slice(0, bytes ?? Math.floor(whole.length / 2));
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield part;
    throw new ConnectionReset();
  }
  const headers = { ...response.headers, "content-length": String(whole.length) };
  return { status: response.status, headers, body: parts(), connectionEnd: { bodyPart: part, connection } };
}

function withBody(response: OutgoingResponse, body: OutgoingResponse["body"]): OutgoingResponse {
  return { ...response, body: response.status === 204 ? null : body };
}

/** The whole body. */
async function readBytes({ body }: OutgoingResponse): Promise<Uint8Array> {
  if (body === null || typeof body === "string") return new TextEncoder().encode(body ?? "");
  if (body instanceof Uint8Array) return body;
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
