/** The definition of `fmt`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { OFFLINE } from "../command/exit-codes.ts";
import { PATHS } from "../command/shared-flags.ts";

const FLAGS = { "--check": { help: "write nothing; exit 7 if a file is not formatted" } } as const;

export const fmt: CommandDefinition<typeof FLAGS, typeof PATHS> = {
  name: "fmt",
  summary: "format the files, and keep every value and comment",
  arguments: PATHS,
  flags: FLAGS,
  exitCodes: { ...OFFLINE, 7: "with --check: a file is not formatted" },
  examples: ["incidentctl fmt --check config/"],
};

export type FmtOptions = OptionsFor<typeof fmt>;
