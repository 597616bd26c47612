/** The definition of `get`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag, SESSION_FLAGS } from "../command/shared-flags.ts";
import { LIVE, type LiveFormat } from "../console/formats.ts";

const ARGUMENTS = {
  "[resource]": {
    help: "a kind, a resource as in plans, or part of its address (default: all)",
    completes: ["kinds", "addresses"],
  },
} as const;

export const get: CommandDefinition<typeof SESSION_FLAGS & FormatFlag<LiveFormat>, typeof ARGUMENTS> = {
  name: "get",
  summary: "print what is live, as the files would declare it; needs no valid configuration",
  arguments: ARGUMENTS,
  flags: { ...SESSION_FLAGS, ...formatFlag(LIVE) },
  exitCodes: { ...ONLINE, 1: "there is no such resource, or the service cannot be reached" },
  examples: ["incidentctl get severities", "incidentctl get webhooks/ci --format json"],
};

export type GetOptions = OptionsFor<typeof get>;
