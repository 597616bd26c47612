/** `schema`: prints the JSON Schema of a whole configuration, of one kind's entry, or of a file of routing tests. */

import { kindSchema, workspaceSchema } from "../config/schema.ts";
import { kinds } from "../kinds/index.ts";
import { pretty } from "../report/json.ts";
import { quoted } from "../report/sanitise.ts";
import { EXIT } from "./exit.ts";
import { misuse } from "./flags.ts";
import type { Io } from "./io.ts";

/** The argument of `schema`. */
export interface SchemaOptions {
  /** A kind's name; the whole workspace when left out. */
  readonly kind?: string;
}

/** Prints the schema, self-contained. A kind that does not exist is a wrong command line. */
export async function schema({ kind }: SchemaOptions, io: Io): Promise<number> {
  const found = kind === undefined ? workspaceSchema(kinds) : kindSchema(kinds, kind);
  if (found === undefined) {
    throw misuse(`there is no kind ${quoted(kind ?? "")}; there are ${kinds.map((one) => one.name).join(", ")}`);
  }
  io.stdout.write(pretty(found));
  return EXIT.success;
}
