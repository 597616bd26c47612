/** The definition of `impact`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag, PATHS, SESSION_FLAGS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const FLAGS = {
  "--last <number>": { help: "recent incidents to replay, at most 1000 (default: 100)", takes: "incidents" },
  "--fail-on-refusals": { help: "exit 7 if an incident like a recent one would be refused" },
} as const;

export const impact: CommandDefinition<typeof SESSION_FLAGS & FormatFlag<ResultFormat> & typeof FLAGS, typeof PATHS> = {
  name: "impact",
  summary: "show what the plan would do to recent incidents: refused declarations, changed ranks",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...formatFlag(RESULTS), ...FLAGS },
  exitCodes: { ...ONLINE, 7: "with --fail-on-refusals: an incident like a recent one would be refused" },
  examples: ["incidentctl impact --last 500"],
  page: "impact.md",
};

export type ImpactOptions = OptionsFor<typeof impact>;
