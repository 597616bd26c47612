/** The definition of `refs`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { type FormatFlag, formatFlag, PATHS, SESSION_FLAGS } from "../command/shared-flags.ts";
import { RESULTS, type ResultFormat } from "../console/formats.ts";

const ARGUMENTS = { "<address>": { help: "resource, as in plans", completes: ["addresses"] } } as const;

export const refs: CommandDefinition<typeof SESSION_FLAGS & FormatFlag<ResultFormat>, typeof ARGUMENTS & typeof PATHS> =
  {
    name: "refs",
    summary: "show what references a resource, with counts of incidents",
    arguments: { ...ARGUMENTS, ...PATHS },
    flags: { ...SESSION_FLAGS, ...formatFlag(RESULTS) },
    exitCodes: { ...ONLINE, 1: "there is no such resource, or the service cannot be read" },
    examples: ["incidentctl refs severities/major"],
  };

export type RefsOptions = OptionsFor<typeof refs>;
