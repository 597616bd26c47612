/** What a rehearsal came to, as data: what was looked at, what was assumed, and everything that did not hold. */

import type { Fields } from "../core/json.ts";
import type { Plan } from "../plan/plan.ts";

/** What a rehearsal looks at. */
export type Subject =
  /** The plan made against the replica is the one made against the live service. */
  | "replica"
  /** Every operation is carried out. */
  | "operations"
  /** The next plan is empty. */
  | "next-plan"
  /** Every sample alert gets its old or its new answer, never a third one. */
  | "routing"
  /** With faults: planning and applying again gets there, and nothing is there twice. */
  | "faults";

/** Something that did not hold. */
export interface RehearsalFinding {
  readonly subject: Subject;
  readonly message: string;
  /** The operation of the plan that it is about. */
  readonly operation?: string;
  readonly address?: string;
  /** The faults that lead to it. */
  readonly faults?: readonly string[];
}

/** What the rehearsal took for granted. */
export interface Assumption {
  readonly about: "dialect" | "unread" | "unreadable" | "differs" | "incidents" | "permissions" | "tokens" | "routing";
  readonly message: string;
}

/** Something that was looked at. */
export interface Look {
  readonly subject: Subject;
  readonly held: boolean;
  /** What was done, in words: `12 operations carried out`. */
  readonly did: string;
}

/** Where an alert goes: the outcome of the rule that decides, null when none does. */
export type Answer = Fields | null;

/** A sample alert and its answers. */
export interface SampleResult {
  readonly name: string;
  /** The name of the alert source; undefined for the workspace's rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Undefined where the source does not exist. */
  readonly before: Answer | undefined;
  readonly after: Answer | undefined;
  /** Answers between the two that are neither, with the operation after which they were given. */
  readonly others: readonly { readonly operation: string; readonly answer: Answer | undefined }[];
  /** The plan names a window for this scope, and it was accepted. */
  readonly exposed: boolean;
}

/** How the runs with faults went. */
export interface FaultRuns {
  /** Runs, each with one fault. */
  readonly runs: number;
  /** Those that were finished by planning and applying again. */
  readonly recovered: number;
}

/** A whole rehearsal. */
export interface Rehearsal {
  readonly plan: Plan;
  readonly looks: readonly Look[];
  readonly findings: readonly RehearsalFinding[];
  readonly assumptions: readonly Assumption[];
  readonly samples: readonly SampleResult[];
  /** Undefined when no faults were asked for. */
  readonly faults?: FaultRuns;
}

/** Whether everything held. */
export function holds({ findings }: Pick<Rehearsal, "findings">): boolean {
  return findings.length === 0;
}
