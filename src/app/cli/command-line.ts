/** The command line: runs the command that the arguments name, and turns whatever happens into an exit code. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import type { Console } from "../console/console.ts";
import { endOnFaults, processIo } from "../console/process-io.ts";
import { refuseSingleHyphens, refuseTokens } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { CommanderError, createProgram, GLOBAL_FLAGS, type RunCommand } from "./program.ts";

/** Runs the command line of this process. */
export async function runProgram(): Promise<void> {
  const io = processIo();
  endOnFaults(io.stderr);
  process.exitCode = await runCommandLine(process.argv.slice(2), io);
  // Requests that an interrupted run has given up must not keep the process alive.
  if (process.exitCode === EXIT.interrupted) process.exit();
}

/** Runs a command line and returns the exit code. Errors are written to stderr. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  let exit: number = EXIT.success;
  const run: RunCommand = async (flags, load, values = {}) => {
    const options = { ...flags, ...values };
    const { openConsole } = await import("../console/console.ts");
    const console = openConsole(io, options);
    try {
      // The rows that make the options are those that the type of the function is derived from.
      exit = await (await load())(options as never, io, console);
    } catch (error) {
      exit = await reportError(error, io, console);
    } finally {
      console.end();
    }
  };
  try {
    const [first, ...words] = args;
    if (first === "__complete") {
      const { complete } = await import("./completion-command.ts");
      await run(
        { quiet: true },
        async () => (_options, _io, console) => complete(words, COMMANDS, GLOBAL_FLAGS, io, console),
      );
      return exit;
    }
    refuseTokens(args, io.env);
    const program = createProgram(COMMANDS, args, io, run);
    const commands = [program, ...program.commands.flatMap((own) => [own, ...own.commands])];
    refuseSingleHyphens(
      args,
      commands.flatMap((command) => command.options),
    );
    await program.parseAsync(withEmulatorValue(args), { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    const { openConsole } = await import("../console/console.ts");
    return reportError(error, io, openConsole(io, {}));
  }
}

async function reportError(error: unknown, io: Io, console: Console): Promise<number> {
  const { reportError } = await import("../console/error-report.ts");
  return reportError(error, console, (io.env.INCIDENTCTL_DEBUG ?? "") !== "");
}

/** `--emulator` takes a value only after `=`: the next argument is a path of the configuration. That of `conformance` takes none. */
function withEmulatorValue(args: readonly string[]): string[] {
  if (args.includes("conformance")) return [...args];
  return args.map((argument) => (argument === "--emulator" ? "--emulator=" : argument));
}
