/** The definitions of `ci` and of its commands. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ANY, ONLINE, WRITING } from "../command/exit-codes.ts";

const JOB_FLAGS = {
  "--unit <name>": { help: "unit of INCIDENTCTL_UNITS (default: INCIDENTCTL_UNIT, or the only one)" },
  "--reports <folder>": {
    help: "folder for reports, which must not exist (default: INCIDENTCTL_REPORTS, or reports)",
    completes: ["files"],
  },
} as const;

/** The flags of every job. */
export interface JobFlags {
  readonly unit?: string;
  readonly reports?: string;
}

const NOTE = `INCIDENTCTL_FLAGS has more flags for every command that it runs, INCIDENTCTL_UNITS the units of the
repository. docs/pipelines.md lists all variables.`;

export const ci: CommandDefinition = {
  name: "ci",
  summary: "what pipelines run: review, apply, drift, pull, notify",
  exitCodes: ANY,
  examples: ["incidentctl ci review"],
  page: "pipelines.md",
};

export const review: CommandDefinition<typeof JOB_FLAGS> = {
  name: "review",
  summary: "check and plan a change, rehearse the plan, and keep one comment with the result",
  flags: JOB_FLAGS,
  exitCodes: {
    ...ONLINE,
    3: "the plan is blocked, with --fail-on blocked in INCIDENTCTL_PLAN_FLAGS",
    7: "a routing test or a finding failed",
  },
  examples: ["incidentctl ci review"],
  note: NOTE,
  page: "pipelines.md",
};

const APPLY_FLAGS = {
  "--plan <file>": { help: "the reviewed plan (default: the one that the forge knows)", completes: ["files"] },
  "--fingerprint <hash>": { help: "apply the proposal with this fingerprint (INCIDENTCTL_FINGERPRINT)" },
} as const;

export const apply: CommandDefinition<typeof JOB_FLAGS & typeof APPLY_FLAGS> = {
  name: "apply",
  summary: "apply the reviewed plans of what was merged, and propose what is left of it",
  flags: { ...JOB_FLAGS, ...APPLY_FLAGS },
  exitCodes: { ...WRITING, 5: "there are changes that nobody has reviewed; they were not applied" },
  examples: ["incidentctl ci apply", "incidentctl ci apply --plan change.plan"],
  note: NOTE,
  page: "pipelines.md",
};

export const drift: CommandDefinition<typeof JOB_FLAGS> = {
  name: "drift",
  summary: "keep an issue while there is drift, the check fails, or an acceptance is about to end",
  flags: JOB_FLAGS,
  exitCodes: { ...ONLINE, 2: "there is drift, and no issue tells of it" },
  examples: ["incidentctl ci drift"],
  note: NOTE,
  page: "pipelines.md",
};

export const pull: CommandDefinition<typeof JOB_FLAGS> = {
  name: "pull",
  summary: "keep one request with what people changed by hand",
  flags: JOB_FLAGS,
  exitCodes: { ...ONLINE, 7: "some values were not pulled; the request has the others" },
  examples: ["incidentctl ci pull"],
  note: NOTE,
  page: "pipelines.md",
};

const NOTIFY_ARGUMENTS = {
  "<command>": { help: "command whose reports to tell: review or apply", completes: [["review", "apply"]] },
  "[reports]": { help: "folder with the reports of its jobs (default: reports)", completes: ["files"] },
} as const;

export const notify: CommandDefinition<Record<never, never>, typeof NOTIFY_ARGUMENTS> = {
  name: "notify",
  summary: "write the comment about jobs that have no token for the forge",
  arguments: NOTIFY_ARGUMENTS,
  exitCodes: { ...ANY, 1: "the reports cannot be read", 5: "a plan has changed since it was approved" },
  examples: ["incidentctl ci notify review reports"],
  page: "pipelines.md",
};

/** The options of `ci review`. */
export type CiReviewOptions = OptionsFor<typeof review>;
/** The options of `ci apply`. */
export type CiApplyOptions = OptionsFor<typeof apply>;
/** The options of `ci drift`. */
export type CiDriftOptions = OptionsFor<typeof drift>;
/** The options of `ci pull`. */
export type CiPullOptions = OptionsFor<typeof pull>;
/** The options of `ci notify`. */
export type CiNotifyOptions = OptionsFor<typeof notify>;
