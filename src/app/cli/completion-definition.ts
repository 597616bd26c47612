/** The definition of `completion`. */

import type { CommandDefinition, NoRows, OptionsFor } from "../command/definition.ts";
import { ANY } from "../command/exit-codes.ts";

const ARGUMENTS = {
  "<shell>": {
    help: "bash, zsh or fish; or addresses or environments, to list those in the files",
    completes: [["bash", "zsh", "fish"]],
  },
} as const;

export const completion: CommandDefinition<NoRows, typeof ARGUMENTS> = {
  name: "completion",
  summary: "print a completion script for bash, zsh or fish",
  arguments: ARGUMENTS,
  exitCodes: ANY,
  examples: ["source <(incidentctl completion bash)"],
};

export type CompletionOptions = OptionsFor<typeof completion>;
