/** The definition of `pull`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { ADDRESS_FLAGS, type FormatFlag, formatFlag, PATHS, SESSION_FLAGS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const FLAGS = {
  "--kinds <names>": {
    help: "only these kinds, even if no file has them yet: severities,statuses",
    completes: "kinds",
  },
  "--dry-run": { help: "show the changes as a unified diff, and write nothing" },
} as const;

export const pull: CommandDefinition<
  typeof SESSION_FLAGS & FormatFlag<ResultFormat> & typeof ADDRESS_FLAGS & typeof FLAGS,
  typeof PATHS
> = {
  name: "pull",
  summary: "write the live configuration into the files, and keep comments and layout",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...formatFlag(RESULTS), ...FLAGS, ...ADDRESS_FLAGS },
  exitCodes: { ...ONLINE, 7: "there are conflicts; the values in conflict were not changed" },
  examples: ["incidentctl pull config/", "incidentctl pull --kinds webhooks --dry-run"],
  page: "pull.md",
};

export type PullOptions = OptionsFor<typeof pull>;
