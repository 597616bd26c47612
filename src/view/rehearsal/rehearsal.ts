/** Result of a rehearsal: checks, findings and assumptions. */

import type { Fields } from "../../core/json.ts";
import type { Plan } from "../../plan/model/plan.ts";

/** Subject of a check. */
export type RehearsalSubject =
  /** The plan against the replica equals the plan against the live service. */
  | "replica"
  /** Every operation succeeds. */
  | "operations"
  /** The next plan is empty. */
  | "next-plan"
  /** Every sample alert has its old or its new outcome, never a third one. */
  | "routing"
  /** After a fault, planning and applying again reaches the same result without duplicates. */
  | "faults";

/** A failed check. */
export interface RehearsalFinding {
  readonly subject: RehearsalSubject;
  readonly message: string;
  /** Id of the operation that it is about. */
  readonly operation?: string;
  readonly address?: string;
  /** Faults that cause it. */
  readonly faults?: readonly string[];
}

/** An assumption of the rehearsal. */
export interface Assumption {
  readonly about: "dialect" | "unread" | "unreadable" | "differs" | "incidents" | "permissions" | "tokens" | "routing";
  readonly message: string;
}

/** A check of the rehearsal. */
export interface RehearsalCheck {
  readonly subject: RehearsalSubject;
  readonly held: boolean;
  /** Description of the check: `12 operations carried out`. */
  readonly did: string;
}

/** Outcome of the rule that matches an alert; null if no rule matches. */
export type SampleOutcome = Fields | null;

/** A sample alert and its outcomes. */
export interface SampleResult {
  readonly name: string;
  /** The name of the alert source; undefined for the workspace's rules. */
  readonly source?: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Undefined if the source does not exist. */
  readonly before: SampleOutcome | undefined;
  readonly after: SampleOutcome | undefined;
  /** Outcomes between the two that equal neither, each with the operation before it. */
  readonly others: readonly { readonly operation: string; readonly answer: SampleOutcome | undefined }[];
  /** The plan has an accepted routing window for this scope. */
  readonly exposed: boolean;
}

/** Numbers of runs with faults. */
export interface FaultRuns {
  /** Runs, each with one fault. */
  readonly runs: number;
  /** Runs that planning and applying again finished. */
  readonly recovered: number;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly plan: Plan;
  readonly looks: readonly RehearsalCheck[];
  readonly findings: readonly RehearsalFinding[];
  readonly assumptions: readonly Assumption[];
  readonly samples: readonly SampleResult[];
  /** Undefined without `--faults`. */
  readonly faults?: FaultRuns;
}

/** Whether all checks passed. */
export function hasPassed({ findings }: Pick<Rehearsal, "findings">): boolean {
  return findings.length === 0;
}
