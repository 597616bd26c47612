/** Interference: every request passes by the log and the faults on its way to the application and back. */

import { setTimeout } from "node:timers/promises";
import type { Application } from "../application.ts";
import { ConnectionReset } from "../http/connection-end.ts";
import type { Handler, Reply } from "../http/exchange.ts";
import { type Hooks, Interruption } from "../request-hooks.ts";
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
export function interfered(application: Application, { now, log, faults }: Interference): Handler {
  return async (incoming) => {
    const { method, url } = incoming;
    const path = `${url.pathname}${url.search}`;
    const met = faults.meet(method, path);
    const ids = met.map(({ id }) => id);
    const number = log.open({ at: now().toISOString(), method, path, faults: ids });
    const course = new Course(met);
    const reply = await course.run(() => application(incoming, hooksOf(course, method, log, number)));
    log.note(number, { status: reply.status, request_id: reply.headers["x-request-id"] ?? null });
    return reply;
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
  async run(application: () => Promise<Reply>): Promise<Reply> {
    try {
      await this.pass("before-read");
    } catch (error) {
      return this.#end(error);
    }
    const reply = await application();
    if (this.#broken !== undefined) return replacement(this.#broken);
    try {
      await this.pass("after-commit", ["truncate", "content_type"]);
    } catch (error) {
      return this.#end(error);
    }
    const spoiled = await this.#spoil(reply);
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

  #end(error: unknown): Reply {
    if (this.#broken === undefined) throw error;
    return replacement(this.#broken);
  }

  /** The answer after the commit, its body cut or misnamed. */
  async #spoil(reply: Reply): Promise<Reply> {
    let spoiled = reply;
    for (const action of this.#actions("after-commit")) {
      if (action.type === "truncate") spoiled = await shortened(spoiled, action.bytes);
      if (action.type === "content_type") spoiled = misnamed(spoiled, action.content_type ?? "text/plain");
    }
    return spoiled;
  }

  /** What happens to the answer on its way, and to its connection afterwards. */
  async #transport(reply: Reply): Promise<Reply> {
    let sent = reply;
    for (const action of this.#actions("mid-response")) {
      if (action.type === "delay") sent = await halting(sent, action.milliseconds ?? second);
      if (action.type === "reset") sent = await cut(sent, action.bytes, "reset");
      if (action.type === "truncate") sent = await cut(sent, action.bytes, "close");
    }
    if (this.#actions("after-response").length === 0) return sent;
    return { ...sent, ending: { connection: "reset" } };
  }
}

/** What the client gets in place of an answer. Throws ConnectionReset where that is nothing. */
function replacement(action: Action): Reply {
  if (action.type === "html") {
    const page = "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>";
    return { status: action.status ?? 502, headers: { "content-type": "text/html; charset=utf-8" }, body: page };
  }
  if (action.type !== "status") throw new ConnectionReset();
  const given = Object.entries(action.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { "content-type": "application/json; charset=utf-8", ...Object.fromEntries(given) };
  const status = action.status ?? 503;
  const isBodyless = status === 204 || status === 304;
  return { status, headers, body: isBodyless ? null : (action.body ?? "{}") };
}

async function shortened(reply: Reply, bytes: number | undefined): Promise<Reply> {
  const whole = await bytesOf(reply);
  return withBody(reply, whole.slice(0, bytes ?? Math.floor(whole.length / 2)));
}

function misnamed(reply: Reply, type: string): Reply {
  return { ...reply, headers: { ...reply.headers, "content-type": type } };
}

/** The first half of the body, a pause, the rest. */
async function halting(reply: Reply, milliseconds: number): Promise<Reply> {
  const whole = await bytesOf(reply);
  const half = Math.floor(whole.length / 2);
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield whole.slice(0, half);
    await setTimeout(milliseconds);
    yield whole.slice(half);
  }
  return withBody(reply, parts());
}

/** The beginning of the body, after which reading it fails; a connection is closed or reset there. Without a body, after the headers. */
async function cut(reply: Reply, bytes: number | undefined, connection: "close" | "reset"): Promise<Reply> {
  if (reply.body === null) return { ...reply, ending: { connection } };
  const whole = await bytesOf(reply);
  const sent = whole.slice(0, bytes ?? Math.floor(whole.length / 2));
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield sent;
    throw new ConnectionReset();
  }
  const headers = { ...reply.headers, "content-length": String(whole.length) };
  return { status: reply.status, headers, body: parts(), ending: { sent, connection } };
}

function withBody(reply: Reply, body: Reply["body"]): Reply {
  return { ...reply, body: reply.status === 204 ? null : body };
}

/** The whole body. */
async function bytesOf({ body }: Reply): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null || typeof body === "string") return new TextEncoder().encode(body ?? "");
  if (body instanceof Uint8Array) return body;
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
