/** The definition of `drift`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import {
  ALL_ENVIRONMENTS_FLAG,
  PATHS,
  PLANNING_FLAGS,
  type ReportFlags,
  reportFlags,
} from "../command/shared-flags.ts";
import { DRIFTS, type DriftFormat } from "../console/formats.ts";
import { ACCEPT_EXAMPLE } from "./accept-definition.ts";

export const drift: CommandDefinition<
  typeof PLANNING_FLAGS & typeof ALL_ENVIRONMENTS_FLAG & ReportFlags<DriftFormat>,
  typeof PATHS
> = {
  name: "drift",
  summary: "show how the workspace differs from the configuration; exit 2 if it does",
  arguments: PATHS,
  flags: {
    ...PLANNING_FLAGS,
    ...ALL_ENVIRONMENTS_FLAG,
    ...reportFlags(DRIFTS),
  },
  exitCodes: { ...ONLINE, 2: "there are differences that are not accepted" },
  examples: ["incidentctl drift --format json", ACCEPT_EXAMPLE],
  page: "drift.md",
};

export type DriftOptions = OptionsFor<typeof drift>;
