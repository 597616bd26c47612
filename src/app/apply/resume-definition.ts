/** The definition of `resume`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { WRITING } from "../command/exit-codes.ts";
import {
  APPROVAL_FLAGS,
  PATHS,
  type ReportFlags,
  reportFlags,
  SESSION_FLAGS,
  WRITE_FLAGS,
} from "../command/shared-flags.ts";
import { RUNS, type RunFormat } from "../console/formats.ts";

export const resume: CommandDefinition<
  typeof SESSION_FLAGS & typeof WRITE_FLAGS & ReportFlags<RunFormat> & typeof APPROVAL_FLAGS,
  typeof PATHS
> = {
  name: "resume",
  summary: "find out how an interrupted run ended, and finish its approved plan",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...WRITE_FLAGS, ...reportFlags(RUNS), ...APPROVAL_FLAGS },
  exitCodes: { ...WRITING, 5: "the files or the requests are not those of the run; nothing was written" },
  examples: ["incidentctl resume"],
  page: "recovery.md",
};

export type ResumeOptions = OptionsFor<typeof resume>;
