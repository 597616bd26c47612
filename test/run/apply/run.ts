/** Runs hand-written operations through the applier against a service of a few lines. */

import type { Fields, Json } from "../../../src/core/json.ts";
import type { Operation, SealedPlan } from "../../../src/plan/model/plan.ts";
import { apply, type ExecuteOptions } from "../../../src/run/apply/apply.ts";
import type { ApplyEvent, ApplyResult } from "../../../src/run/journal/outcome.ts";
import type { IssuedToken, TokenSink } from "../../../src/run/tokens/sink.ts";
import { UnusableSink } from "../../../src/run/tokens/sink.ts";
import { connect } from "../../../src/service/http/client.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

/** What a request is answered with: a status, and a body where one is due; a thrown error is the network's. */
export type Answering = (asked: { line: string; body: Json }) => readonly [number, Json?];

/** An operation with what a test leaves out. */
export function operation(id: string, given: Partial<Operation> = {}): Operation {
  return {
    id,
    method: "PATCH",
    path: `/api/v1/levels/${id}`,
    query: {},
    body: given.method === "DELETE" ? null : { name: id },
    address: `levels/${id}`,
    depends_on: [],
    why: "a test",
    item: "level",
    ...given,
  };
}

/** Everything that a run did. */
export interface Ran {
  readonly result: ApplyResult;
  readonly events: readonly ApplyEvent[];
  /** Method, path, query and body of every request, in order. */
  readonly sent: readonly string[];
  readonly kept: readonly IssuedToken[];
  /** The outcomes, each as `id status`. */
  readonly told: readonly string[];
}

/** Applies the operations in order. */
export async function run(
  operations: readonly Operation[],
  answering: Answering,
  options: Partial<ExecuteOptions> & { readonly onEvent?: (event: ApplyEvent) => void } = {},
): Promise<Ran> {
  const sent: string[] = [];
  const kept: IssuedToken[] = [];
  const sink: TokenSink = { probe: async () => undefined, store: async (issued) => void kept.push(issued) };
  const writer = connect({
    baseUrl: "https://incidents.example.com",
    token: "ff_ordinary",
    adminToken: "ff_admin",
    clock: new VirtualClock(),
    requestsPerMinute: 900,
    timeoutSeconds: 5,
    fetch: async (input, { method, headers, body }) => {
      const { pathname, search } = new URL(input);
      const admin = headers.authorization === "Bearer ff_admin" ? " as admin" : "";
      const line = `${method} ${pathname.replace("/api/v1", "")}${search}${admin}`;
      sent.push(body === undefined ? line : `${line} ${body}`);
      const [status, answer] = answering({ line, body: body === undefined ? null : JSON.parse(body) });
      return answer === undefined ? new Response(null, { status }) : Response.json(answer, { status });
    },
  });
  const events: ApplyEvent[] = [];
  const running = apply(planOf(operations), writer, { keepGoing: false, sink, ...options });
  let step = await running.next();
  for (; step.done !== true; step = await running.next()) {
    events.push(step.value);
    options.onEvent?.(step.value);
  }
  const told = step.value.outcomes.map((outcome) => `${outcome.operation.id} ${outcome.status}`);
  return { result: step.value, events, sent, kept, told };
}

/** The interface's error object. */
export function error(message: string, type = "validation_error"): Fields {
  return { error: { type, message, request_id: "6f1c" } };
}

/** A sink that is full, or whatever else it says. */
export function brokenSink(at: "probe" | "keep"): TokenSink {
  const fail = async () => {
    throw new UnusableSink("the disk is full");
  };
  return { probe: at === "probe" ? fail : async () => undefined, store: fail };
}

function planOf(operations: readonly Operation[]): SealedPlan {
  return {
    format_version: 1,
    tool: { name: "incidentctl", version: "0" },
    target: { host: "https://incidents.example.com", workspace: null },
    summary: {
      create: 0,
      update: 0,
      move: 0,
      enable: 0,
      disable: 0,
      delete: 0,
      unchanged: 0,
      operations: operations.length,
      requests: operations.length,
    },
    changes: [],
    operations,
    derived: [],
    warnings: [],
    unreadable: [],
    blocked: [],
    seal: { created_at: "2031-05-01T10:00:00Z", configuration: "", live: "", fingerprint: "", hash: "" },
  };
}

/** Every request is answered as a service that is content would. */
export const fine: Answering = ({ line }) => (line.startsWith("DELETE") ? [204] : [200, { id: "1", slug: "a" }]);

/** Everything is fine, but for the requests that begin so. */
export function except(answers: Readonly<Record<string, readonly [number, object?] | "reset">>): Answering {
  return (asked) => {
    const found = Object.entries(answers).find(([start]) => asked.line.startsWith(start))?.[1];
    if (found === "reset") throw Object.assign(new TypeError("fetch failed"), { cause: coded("ECONNRESET") });
    return found === undefined ? fine(asked) : (found as readonly [number]);
  };
}

/** An error with a code, as sockets give it. */
export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}
