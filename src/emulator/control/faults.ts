/** Faults: actions on matching requests, at one of six phases. */

import { randomUUID } from "node:crypto";
import type { SchemaValue } from "../http/value-schema.ts";

/** A phase of a request. */
export type FaultPhase = (typeof faultPhases)[number];

/** The six phases, in order. */
export const faultPhases = [
  "before-read",
  "after-read",
  "before-commit",
  "after-commit",
  "mid-response",
  "after-response",
] as const;

export type FaultActionType = (typeof faultActionTypes)[number];

export const faultActionTypes = ["status", "html", "reset", "delay", "truncate", "content_type"] as const;

/** The schema of a fault in requests. */
export const faultSchema = {
  type: "object",
  required: ["phase", "action"],
  properties: {
    method: { type: "string", description: "Any method if absent." },
    path: { type: "string", description: "Any path if absent. With /api/v1; * stands for any characters." },
    nth: { type: "integer", minimum: 1, description: "The first matching request that it applies to; 1 if absent." },
    times: {
      type: "integer",
      minimum: 0,
      description: "The number of requests from the nth on; 1 if absent, 0 for all.",
    },
    phase: {
      type: "string",
      enum: faultPhases as typeof faultPhases,
      description: "The state of the request when the action happens.",
    },
    action: {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string", enum: faultActionTypes as typeof faultActionTypes },
        status: { type: "integer", minimum: 200, maximum: 599, description: "Of status (503) and html (502)." },
        headers: { type: "object", description: "Of status: additional headers." },
        body: { type: "string", description: "Of status: the body; an empty object if absent." },
        milliseconds: { type: "number", minimum: 0, maximum: 600_000, description: "Of delay; 1000 if absent." },
        bytes: {
          type: "integer",
          minimum: 0,
          description: "Of truncate, and of reset in mid-response: the part of the body that is sent; half if absent.",
        },
        content_type: { type: "string", description: "Of content_type; text/plain if absent." },
      },
    },
  },
} as const;

type SentFault = SchemaValue<typeof faultSchema>;

/** The action of a fault: another status, a web page, a reset, a delay, a truncated body or another content type. */
export type FaultAction = Omit<SentFault["action"], "headers"> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** A fault to inject. */
export type Fault = Omit<SentFault, "action"> & { readonly action: FaultAction };

/** An active fault, with its counts of requests: `seen` matched the pattern, `met` were affected. */
export type ActiveFault = Fault & { readonly id: string; readonly seen: number; readonly met: number };

/**
 * The possible actions of each phase. Before the commit there is no response to change, and in mid-response only its
 * transport.
 */
const actionsAt: { readonly [At in FaultPhase]: readonly FaultActionType[] } = {
  "before-read": ["status", "html", "reset", "delay"],
  "after-read": ["status", "html", "reset", "delay"],
  "before-commit": ["status", "html", "reset", "delay"],
  "after-commit": ["status", "html", "reset", "delay", "truncate", "content_type"],
  "mid-response": ["reset", "delay", "truncate"],
  "after-response": ["reset"],
};

export class ActiveFaults {
  #set: ActiveFault[] = [];

  /** Adds a fault and returns its id. Throws for an action that is not possible in its phase. */
  add(fault: Fault): string {
    const allowed = actionsAt[fault.phase];
    if (!allowed.includes(fault.action.type)) {
      throw new Error(`${fault.phase} has no action "${fault.action.type}"; it has ${allowed.join(", ")}`);
    }
    const id = randomUUID();
    this.#set.push({ ...fault, id, seen: 0, met: 0 });
    return id;
  }

  /** Removes one fault, or all of them. */
  clear(id?: string): void {
    this.#set = id === undefined ? [] : this.#set.filter((fault) => fault.id !== id);
  }

  /** The active faults, in the order of their addition. */
  list(): readonly ActiveFault[] {
    return [...this.#set];
  }

  /** Counts a request, and returns the faults that apply to it. */
  matchRequest(method: string, address: string): readonly ActiveFault[] {
    const affecting: ActiveFault[] = [];
    this.#set = this.#set.map((fault) => {
      if (!matches(fault, method, address)) return fault;
      const { nth = 1, times = 1 } = fault;
      const seen = fault.seen + 1;
      const isAffected = seen >= nth && (times === 0 || seen < nth + times);
      const counted = { ...fault, seen, met: fault.met + (isAffected ? 1 : 0) };
      if (isAffected) affecting.push(counted);
      return counted;
    });
    return affecting;
  }
}

function matches({ method, path }: Fault, actual: string, address: string): boolean {
  if (method !== undefined && method.toUpperCase() !== actual) return false;
  return path === undefined || pattern(path).test(address);
}

/** An expression for the path, with or without its query. Only `*` is special. */
function pattern(path: string): RegExp {
  const literal = path.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}(\\?.*)?$`);
}
