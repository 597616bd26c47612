/** Interference: every request passes by the log and the faults on its way to the application and back. */

import { setTimeout } from "node:timers/promises";
import type { Application } from "../application.ts";
import { ConnectionReset, endedBy } from "../ending.ts";
import { type Hooks, Interruption } from "../hooks.ts";
import type { Action, ActionType, Faults, Phase, SetFault } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";

const second = 1000;

/** What looks on and breaks in. */
export interface Interference {
  readonly now: () => Date;
  readonly log: RequestLog;
  readonly faults: Faults;
}

/** The application with every request logged and every fault injected. It rejects where a connection is reset. */
export function interfered(
  application: Application,
  { now, log, faults }: Interference,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const met = faults.meet(request.method, `${pathname}${search}`);
    const ids = met.map(({ id }) => id);
    const at = now().toISOString();
    const number = log.open({ at, method: request.method, path: `${pathname}${search}`, faults: ids });
    const course = new Course(met);
    const response = await course.run(() => application(request, hooksOf(course, request.method, log, number)));
    log.note(number, { status: response.status, request_id: response.headers.get("x-request-id") });
    return response;
  };
}

function hooksOf(course: Course, method: string, log: RequestLog, number: number): Hooks {
  return {
    async afterRead({ kind, id, name }, body) {
      log.note(number, { principal: { kind, id, name }, body });
      await course.pass("after-read");
      // A transaction cannot wait: the delay before its commit comes before its begin, which nobody can tell apart.
      await course.wait("before-commit");
    },
    beforeCommit: () => course.breakAt("before-commit"),
    committed: () => {
      if (method !== "GET") log.commit(number);
    },
  };
}

/** One request's way through the faults that meet it. */
class Course {
  readonly #met: readonly SetFault[];
  /** What ended the request, where something did. */
  #broken: Action | undefined;

  constructor(met: readonly SetFault[]) {
    this.#met = met;
  }

  /** Runs the application between the faults before it and after it. Rejects with ConnectionReset. */
  async run(application: () => Promise<Response>): Promise<Response> {
    try {
      await this.pass("before-read");
    } catch (error) {
      return this.#end(error);
    }
    const response = await application();
    if (this.#broken !== undefined) return replacement(this.#broken);
    try {
      await this.pass("after-commit", ["truncate", "content_type"]);
    } catch (error) {
      return this.#end(error);
    }
    const spoiled = await this.#spoil(response);
    return this.#transport(spoiled);
  }

  /** Waits for the delays of the phase, then breaks at it. */
  async pass(phase: Phase, harmless: readonly ActionType[] = []): Promise<void> {
    await this.wait(phase);
    this.breakAt(phase, harmless);
  }

  /** Waits for the delays of the phase. */
  async wait(phase: Phase): Promise<void> {
    for (const action of this.#actions(phase))
      if (action.type === "delay") await setTimeout(action.milliseconds ?? second);
  }

  /** Throws an Interruption when a fault of the phase ends the request. */
  breakAt(phase: Phase, harmless: readonly ActionType[] = []): void {
    this.#broken = this.#actions(phase).find(({ type }) => type !== "delay" && !harmless.includes(type));
    if (this.#broken !== undefined) throw new Interruption(`a fault at ${phase}`);
  }

  #actions(phase: Phase): readonly Action[] {
    return this.#met.filter((fault) => fault.phase === phase).map(({ action }) => action);
  }

  #end(error: unknown): Response {
    if (this.#broken === undefined) throw error;
    return replacement(this.#broken);
  }

  /** The answer after the commit, its body cut or misnamed. */
  async #spoil(response: Response): Promise<Response> {
    let spoiled = response;
    for (const action of this.#actions("after-commit")) {
      if (action.type === "truncate") spoiled = await shortened(spoiled, action.bytes);
      if (action.type === "content_type") spoiled = misnamed(spoiled, action.content_type ?? "text/plain");
    }
    return spoiled;
  }

  /** What happens to the answer on its way, and to its connection afterwards. */
  async #transport(response: Response): Promise<Response> {
    let sent = response;
    for (const action of this.#actions("mid-response")) {
      if (action.type === "delay") sent = await halting(sent, action.milliseconds ?? second);
      if (action.type === "reset") sent = await cut(sent, action.bytes, "reset");
      if (action.type === "truncate") sent = await cut(sent, action.bytes, "close");
    }
    if (this.#actions("after-response").length === 0) return sent;
    const whole = new Uint8Array(await sent.arrayBuffer());
    return endedBy(withBody(sent, whole), { sent: whole, connection: "reset" });
  }
}

/** What the client gets in place of an answer. Throws ConnectionReset where that is nothing. */
function replacement(action: Action): Response {
  if (action.type === "html") {
    const page = "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>";
    return new Response(page, {
      status: action.status ?? 502,
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  }
  if (action.type !== "status") throw new ConnectionReset();
  const headers = { "content-type": "application/json; charset=utf-8", ...action.headers };
  const status = action.status ?? 503;
  const isBodyless = status === 204 || status === 304;
  return new Response(isBodyless ? null : (action.body ?? "{}"), { status, headers });
}

async function shortened(response: Response, bytes: number | undefined): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  return withBody(response, whole.slice(0, bytes ?? Math.floor(whole.length / 2)));
}

function misnamed(response: Response, type: string): Response {
  const headers = new Headers(response.headers);
  headers.set("content-type", type);
  return new Response(response.body, { status: response.status, headers });
}

/** The first half of the body, a pause, the rest. */
async function halting(response: Response, milliseconds: number): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  const half = Math.floor(whole.length / 2);
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield whole.slice(0, half);
    await setTimeout(milliseconds);
    yield whole.slice(half);
  }
  return withBody(response, ReadableStream.from(parts()));
}

/** The beginning of the body, after which reading it fails; a connection is closed or reset there. */
async function cut(response: Response, bytes: number | undefined, connection: "close" | "reset"): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  const sent = whole.slice(0, bytes ?? Math.floor(whole.length / 2));
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield sent;
    throw new ConnectionReset();
  }
  const headers = new Headers(response.headers);
  headers.set("content-length", String(whole.length));
  const broken = new Response(ReadableStream.from(parts()), { status: response.status, headers });
  return endedBy(broken, { sent, connection });
}

function withBody(response: Response, body: Uint8Array<ArrayBuffer> | ReadableStream): Response {
  const isBodyless = response.status === 204;
  return new Response(isBodyless ? null : body, { status: response.status, headers: response.headers });
}
