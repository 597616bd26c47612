/** `schema`: prints the JSON Schema of a whole configuration, of one kind's entry, or of a file of routing tests. */

import { kindSchema, roomSchema, workspaceSchema } from "../config/schema.ts";
import type { Fields } from "../json.ts";
import { kinds } from "../kinds/index.ts";
import { pretty } from "../report/json.ts";
import { quoted } from "../report/sanitise.ts";
import { EXIT } from "./exit.ts";
import { misuse } from "./flags.ts";
import type { Io } from "./io.ts";

/** The argument of `schema`. */
export interface SchemaOptions {
  /** A kind's name, or `routing_tests`; the whole workspace when left out. */
  readonly kind?: string;
}

/** Prints the schema, self-contained. A kind that does not exist is a wrong command line. */
export async function schema({ kind }: SchemaOptions, io: Io): Promise<number> {
  io.stdout.write(pretty(kind === undefined ? workspaceSchema(kinds) : named(kind)));
  return EXIT.success;
}

/** What a file of routing tests holds; no kind, since nothing of it is ever applied. */
const ROUTING_TESTS = "routing_tests";

function named(name: string): Fields {
  const found = name === ROUTING_TESTS ? roomSchema("routing-tests") : kindSchema(kinds, name);
  if (found !== undefined) return found;
  const names = [...kinds.map((one) => one.name), ROUTING_TESTS].join(", ");
  throw misuse(`there is no kind ${quoted(name)}; there are ${names}`);
}
