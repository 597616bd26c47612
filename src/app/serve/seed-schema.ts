/** The JSON Schema of seed files, for editors. */

import { workspaceSchema } from "../../config/schema/schema.ts";
import type { Fields } from "../../core/json.ts";
import { fieldsIn } from "../../core/json.ts";
import { closedSchema } from "../../emulator/http/body-schema.ts";
import { seedSchema } from "../../emulator/seeds/seed-data.ts";
import { kinds } from "../../kinds/index.ts";

/** The schema, self-contained. */
export function seedFileSchema(): Fields {
  const { $defs = {}, properties: configuration = {}, $schema = "" } = workspaceSchema(kinds);
  const { properties: data = {} } = closedSchema(seedSchema);
  return {
    $schema,
    $id: "urn:incidentctl:schema:seed:1",
    title: "incidentctl seed",
    description: "A workspace for incidentctl emulator --seed=FILE.",
    type: "object",
    additionalProperties: false,
    required: ["version"],
    properties: {
      version: { const: 1, description: "The version of this format: 1." },
      base: {
        enum: ["default", "bare"],
        description:
          "The resources before the configuration is applied: of a fresh workspace, or only those that cannot be absent.",
      },
      configuration: {
        description: "The configuration, or paths of directories and files with it, relative to this file.",
        anyOf: [
          { type: "string" },
          { type: "array", items: { type: "string" } },
          { type: "object", additionalProperties: false, properties: configuration },
        ],
      },
      ...fieldsIn(data),
    },
    $defs,
  };
}
