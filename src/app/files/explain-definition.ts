/** The definition of `explain`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const ARGUMENTS = {
  "[subject...]": {
    help: "KIND, KIND.field, settings and a key of them, or an analyzer such as A010; with --origin: directories or files (default: from the settings)",
    completes: ["subjects", "files"],
  },
} as const;

const FLAGS = {
  "--origin <address>": {
    help: "show the file and line of each value of this resource",
    completes: "addresses",
  },
  "-e, --env <name>": {
    help: "with --origin: environment in the settings; empty for none (default: INCIDENTCTL_ENVIRONMENT)",
    mayBeEmpty: true,
    completes: "environments",
  },
  "--var <name=value>": {
    help: "with --origin: variable of the configuration; repeatable",
    takes: "variables",
    repeatable: true,
  },
} as const;

export const explain: CommandDefinition<typeof FLAGS & FormatFlag<ResultFormat>, typeof ARGUMENTS> = {
  name: "explain",
  summary: "explain a kind, a field, a setting or an analyzer, or where the values of a resource come from",
  arguments: ARGUMENTS,
  flags: { ...FLAGS, ...formatFlag(RESULTS) },
  exitCodes: { ...OFFLINE, 1: "an error in the files, or there is no such resource" },
  examples: [
    "incidentctl explain custom_fields.options",
    "incidentctl explain --origin severities/critical -e staging",
  ],
  page: "explain.md",
};

export type ExplainOptions = OptionsFor<typeof explain>;
