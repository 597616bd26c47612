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

/** A plan to look for. */
export interface PlanSearch {
  readonly unit: string;
  /** The environment of the unit in the settings; empty for none. */
  readonly environment: string;
  /** The fingerprint of a proposal that somebody has read; undefined for the reviewed plan. */
  readonly proposal?: string;
}

/** The plan and the journals that an apply starts from. */
export interface FoundPlan {
  /** A saved plan; undefined if there is none. */
  readonly plan?: Uint8Array;
  /** Where the plan is from, or why there is none. */
  readonly origin: string;
  /** The journals of the last run, by path below `.incidentctl`. */
  readonly journal: ReadonlyMap<string, Uint8Array>;
}

/** A forge, for one run of a pipeline. */
export interface Forge {
  readonly run: PipelineRun;
  /** The revision that the change of this run began at; undefined if the forge does not say. */
  readonly base?: string;
  /** The comments on the change of this run, or a reason why none is written. */
  comments(): Promise<ForgeComments | string>;
  /** Undefined without a token. */
  readonly issues?: ForgeIssues;
  /** Undefined without a token. */
  readonly requests?: ForgeRequests;
  /** Undefined if plans are files of the caller. Throws {@link Stop} with exit code 5 if this run must not apply anything. */
  findPlan?(search: PlanSearch): Promise<FoundPlan>;
  /** Hands values to later steps. */
  output(values: Outputs): void;
  /** Shows an error or a warning outside the log. */
  annotate(level: "error" | "warning", text: string, title?: string): void;
}

/** An error that means: nothing was applied, and nothing will be. */
export function refusal(message: string): Stop {
  return new Stop(EXIT.stale, message);
}
