/**
 * The journal of a run, as apply sees it: each write is recorded before it is sent, and its outcome afterwards. Where the journal is
 * stored, and how it is made durable, is up to `journal/`. A journal contains no secret.
 */

import type { Fields } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import type { Outcome, StoredFields } from "./outcome.ts";

/** Record of a write that is about to be sent: durable before the first byte leaves. */
export interface Intent {
  /** The plan's operation, or its fallback. */
  readonly operation: Operation;
  /** Number of the attempt, from 1; a second one follows only if the first was certainly not carried out. */
  readonly attempt: number;
  /** SHA-256 of the body without its secrets; null without a body. */
  readonly body: string | null;
  /** Rows that the check before the write read: the row itself, or for a create the other rows. Null without a check. */
  readonly before: readonly Fields[] | null;
  /** ISO 8601, UTC: by the service's clock, if its response to the check gave it. */
  readonly at: string;
  /** The service gave no time, so `at` is this machine's. */
  readonly ownClock?: true;
  /** The write is not in the plan: it revokes or replaces a lost token. The operation itself has an intent of its own. */
  readonly aside?: true;
}

/** Record of an operation's outcome, at its end or found out later. */
export interface Settlement {
  /** Id of the operation. */
  readonly operation: string;
  readonly status: Outcome["status"];
  /** Response to a create, without the token; later operations take values from it. */
  readonly created?: Fields | undefined;
  /** For an update: what the service stored otherwise than it was sent. */
  readonly stored?: StoredFields;
  /** The values of `stored`: later operations may need the new name. */
  readonly updated?: Fields;
  /** Prefix of a token that is in the sink. */
  readonly prefix?: string | undefined;
  readonly approvalId?: string;
  /** SHA-256 of the body, without its secrets, that must be sent again after the approval. */
  readonly body?: string | null;
  readonly message?: string | undefined;
  /** Id of the refused deletion that decided the outcome. */
  readonly after?: string;
}

/** The record that a run writes. */
export interface Journal {
  /** Resolves once the intent is durable. An error stops the run before the write is sent. */
  intend(intent: Intent): Promise<void>;
  /** Resolves once the settlement is written. An error stops the run. */
  settle(settlement: Settlement): Promise<void>;
}

/** The rows before a write without the fields that the precondition leaves out: their values may be secret. */
export function recordedRows({ operation, before }: Intent): Intent["before"] {
  const { guard } = operation;
  if (before === null || guard === undefined) return before;
  const names = new Set([...guard.identity, ...Object.keys(guard.held ?? {})]);
  return before.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))));
}

/** A journal that records nothing, for rehearsals and tests. */
export const noJournal: Journal = {
  intend: () => Promise.resolve(),
  settle: () => Promise.resolve(),
};
