/** Runs a command that only reads in one environment or, with `--all-environments`, in every one. */

import type { Io } from "../../core/io.ts";
import type { Console } from "../console/console.ts";
import { textOf } from "../console/present.ts";
import type { EnvironmentCommand, EnvironmentOptions } from "./all-environments.ts";

/** Runs the command, and prints the report of one environment. Returns the exit code, of several environments the worst. */
export async function runInEnvironments<Options extends EnvironmentOptions>(
  command: EnvironmentCommand<Options>,
  options: Options,
  io: Io,
  console: Console,
): Promise<number> {
  if (options.allEnvironments === true) {
    const { runInAllEnvironments } = await import("./all-environments.ts");
    return runInAllEnvironments(command, options, io, console);
  }
  return command.run(options, io, console, async ({ texts }) =>
    console.print(await textOf(texts, options.format ?? "text", console.outputStyle)),
  );
}
