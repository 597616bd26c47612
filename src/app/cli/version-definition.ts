/** The definition of `version`. */

import type { CommandDefinition } from "../command/definition.ts";
import { ANY } from "../command/exit-codes.ts";

export const version: CommandDefinition = {
  name: "version",
  summary: "print the version",
  hidden: true,
  exitCodes: ANY,
  examples: ["incidentctl version"],
};
