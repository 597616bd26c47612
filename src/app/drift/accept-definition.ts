/** The definition of `drift accept`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag, PATHS, SESSION_FLAGS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const ARGUMENTS = {
  "<address>": {
    help: "resource that differs, as in drift; includes the resources in it",
    completes: ["addresses"],
  },
} as const;

const FLAGS = {
  "--until <date>": { help: "last day on which it is accepted, in UTC: 2026-12-31, or 30d from now", required: true },
  "--because <text>": { help: "reason, for the reviewers of the file", required: true },
  "--by <name>": { help: "who accepts it (default: GITHUB_ACTOR, GITLAB_USER_LOGIN or USER, if set)" },
} as const;

/** The place of the reason in a printed command; refused, so that nobody records it. */
export const PLACEHOLDER = "REASON";

export const ACCEPT_EXAMPLE =
  'incidentctl drift accept severities/critical --until 2026-12-31 --because "renamed for the audit"';

export const accept: CommandDefinition<
  typeof SESSION_FLAGS & FormatFlag<ResultFormat> & typeof FLAGS,
  typeof ARGUMENTS & typeof PATHS
> = {
  name: "accept",
  summary: "accept a difference until a day and for a reason: plan and apply leave it alone",
  arguments: { ...ARGUMENTS, ...PATHS },
  flags: { ...SESSION_FLAGS, ...formatFlag(RESULTS), ...FLAGS },
  exitCodes: { ...ONLINE, 1: "there is no difference at the address, or the service cannot be read" },
  examples: [ACCEPT_EXAMPLE],
  page: "drift.md",
};

export type AcceptOptions = OptionsFor<typeof accept>;
