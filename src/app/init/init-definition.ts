/** The definition of `init`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { CONNECTION_FLAGS } from "../command/shared-flags.ts";

const ARGUMENTS = {
  "[directory]": { help: "where to start it (default: the current directory)", completes: ["files"] },
} as const;

const FLAGS = {
  "--ci <forge>": { help: "pipelines to write", choices: ["github", "gitlab", "generic", "none"] },
  "--uses <repository>": { help: "with --ci github: call the workflows of OWNER/REPO@COMMIT" },
  "--catalog <preset>": {
    help: "take entries of the catalog from other files",
    choices: ["backstage", "csv", "folders"],
  },
  "--pull": { help: "fill it from the workspace instead of an example" },
  "--kinds <names>": { help: "with --pull: only these kinds", completes: "kinds" },
} as const;

export const init: CommandDefinition<typeof CONNECTION_FLAGS & typeof FLAGS, typeof ARGUMENTS> = {
  name: "init",
  summary: "start a repository: settings, an example or the live configuration, pipelines",
  arguments: ARGUMENTS,
  flags: { ...CONNECTION_FLAGS, ...FLAGS },
  exitCodes: { ...ONLINE, 1: "a file cannot be written, or the service cannot be read" },
  examples: ["incidentctl init --ci github", "incidentctl init --url https://incidents.example.com --pull"],
  page: "start.md",
};

export type InitOptions = OptionsFor<typeof init>;
