/** The definition of `plan`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import {
  ALL_ENVIRONMENTS_FLAG,
  APPROVAL_FLAGS,
  BASE_FLAGS,
  PATHS,
  PLANNING_FLAGS,
  type ReportFlags,
  reportFlags,
} from "../command/shared-flags.ts";
import { PLANS, type PlanFormat } from "../console/formats.ts";

const FLAGS = {
  "-o, --out <file>": { help: "save the sealed plan for apply --plan" },
  "--alerts <file>": {
    help: "recorded alerts (a JSON object of fields a line): also show how many of them the plan routes differently",
  },
  "--detailed-exitcode": { help: "exit 2 if there are changes" },
  "--fail-on <state>": { help: "exit 3 if apply would refuse the plan", choices: ["blocked"] },
} as const;

const SINK_FLAGS = {
  "--secrets-out <file>": {
    help: "approve one-time tokens, as apply with this flag does; nothing is written to it",
  },
  "--secrets-exec <command>": { help: "approve one-time tokens, as apply with this flag does; it is not run" },
} as const;

export const plan: CommandDefinition<
  typeof PLANNING_FLAGS &
    typeof BASE_FLAGS &
    typeof ALL_ENVIRONMENTS_FLAG &
    ReportFlags<PlanFormat> &
    typeof FLAGS &
    typeof APPROVAL_FLAGS &
    typeof SINK_FLAGS,
  typeof PATHS
> = {
  name: "plan",
  summary: "show what apply would change",
  arguments: PATHS,
  flags: {
    ...PLANNING_FLAGS,
    ...BASE_FLAGS,
    ...ALL_ENVIRONMENTS_FLAG,
    ...reportFlags(PLANS),
    ...FLAGS,
    ...APPROVAL_FLAGS,
    ...SINK_FLAGS,
  },
  exitCodes: {
    ...ONLINE,
    0: "success, with or without changes",
    2: "with --detailed-exitcode: there are changes",
    3: "with --fail-on blocked: apply would refuse the plan",
  },
  examples: [
    "incidentctl plan --out change.plan",
    "incidentctl plan --alerts alerts.jsonl",
    "incidentctl plan --allow-delete --secrets-out tokens.jsonl --fail-on blocked",
  ],
  page: "reports.md",
};

export type PlanFlags = OptionsFor<typeof plan>;
