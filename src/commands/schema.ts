/** `schema`: prints the JSON Schema of a whole configuration, or of one kind's entry. */

import { readFile } from "node:fs/promises";
import { kinds } from "../kinds/index.ts";
import { quoted } from "../report/sanitise.ts";
import { EXIT } from "./exit.ts";
import { misuse } from "./flags.ts";
import type { Io } from "./io.ts";

/** The argument of `schema`. */
export interface SchemaOptions {
  /** A kind's name; the whole workspace when left out. */
  readonly kind?: string;
}

/** Prints the schema as it is shipped. */
export async function schema({ kind }: SchemaOptions, io: Io): Promise<number> {
  const file = new URL(`../../schemas/${kind === undefined ? "workspace.schema" : roomOf(kind)}.json`, import.meta.url);
  io.stdout.write(await readFile(file, "utf8"));
  return EXIT.success;
}

function roomOf(name: string): string {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) {
    throw misuse(`there is no kind ${quoted(name)}; there are ${kinds.map((one) => one.name).join(", ")}`);
  }
  return kind.room;
}
