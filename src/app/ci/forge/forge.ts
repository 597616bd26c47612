/** A forge, such as GitHub, as the commands of a pipeline use it. */

import { EXIT, Stop } from "../../../core/exit-codes.ts";
import type { Outputs } from "../../../view/pipeline/outputs.ts";
import type { PipelineRun } from "../../../view/pipeline/reports.ts";

/** A comment of the pipeline's own account. */
export interface ForgeComment {
  readonly id: number;
  readonly body: string;
}

/** The comments on a change. */
export interface ForgeComments {
  own(): Promise<readonly ForgeComment[]>;
  add(body: string): Promise<void>;
  rewrite(comment: ForgeComment, body: string): Promise<void>;
}

/** An open issue of the pipeline's own account. */
export interface ForgeIssue {
  readonly number: number;
  readonly body: string;
  /** The address of its page. */
  readonly page: string;
}

/** The issues about drift. */
export interface ForgeIssues {
  open(): Promise<readonly ForgeIssue[]>;
  create(title: string, body: string): Promise<ForgeIssue>;
  update(issue: ForgeIssue, body: string): Promise<void>;
  say(issue: ForgeIssue, text: string): Promise<void>;
  close(issue: ForgeIssue): Promise<void>;
}

/** The requests that propose pulled files, each found by its branch. */
export interface ForgeRequests {
  /** The repository for git, and its login: `NAME:TOKEN`. */
  readonly remote: string;
  readonly login: string;
  /** A sentence about what the forge does not do by itself; empty if it does all. */
  readonly note: string;
  /** The number of the open request of a branch. */
  find(branch: string): Promise<number | undefined>;
  open(branch: string, title: string, body: string): Promise<void>;
  update(number: number, body: string): Promise<void>;
  close(number: number): Promise<void>;
}

/** A unit whose plan is to be applied. */
export interface PlanSearch {
  readonly unit: string;
  /** The environment of the unit in the settings; empty for none. */
  readonly environment: string;
  /** The fingerprint of a proposal that somebody has read; undefined for reviewed plans. */
  readonly proposal?: string;
}

/** A plan, or why there is none. */
export interface FoundPlan {
  /** A saved plan. */
  readonly plan?: Uint8Array;
  /** Where the plan is from, or why there is none. */
  readonly origin: string;
  /** The commit is the merge of a reviewed change, so that the next one begins here. */
  readonly isMerge: boolean;
}

/** The plans that a forge keeps. */
export interface ForgePlans {
  /** Throws {@link Stop} with exit code 5 if this run must not apply anything. `isOfUnit` tells files of the unit from others. */
  permit(search: PlanSearch, isOfUnit: (path: string) => boolean): Promise<void>;
  /**
   * The newest commit of an earlier run that came to its end, for a unit that no run has left a record of: whatever was merged since has
   * had no run. The first parent of the oldest other one, as `COMMIT^`, if none has; undefined if the run before this one has.
   */
  unstarted?(): Promise<string | undefined>;
  /** The journals of the last run, by path below `.incidentctl`. */
  journal(unit: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The plan that was approved for the change that was merged with this commit. */
  reviewed(unit: string, commit: string): Promise<FoundPlan>;
  /** The proposal with this fingerprint. */
  proposed(unit: string, fingerprint: string): Promise<FoundPlan>;
  /** Why the newest plan of the change of this run is not the approved one; undefined if it is, or if nobody has approved one. */
  problem(unit: string): Promise<string | undefined>;
}

/** A forge, for one run of a pipeline. */
export interface Forge {
  readonly run: PipelineRun;
  /** The revision that the change of this run began at; undefined if the forge does not say. */
  readonly base?: string;
  /** The commit that the branch was at before the commits of this run. */
  readonly before?: string;
  /** A person has started this run. */
  readonly isManual?: boolean;
  /** The comments on the change of this run, or a reason why none is written. */
  comments(): Promise<ForgeComments | string>;
  /** Undefined without a token. */
  readonly issues?: ForgeIssues;
  /** Undefined without a token. */
  readonly requests?: ForgeRequests;
  /** Undefined if plans are files of the caller. */
  readonly plans?: ForgePlans;
  /** Hands values to later steps. */
  output(values: Outputs): void;
  /** Shows an error or a warning outside the log. */
  annotate(level: "error" | "warning", text: string, title?: string): void;
}

/** The reason for which a plan is not the approved one. */
export const CHANGED_SINCE_APPROVAL = "the plan has changed since it was approved";

/** An error that means: nothing was applied, and nothing will be. */
export function refusal(message: string): Stop {
  return new Stop(EXIT.stale, message);
}

/** The result of a question; if the forge cannot answer it, nothing is applied. */
export async function answerOr<Answer>(question: Promise<Answer>, refused: string): Promise<Answer> {
  return question.catch((error: unknown) => {
    throw refusal(`${refused} (${error instanceof Error ? error.message : String(error)})`);
  });
}
