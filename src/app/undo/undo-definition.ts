/** The definition of `undo`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ONLINE } from "../command/exit-codes.ts";
import { PATHS, type ReportFlags, reportFlags, SESSION_FLAGS } from "../command/shared-flags.ts";
import { PLANS, type PlanFormat } from "../console/formats.ts";

const FLAGS = {
  "--run <number>": { help: "run to undo (default: the last one that wrote)" },
  "--list": { help: "only list the runs" },
  "-o, --out <file>": { help: "save the sealed plan for apply --plan" },
} as const;

export const undo: CommandDefinition<typeof SESSION_FLAGS & ReportFlags<PlanFormat> & typeof FLAGS, typeof PATHS> = {
  name: "undo",
  summary: "plan how to undo a run, from its journal",
  arguments: PATHS,
  flags: { ...SESSION_FLAGS, ...reportFlags(PLANS), ...FLAGS },
  exitCodes: { ...ONLINE, 1: "there is no such run, or the service cannot be read" },
  examples: ["incidentctl undo --out undo.plan"],
  page: "recovery.md",
};

export type UndoOptions = OptionsFor<typeof undo>;
