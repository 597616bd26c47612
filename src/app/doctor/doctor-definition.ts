/** The definition of `doctor`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag, PATHS, SESSION_FLAGS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

export const doctor: CommandDefinition<typeof SESSION_FLAGS & FormatFlag<ResultFormat>, typeof PATHS> = {
  name: "doctor",
  summary: "check tokens, permissions, clock, lock and journals; exit 7 if there is a problem",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...formatFlag(RESULTS) },
  exitCodes: { ...ONLINE, 7: "there is a problem" },
  examples: ["incidentctl doctor"],
  page: "doctor.md",
};

export type DoctorOptions = OptionsFor<typeof doctor>;
