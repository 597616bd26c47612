/**
 * `schema`: prints the JSON Schema of a configuration, of one kind, of the other files of a project, or of a report, or the OpenAPI
 * document of the embedded service or of its control surface.
 */

import { withHints } from "../../config/schema/editor-hints.ts";
import { overlaySchema } from "../../config/schema/overlay-schema.ts";
import { kindSchema, moduleSchema, workspaceSchema } from "../../config/schema/schema.ts";
import { settingsForEditors } from "../../config/schema/settings-schema.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import type { Fields } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { kinds } from "../../kinds/index.ts";
import { prettyJson } from "../../view/format/json.ts";
import { driftSchema, planSchema, recordedAlertsSchema } from "../../view/plan/schema.ts";
import type { SchemaOptions } from "./schema-definition.ts";

/** Prints the schema, self-contained. An unknown name is a usage error. */
export async function schema(options: SchemaOptions, io: Io): Promise<number> {
  io.stdout.write(prettyJson(await schemaOf(options)));
  return EXIT.success;
}

async function schemaOf({ name, overlay = false, settings = false }: SchemaOptions): Promise<Fields> {
  if ([name !== undefined, overlay, settings].filter(Boolean).length > 1) {
    throw misuse("schema takes one of: a name, --overlay, --settings");
  }
  if (overlay) return overlaySchema(kinds);
  if (settings) return settingsForEditors(kinds);
  return name === undefined ? workspaceSchema(kinds) : schemaNamed(name);
}

/** Schemas that describe no kind. */
const DOCUMENTS: Readonly<Record<string, () => Fields | Promise<Fields>>> = {
  routing_tests: () => withHints(moduleSchema("routing-tests"), "routing_tests"),
  plan: planSchema,
  drift: driftSchema,
  recorded_alerts: recordedAlertsSchema,
  openapi: async () => (await import("../../emulator/openapi/service-document.ts")).openapi(),
  control: async () => (await import("../../emulator/control/control-handler.ts")).controlOpenapi(),
  seed: async () => (await import("../serve/seed-schema.ts")).seedFileSchema(),
};

/** Names that `schema` takes: the kinds, files of routing tests, the JSON reports, the OpenAPI documents, and seed files. */
export const SCHEMA_NAMES: readonly string[] = [...kinds.map(({ name }) => name), ...Object.keys(DOCUMENTS)];

async function schemaNamed(name: string): Promise<Fields> {
  const document = Object.hasOwn(DOCUMENTS, name) ? await DOCUMENTS[name]?.() : kindSchema(kinds, name);
  if (document !== undefined) return document;
  const guess = ["overlay", "settings"].includes(name) ? `--${name}` : suggest(name, SCHEMA_NAMES);
  const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
  throw misuse(`there is no schema ${quoted(name)}${meant}; there are ${SCHEMA_NAMES.join(", ")}`);
}
