/** The definition of `lsp`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ANY } from "../command/exit-codes.ts";
import { CONFIGURATION_FLAGS } from "../command/shared-flags.ts";

const STDIO_FLAG = {
  "--stdio": { help: "talk over standard input and output, which is the default: some editors add this flag" },
} as const;

export const lsp: CommandDefinition<typeof CONFIGURATION_FLAGS & typeof STDIO_FLAG> = {
  name: "lsp",
  summary: "serve editors: findings while typing, completion, definitions, renames",
  flags: { ...CONFIGURATION_FLAGS, ...STDIO_FLAG },
  exitCodes: { ...ANY, 1: "the editor ended the connection without a shutdown" },
  examples: ["incidentctl lsp", "incidentctl lsp -e staging"],
  note: "Editors start it. It speaks the Language Server Protocol, needs no network and no token, and writes no file.",
  page: "editors.md",
};

/** The options of `lsp`. */
export type LspOptions = OptionsFor<typeof lsp>;
