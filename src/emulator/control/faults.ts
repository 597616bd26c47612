/** Faults: actions on matching requests, at one of six phases. */

import { randomUUID } from "node:crypto";

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

/** The type of an action. */
export type FaultActionType = (typeof faultActionTypes)[number];

/** Every type of action. */
export const faultActionTypes = ["status", "html", "reset", "delay", "truncate", "content_type"] as const;

/** The action of a fault: another status, a web page, a reset, a delay, a truncated body or another content type. */
export interface FaultAction {
  readonly type: FaultActionType;
  /** The status of `status` (503 by default) and of `html` (502 by default, as from a proxy). */
  readonly status?: number;
  /** Additional headers of `status`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of `status`; an empty object by default. */
  readonly body?: string;
  /** The duration of `delay`; one second by default. */
  readonly milliseconds?: number;
  /** The number of bytes of the body before `truncate` or a reset in mid-response; half of the body by default. */
  readonly bytes?: number;
  /** The content type of `content_type`; text/plain by default. */
  readonly content_type?: string;
}

/** A pattern of requests. */
export interface RequestPattern {
  /** The method; any if absent. */
  readonly method?: string;
  /** The path with its query, with `*` for any characters; any path if absent. */
  readonly path?: string;
  /** The number of the first matching request that the fault applies to; 1 by default. */
  readonly nth?: number;
  /** The number of matching requests from there on; 1 by default, 0 for all. */
  readonly times?: number;
}

/** A fault to inject. */
export interface Fault extends RequestPattern {
  readonly phase: FaultPhase;
  readonly action: FaultAction;
}

/** An active fault, with its counts of requests: `seen` matched the pattern, `met` were affected. */
export interface ActiveFault extends Fault {
  readonly id: string;
  readonly seen: number;
  readonly met: number;
}

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

/** The active faults. */
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

function matches({ method, path }: RequestPattern, actual: string, address: string): boolean {
  if (method !== undefined && method.toUpperCase() !== actual) return false;
  return path === undefined || pattern(path).test(address);
}

/** An expression for the path, with or without its query. Only `*` is special. */
function pattern(path: string): RegExp {
  const literal = path.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}(\\?.*)?$`);
}
