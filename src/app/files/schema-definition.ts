/** The definition of `schema`. */

import type { CommandDefinition, OptionsFor } from "../command/definition.ts";
import { ANY } from "../command/exit-codes.ts";

const ARGUMENTS = {
  "[name]": {
    help: "a kind, routing_tests, plan, drift, recorded_alerts, openapi, control or seed (default: the whole configuration)",
    completes: ["schemas"],
  },
} as const;

const FLAGS = {
  "--overlay": { help: "schema of overlay files" },
  "--settings": { help: "schema of the settings file" },
} as const;

export const schema: CommandDefinition<typeof FLAGS, typeof ARGUMENTS> = {
  name: "schema",
  summary: "print the JSON Schema of the configuration, a kind or a report, or the OpenAPI document",
  arguments: ARGUMENTS,
  flags: FLAGS,
  exitCodes: ANY,
  examples: ["incidentctl schema plan"],
};

export type SchemaOptions = OptionsFor<typeof schema>;
