/** The definition of `show`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import { type ReportFlags, reportFlags } from "../command/shared-flags.ts";
import { PLANS, type PlanFormat } from "../console/formats.ts";

const ARGUMENTS = { "<planfile>": { help: "a plan saved with plan --out", completes: ["files"] } } as const;

export const show: CommandDefinition<ReportFlags<PlanFormat>, typeof ARGUMENTS> = {
  name: "show",
  summary: "show a saved plan",
  arguments: ARGUMENTS,
  flags: reportFlags(PLANS),
  exitCodes: { ...OFFLINE, 1: "the file is not a plan, or is damaged" },
  examples: ["incidentctl show change.plan --format json"],
};

export type ShowOptions = OptionsFor<typeof show>;
