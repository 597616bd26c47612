/** What can go wrong with one request, as data: each is tried at every request of every scenario. */

import type { FaultAction, FaultPhase } from "../../../src/emulator/control/faults.ts";

/** What happens to a request, and to what is answered. */
export type Mishap =
  /** At one of the emulator's six points. */
  | { readonly at: FaultPhase; readonly action: FaultAction }
  /** No connection; nothing arrives. */
  | { readonly unreachable: true }
  /** The client gives up waiting; the service has done it (`true`) or never got it. */
  | { readonly timeout: boolean }
  /** The connection breaks, and the service gets the request so many milliseconds later all the same. */
  | { readonly late: number }
  /** The answer to somebody else's request. */
  | { readonly crossed: true };

/** A fault that can be injected at any request. */
export interface Fault {
  readonly name: string;
  readonly mishap: Mishap;
  /** How many requests in a row it meets; 1 when left out. */
  readonly times?: number;
  /** It makes sense for writes only. */
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

/** Every fault. */
export const faults: readonly Fault[] = [
  // Nobody knows whether it was carried out: each with and without it.
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
  { name: "timeout, not done", mishap: { timeout: false } },
  { name: "timeout, done", mishap: { timeout: true } },
  { name: "reset, done 100 ms later", mishap: { late: 100 }, writes: true },
  { name: "reset, done 2 s later", mishap: { late: 2_000 }, writes: true },
  { name: "reset, done 10 s later", mishap: { late: 10_000 }, writes: true },
  // The answer is spoilt on its way.
  { name: "text/plain", mishap: { at: "after-commit", action: { type: "content_type" } } },
  { name: "empty body", mishap: { at: "after-commit", action: { type: "truncate", bytes: 0 } } },
  { name: "half a body", mishap: { at: "after-commit", action: { type: "truncate" } } },
  { name: "reset in the body", mishap: { at: "mid-response", action: reset } },
  { name: "closed in the body", mishap: { at: "mid-response", action: { type: "truncate", bytes: 1 } } },
  { name: "somebody else's answer", mishap: { crossed: true }, writes: true },
  // Certainly not carried out.
  { name: "unreachable", mishap: { unreachable: true } },
  { name: "429", mishap: { at: "before-read", action: status(429, { "retry-after": "7" }) } },
  { name: "429 without a time", mishap: { at: "before-read", action: status(429) } },
  { name: "429 page", mishap: { at: "before-read", action: { type: "html", status: 429 } } },
  { name: "401", mishap: { at: "before-read", action: status(401) } },
  { name: "403", mishap: { at: "after-read", action: status(403) } },
  { name: "404", mishap: { at: "before-commit", action: status(404) } },
  { name: "409", mishap: { at: "before-commit", action: status(409) } },
  { name: "422", mishap: { at: "before-commit", action: status(422) } },
  {
    name: "202 to be approved",
    mishap: {
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
  // Longer than a moment.
  { name: "four 500s", mishap: { at: "before-commit", action: status(500) }, times: 4 },
  { name: "six resets", mishap: { at: "after-commit", action: reset }, times: 6 },
  { name: "four 429s", mishap: { at: "before-read", action: status(429, { "retry-after": "3" }) }, times: 4 },
  { name: "away for eight requests", mishap: { unreachable: true }, times: 8 },
  { name: "every answer lost", mishap: { at: "after-commit", action: reset }, times: 25 },
];

/** The fault of this name. Throws when there is none. */
export function faultNamed(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault "${name}"`);
  return found;
}

function ambiguous(name: string, action: FaultAction): readonly Fault[] {
  return [
    { name: `${name}, not done`, mishap: { at: "before-commit", action } },
    { name: `${name}, done`, mishap: { at: "after-commit", action } },
  ];
}
