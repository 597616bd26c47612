/** The definition of `apply`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { WRITING } from "../command/exit-codes.ts";
import {
  APPROVAL_FLAGS,
  BASE_FLAGS,
  PATHS,
  PLANNING_FLAGS,
  type ReportFlags,
  reportFlags,
  WRITE_FLAGS,
} from "../command/shared-flags.ts";
import { RUNS, type RunFormat } from "../console/formats.ts";

const PLAN_FLAGS = {
  "--plan <file>": { help: "apply a plan saved with plan --out, if it is still valid" },
  "--expect-plan <hash>": { help: "apply only the plan with this fingerprint, else exit 5" },
  "--yes": { help: "do not ask for confirmation; approves no removals" },
} as const;

const CHECK_FLAGS = {
  "--strict": { help: "exit 4 if a resource had to stay although it is not in the configuration" },
  "--rehearse": { help: "first apply the plan to a replica, and stop with exit 7 if a check fails" },
  "--faults": { help: "with --rehearse: rehearse again with a fault at each request" },
  "--dialect <name=value>": {
    help: "with --rehearse: set a dialect of the replica; repeatable",
    repeatable: true,
  },
} as const;

export const apply: CommandDefinition<
  typeof PLANNING_FLAGS &
    typeof BASE_FLAGS &
    typeof WRITE_FLAGS &
    ReportFlags<RunFormat> &
    typeof PLAN_FLAGS &
    typeof APPROVAL_FLAGS &
    typeof CHECK_FLAGS,
  typeof PATHS
> = {
  name: "apply",
  summary: "plan, ask for confirmation, apply, and verify",
  arguments: PATHS,
  flags: {
    ...PLANNING_FLAGS,
    ...BASE_FLAGS,
    ...WRITE_FLAGS,
    ...reportFlags(RUNS),
    ...PLAN_FLAGS,
    ...APPROVAL_FLAGS,
    ...CHECK_FLAGS,
  },
  exitCodes: {
    ...WRITING,
    3: "an approval is missing, a resource is protected, or this may be another workspace; nothing was written",
    7: "with --rehearse: a check failed; nothing was written",
  },
  examples: ["incidentctl apply --plan change.plan --yes"],
  page: "safety-model.md",
};

export type ApplyFlags = OptionsFor<typeof apply>;
