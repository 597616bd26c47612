/** Faults: what goes wrong with which request, at which of its six points. */

import { randomUUID } from "node:crypto";

/** The points of a request, in their order. */
export type Phase = (typeof phases)[number];

/** The six points. */
export const phases = [
  "before-read",
  "after-read",
  "before-commit",
  "after-commit",
  "mid-response",
  "after-response",
] as const;

/** What can go wrong. */
export type ActionType = (typeof actionTypes)[number];

/** Every sort of action. */
export const actionTypes = ["status", "html", "reset", "delay", "truncate", "content_type"] as const;

/** What goes wrong: an answer of another status, a web page, a reset, a pause, a body that is cut short or misnamed. */
export interface Action {
  readonly type: ActionType;
  /** The status of `status` (503 by default) and of `html` (502 by default, as a proxy in between answers). */
  readonly status?: number;
  /** Further headers of `status`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of `status`; an empty object by default. */
  readonly body?: string;
  /** The length of `delay`; a second by default. */
  readonly milliseconds?: number;
  /** How many bytes `truncate` and a reset in the middle leave of the body; half of it by default. */
  readonly bytes?: number;
  /** What `content_type` calls the body; text/plain by default. */
  readonly content_type?: string;
}

/** Which requests a fault meets. */
export interface Match {
  /** Any method when absent. */
  readonly method?: string;
  /** The path with its query below the host, `*` standing for any characters; any path when absent. */
  readonly path?: string;
  /** The how manieth matching request is the first to be met, 1 by default. */
  readonly nth?: number;
  /** How many matching requests are met from there on, 1 by default; 0 means all. */
  readonly times?: number;
}

/** A fault to be injected. */
export interface Fault extends Match {
  readonly phase: Phase;
  readonly action: Action;
}

/** A fault that is set, and how often it has met a request. */
export interface SetFault extends Fault {
  readonly id: string;
  readonly seen: number;
  readonly met: number;
}

/** What can go wrong where: before the commit there is no answer to spoil, in the middle of it only its transport. */
const actionsAt: { readonly [At in Phase]: readonly ActionType[] } = {
  "before-read": ["status", "html", "reset", "delay"],
  "after-read": ["status", "html", "reset", "delay"],
  "before-commit": ["status", "html", "reset", "delay"],
  "after-commit": ["status", "html", "reset", "delay", "truncate", "content_type"],
  "mid-response": ["reset", "delay", "truncate"],
  "after-response": ["reset"],
};

/** The faults that are set. */
export class Faults {
  #set: SetFault[] = [];

  /** Sets a fault and returns its id. Throws for an action that its phase does not have. */
  add(fault: Fault): string {
    const known = actionsAt[fault.phase];
    if (!known.includes(fault.action.type)) {
      throw new Error(`${fault.phase} has no action "${fault.action.type}"; it has ${known.join(", ")}`);
    }
    const id = randomUUID();
    this.#set.push({ ...fault, id, seen: 0, met: 0 });
    return id;
  }

  /** Takes one fault back, or all of them. */
  clear(id?: string): void {
    this.#set = id === undefined ? [] : this.#set.filter((fault) => fault.id !== id);
  }

  /** The faults that are set, in the order in which they were. */
  list(): readonly SetFault[] {
    return [...this.#set];
  }

  /** Counts a request and returns the faults that meet it. */
  meet(method: string, address: string): readonly SetFault[] {
    const met: SetFault[] = [];
    this.#set = this.#set.map((fault) => {
      if (!matches(fault, method, address)) return fault;
      const { nth = 1, times = 1 } = fault;
      const seen = fault.seen + 1;
      const isMet = seen >= nth && (times === 0 || seen < nth + times);
      const counted = { ...fault, seen, met: fault.met + (isMet ? 1 : 0) };
      if (isMet) met.push(counted);
      return counted;
    });
    return met;
  }
}

function matches({ method, path }: Match, actual: string, address: string): boolean {
  if (method !== undefined && method.toUpperCase() !== actual) return false;
  return path === undefined || pattern(path).test(address);
}

/** The path with or without its query, literally but for the stars. */
function pattern(path: string): RegExp {
  const literal = path.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}(\\?.*)?$`);
}
