/**
 * The journal of a run, as the applier sees it: what is about to be sent is written down first, how it ended afterwards.
 * Where the journal lies, and how it is made durable, is not known here. A journal holds no secret.
 */

import type { Fields } from "../../core/json.ts";
import type { Operation } from "../../plan/plan.ts";
import type { Outcome } from "./outcome.ts";

/** Written and durable before the first byte of a write is sent. */
export interface Intent {
  /** The plan's own, or with the request of its fallback. */
  readonly operation: Operation;
  /** From 1; a second one follows only when the first was certainly not applied. */
  readonly attempt: number;
  /** SHA-256 of the exact bytes of the body; null where none is sent. */
  readonly body: string | null;
  /** What the check before the write found: the row as it was, or of a creation the rows that it is told from. Null without a check. */
  readonly before: readonly Fields[] | null;
  /** ISO 8601, UTC: the service's clock where the check's answer told it. */
  readonly at: string;
  /** The service told no time, so it is this machine's. */
  readonly ownClock?: true;
  /** Beside the plan: it ends a token that nobody has, or makes one instead. How the operation ended, its own intent tells. */
  readonly aside?: true;
}

/** How an operation ended, or what was learned of it later. */
export interface Settlement {
  /** The operation's id. */
  readonly operation: string;
  readonly status: Outcome["status"];
  /** The answer to a creation, without its token: what later operations insert. */
  readonly created?: Fields;
  /** Of a token that is in the sink now. */
  readonly prefix?: string;
  readonly approvalId?: string;
  /** Of a pending one: SHA-256 of the body that must be sent again. */
  readonly body?: string | null;
  readonly message?: string;
}

/** Where a run writes down what it does. */
export interface Journal {
  /** Resolves when the intent is durable. What it throws stops the run, and nothing is sent. */
  intend(intent: Intent): Promise<void>;
  /** Resolves when the settlement is written. What it throws stops the run. */
  settle(settlement: Settlement): Promise<void>;
}

/** For rehearsals, and where nobody has to find out later. */
export const unrecorded: Journal = {
  intend: () => Promise.resolve(),
  settle: () => Promise.resolve(),
};
