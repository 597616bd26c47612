/** The definition of `rotate`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { WRITING } from "../command/exit-codes.ts";
import { type ReportFlags, reportFlags, SESSION_FLAGS, WRITE_FLAGS } from "../command/shared-flags.ts";
import { RUNS, type RunFormat } from "../console/formats.ts";

const ARGUMENTS = {
  "<resource...>": { help: "agents and service keys, by their addresses", completes: ["addresses"] },
} as const;

const FLAGS = {
  "--token <prefix>": {
    help: "only the token that begins with this; repeatable (default: every token of the resource)",
    repeatable: true,
  },
  "--overlap <duration>": {
    help: "keep the old tokens for this long, such as 24h or 7d; the output says how to revoke them then",
    takes: "duration",
  },
  "--revoke": { help: "only revoke, and issue no new token" },
  "--yes": { help: "do not ask for confirmation; approves no revocation" },
  "--allow-delete": { help: "approve to revoke tokens, which cuts off whoever still uses them" },
} as const;

export const rotate: CommandDefinition<
  typeof SESSION_FLAGS & typeof WRITE_FLAGS & ReportFlags<RunFormat> & typeof FLAGS,
  typeof ARGUMENTS
> = {
  name: "rotate",
  summary: "replace the tokens of agents and service keys; the old ones end once the new ones are stored",
  arguments: ARGUMENTS,
  flags: { ...SESSION_FLAGS, ...FLAGS, ...WRITE_FLAGS, ...reportFlags(RUNS) },
  exitCodes: {
    ...WRITING,
    1: "there is no such resource, or the service cannot be reached; nothing was written",
    3: "an approval is missing, or the new tokens have no place to go; nothing was written",
    5: "somebody else has changed the tokens; nothing was written",
  },
  examples: ["incidentctl rotate agents/triage_bot --secrets-out tokens.jsonl --allow-delete"],
  page: "rotate.md",
};

export type RotateOptions = OptionsFor<typeof rotate>;
