/** `validate`: parses, checks references and rules. It needs no network and no token. */

import type { Configuration } from "../config/configuration.ts";
import { InvalidConfiguration } from "../diagnostic.ts";
import { diagnosticsJson } from "../report/diagnostics.ts";
import { counted } from "../report/value.ts";
import { type Console, openConsole } from "./console.ts";
import { EXIT } from "./exit.ts";
import type { Format } from "./flags.ts";
import type { Io } from "./io.ts";
import { takeTokens } from "./service.ts";
import { type ConfigurationOptions, loadConfiguration } from "./session.ts";

/** The flags of `validate`. */
export interface ValidateOptions extends ConfigurationOptions {
  readonly format?: Format;
}

/** Loads the configuration; its errors end with exit code 1. */
export async function validate(
  options: ValidateOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  takeTokens(io.env);
  try {
    const configuration = await loadConfiguration(options, io, console);
    console.answer(options.format === "json" ? diagnosticsJson(configuration.warnings) : `${summary(configuration)}\n`);
    return EXIT.success;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration) || options.format !== "json") throw error;
    console.answer(diagnosticsJson(error.diagnostics));
    return EXIT.error;
  }
}

function summary({ declared, managed, warnings }: Configuration): string {
  const kinds = new Set(managed.map(({ kind }) => kind)).size;
  const entries = `${counted(declared.length, "entry", "entries")} in ${counted(kinds, "kind")}`;
  const rest = warnings.length === 0 ? "" : `, ${counted(warnings.length, "warning")}`;
  return `The configuration is valid: ${entries}${rest}.`;
}
