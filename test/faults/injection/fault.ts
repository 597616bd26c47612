/** The faults of single requests, as data. Each is tried at every request of every scenario. */

import type { FaultAction, FaultPhase } from "../../../src/emulator/control/faults.ts";
import type { RawFault } from "../raw/raw-fault.ts";

/** Effect of a fault on a request and its response. */
export type FaultEffect =
  /** A fault at one of the emulator's six phases. */
  | { readonly at: FaultPhase; readonly action: FaultAction }
  /** The connection fails. */
  | { readonly unreachable: true }
  /** The client times out; the service has executed the request (`true`) or never received it. */
  | { readonly timeout: boolean }
  /** The connection breaks, and the service receives the request this many milliseconds later. */
  | { readonly late: number }
  /** The response to a different request. */
  | { readonly crossed: true }
  /** A hostile server on the way, which needs a carrier. */
  | { readonly raw: RawFault };

/** A fault that can be injected at any request. */
export interface Fault {
  readonly name: string;
  readonly effect: FaultEffect;
  /** Number of consecutive requests with the fault; 1 by default. */
  readonly times?: number;
  /** The fault applies to writes only. */
  readonly writes?: true;
}

function error(type: string): string {
  return JSON.stringify({ error: { type, message: "an injected fault", request_id: "req-injected" } });
}

function status(code: number, headers?: Readonly<Record<string, string>>): FaultAction {
  const body = error(code === 429 ? "rate_limited" : "injected");
  return { type: "status", status: code, body, ...(headers === undefined ? {} : { headers }) };
}

function shaped(body: string): FaultAction {
  return { type: "status", status: 200, body };
}

const reset: FaultAction = { type: "reset" };
const page: FaultAction = { type: "html", status: 200 };

export const faults: readonly Fault[] = [
  // The client cannot know whether the request was executed: each with and without execution.
  ...ambiguous("reset", reset),
  ...ambiguous("500", status(500)),
  ...ambiguous("502 page", { type: "html", status: 502 }),
  ...ambiguous("503", status(503, { "retry-after": "2" })),
  ...ambiguous("504", status(504)),
  ...ambiguous("408", status(408)),
  ...ambiguous("200 page", page),
  ...ambiguous("200 null", shaped("null")),
  ...ambiguous("200 list", shaped("[]")),
  ...ambiguous("200 nothing in it", shaped("{}")),
  ...ambiguous("204", { type: "status", status: 204 }),
  ...ambiguous("redirect", { type: "status", status: 307, headers: { location: "http://127.0.0.1:9/elsewhere" } }),
  ...ambiguous("303", { type: "status", status: 303, headers: { location: "/api/v1/severities" } }),
  ...ambiguous("599", status(599)),
  { name: "timeout, not done", effect: { timeout: false } },
  { name: "timeout, done", effect: { timeout: true } },
  { name: "reset, done 100 ms later", effect: { late: 100 }, writes: true },
  { name: "reset, done 2 s later", effect: { late: 2_000 }, writes: true },
  { name: "reset, done 10 s later", effect: { late: 10_000 }, writes: true },
  // The response is damaged.
  { name: "text/plain", effect: { at: "after-commit", action: { type: "content_type" } } },
  { name: "empty body", effect: { at: "after-commit", action: { type: "truncate", bytes: 0 } } },
  { name: "half a body", effect: { at: "after-commit", action: { type: "truncate" } } },
  { name: "reset in the body", effect: { at: "mid-response", action: reset } },
  { name: "closed in the body", effect: { at: "mid-response", action: { type: "truncate", bytes: 1 } } },
  { name: "the response to another request", effect: { crossed: true }, writes: true },
  // The request is certainly not executed.
  { name: "unreachable", effect: { unreachable: true } },
  { name: "429", effect: { at: "before-read", action: status(429, { "retry-after": "7" }) } },
  { name: "429 without a time", effect: { at: "before-read", action: status(429) } },
  { name: "429 page", effect: { at: "before-read", action: { type: "html", status: 429 } } },
  { name: "401", effect: { at: "before-read", action: status(401) } },
  { name: "403", effect: { at: "after-read", action: status(403) } },
  { name: "404", effect: { at: "before-commit", action: status(404) } },
  { name: "409", effect: { at: "before-commit", action: status(409) } },
  { name: "422", effect: { at: "before-commit", action: status(422) } },
  {
    name: "202 to be approved",
    effect: {
      at: "before-read",
      action: {
        type: "status",
        status: 202,
        body: JSON.stringify({
          error: { type: "approval_required", message: "somebody has to agree", request_id: "req-injected" },
          approval_id: "apr-1",
        }),
      },
    },
    writes: true,
  },
  // Faults of several requests.
  { name: "four 500s", effect: { at: "before-commit", action: status(500) }, times: 4 },
  { name: "six resets", effect: { at: "after-commit", action: reset }, times: 6 },
  { name: "four 429s", effect: { at: "before-read", action: status(429, { "retry-after": "3" }) }, times: 4 },
  { name: "away for eight requests", effect: { unreachable: true }, times: 8 },
  { name: "every response lost", effect: { at: "after-commit", action: reset }, times: 25 },
];

/** The fault with this name. Throws if there is none. */
export function faultNamed(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no fault "${name}"`);
  return fault;
}

function ambiguous(name: string, action: FaultAction): readonly Fault[] {
  return [
    { name: `${name}, not done`, effect: { at: "before-commit", action } },
    { name: `${name}, done`, effect: { at: "after-commit", action } },
  ];
}
