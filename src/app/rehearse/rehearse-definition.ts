/** The definition of `rehearse`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { PATHS, PLANNING_FLAGS, type ReportFlags, reportFlags } from "../command/shared-flags.ts";
import { REHEARSALS, type RehearsalFormat } from "../console/formats.ts";

const FLAGS = {
  "--faults": { help: "rehearse again with a fault at each request" },
  "--dialect <name=value>": {
    help: "set a dialect of the replica, such as options=replace; repeatable",
    repeatable: true,
  },
  "--allow-delete": { help: "do not report alerts that are lost because the plan removes their source" },
  "--accept-routing-window": { help: "do not report the routing windows that the plan names" },
  "--open": { help: "afterwards serve the web pages of the replica, with the plan applied, until Ctrl+C" },
} as const;

export const rehearse: CommandDefinition<
  typeof PLANNING_FLAGS & typeof FLAGS & ReportFlags<RehearsalFormat>,
  typeof PATHS
> = {
  name: "rehearse",
  summary: "apply the plan to a replica of the live workspace; exit 7 if a check fails",
  arguments: PATHS,
  flags: { ...PLANNING_FLAGS, ...FLAGS, ...reportFlags(REHEARSALS) },
  exitCodes: { ...ONLINE, 7: "a check failed" },
  examples: [
    "incidentctl rehearse --faults",
    "incidentctl rehearse --report html=rehearsal.html --dialect options=replace",
  ],
  page: "rehearsal.md",
};

export type RehearseOptions = OptionsFor<typeof rehearse>;
