/** `schema`: prints the JSON Schema of a whole configuration, of one kind's entry, of overlays, of the settings, or of a file of routing tests. */

import { overlaySchema } from "../config/schema/overlay-schema.ts";
import { kindSchema, roomSchema, workspaceSchema } from "../config/schema/schema.ts";
import { settingsSchema } from "../config/schema/settings-schema.ts";
import { EXIT } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import type { Fields } from "../core/json.ts";
import { quoted } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { kinds } from "../kinds/index.ts";
import type { LookOptions } from "../output/console.ts";
import { pretty } from "../report/plan/json.ts";

/** The argument and the flags of `schema`. */
export interface SchemaOptions extends LookOptions {
  /** A kind's name, or `routing_tests`; the whole workspace when left out. */
  readonly kind?: string;
  /** The schema of overlays. */
  readonly overlay?: boolean;
  /** The schema of the settings file. */
  readonly settings?: boolean;
}

/** Prints the schema, self-contained. A kind that does not exist is a wrong command line. */
export async function schema(options: SchemaOptions, io: Io): Promise<number> {
  io.stdout.write(pretty(asked(options)));
  return EXIT.success;
}

function asked({ kind, overlay = false, settings = false }: SchemaOptions): Fields {
  if ([kind !== undefined, overlay, settings].filter(Boolean).length > 1) {
    throw misuse("schema takes one of: a kind, --overlay, --settings");
  }
  if (overlay) return overlaySchema(kinds);
  if (settings) return settingsSchema(kinds);
  return kind === undefined ? workspaceSchema(kinds) : named(kind);
}

/** What a file of routing tests holds; no kind, since nothing of it is ever applied. */
const ROUTING_TESTS = "routing_tests";

function named(name: string): Fields {
  const found = name === ROUTING_TESTS ? roomSchema("routing-tests") : kindSchema(kinds, name);
  if (found !== undefined) return found;
  const names = [...kinds.map((one) => one.name), ROUTING_TESTS];
  const guess = suggest(name, names);
  const meant = guess === undefined ? "" : ` (did you mean ${quoted(guess)}?)`;
  throw misuse(`there is no kind ${quoted(name)}${meant}; there are ${names.join(", ")}`);
}
