/** The definition of `render`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import { CONFIGURATION_FLAGS, type FormatFlag, formatFlag, PATHS } from "../command/shared-flags.ts";
import { DOCUMENTS, type DocumentFormat } from "../console/formats.ts";

export const render: CommandDefinition<typeof CONFIGURATION_FLAGS & FormatFlag<DocumentFormat>, typeof PATHS> = {
  name: "render",
  summary: "print the configuration with overlays and variables resolved, without network or token",
  arguments: PATHS,
  flags: { ...CONFIGURATION_FLAGS, ...formatFlag(DOCUMENTS) },
  exitCodes: { ...OFFLINE, 1: "an error in the files" },
  examples: ["incidentctl render -e staging"],
};

export type RenderOptions = OptionsFor<typeof render>;
