/** The definition of `validate`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import {
  ALL_ENVIRONMENTS_FLAG,
  CONFIGURATION_FLAGS,
  PATHS,
  type ReportFlags,
  reportFlags,
} from "../command/shared-flags.ts";
import { FINDINGS, type FindingsFormat } from "../console/formats.ts";

const FLAGS = {
  "--fail-on <severity>": {
    help: "exit 7 for findings of at least this severity: error (default), warning, note or never",
    takes: "severity",
    completes: ["error", "warning", "note", "never"],
  },
} as const;

export const validate: CommandDefinition<
  typeof CONFIGURATION_FLAGS & typeof ALL_ENVIRONMENTS_FLAG & ReportFlags<FindingsFormat> & typeof FLAGS,
  typeof PATHS
> = {
  name: "validate",
  summary: "check and analyze the configuration, without network or token",
  arguments: PATHS,
  flags: { ...CONFIGURATION_FLAGS, ...ALL_ENVIRONMENTS_FLAG, ...reportFlags(FINDINGS), ...FLAGS },
  exitCodes: { ...OFFLINE, 1: "an error in the files", 7: "a finding of at least the severity of --fail-on" },
  examples: ["incidentctl validate config/", "incidentctl validate --fail-on warning --report sarif=findings.sarif"],
  page: "analyzers.md",
};

export type ValidateOptions = OptionsFor<typeof validate>;
