/** The definition of `diff`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import { CONFIGURATION_FLAGS, type FormatFlag, formatFlag, PATHS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const FLAGS = {
  "-e, --env <name>": {
    help: "environment in the settings, given twice; empty for none",
    repeatable: true,
    mayBeEmpty: true,
    completes: "environments",
  },
} as const;

export const diff: CommandDefinition<
  Omit<typeof CONFIGURATION_FLAGS, "-e, --env <name>"> & typeof FLAGS & FormatFlag<ResultFormat>,
  typeof PATHS
> = {
  name: "diff",
  summary: "show how the configurations of two environments differ; exit 2 if they do",
  arguments: PATHS,
  flags: { ...CONFIGURATION_FLAGS, ...FLAGS, ...formatFlag(RESULTS) },
  exitCodes: { ...OFFLINE, 1: "an error in the files", 2: "the configurations differ" },
  examples: ["incidentctl diff -e staging -e production"],
};

export type DiffOptions = OptionsFor<typeof diff>;
