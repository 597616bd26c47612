/** The command line: runs the command that the arguments name, and turns whatever happens into an exit code. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import type { Command } from "../command/definition.ts";
import type { Console } from "../console/console.ts";
import type { RequestedReports } from "../console/failure-report.ts";
import { PLACEHOLDER, RESULTS } from "../console/formats.ts";
import { isConfigurationName } from "../console/path-conflicts.ts";
import { endOnFaults, processIo } from "../console/process-io.ts";
import { refuseSingleHyphens, refuseTokens } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { CommanderError, createProgram, GLOBAL_FLAGS, type RunCommand } from "./program.ts";
import { namedCommand, workingForm } from "./working-form.ts";

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
    const requested = () => requestedReports(args, COMMANDS, (options as { paths?: readonly string[] }).paths);
    const { openConsole } = await import("../console/console.ts");
    const console = openConsole(io, options);
    try {
      // The rows that make the options are those that the type of the function is derived from.
      exit = await (await load())(options as never, io, console);
    } catch (error) {
      exit = await reportError(error, requested, io, console, args);
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
    refuseTokens(args, io.env, COMMANDS.find(({ name }) => name === first)?.flags);
    const program = createProgram(COMMANDS, args, io, run);
    const commands = [program, ...program.commands.flatMap((own) => [own, ...own.commands])];
    refuseSingleHyphens(
      args,
      commands.flatMap((command) => command.options),
    );
    await program.parseAsync(withEmulatorValue(args), { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
    const { openConsole } = await import("../console/console.ts");
    const console = openConsole(io, {});
    const requested = () => requestedReports(args, COMMANDS);
    try {
      if (!(error instanceof CommanderError)) return await reportError(error, requested, io, console, args);
      // Commander has printed its message.
      await reportFailure(withForm(error.message.replace(/^error: /, ""), args), requested(), io, console);
      return EXIT.usage;
    } finally {
      console.end();
    }
  }
}

/** Prints an error, and writes the reports of it that the command line asks for. Returns the exit code. */
async function reportError(
  error: unknown,
  requested: () => RequestedReports,
  io: Io,
  console: Console,
  args: readonly string[],
): Promise<number> {
  const { reportError } = await import("../console/error-report.ts");
  const whole = error instanceof Stop && error.exitCode === EXIT.usage ? withForm(error.message, args) : error;
  const exit = reportError(whole, console, (io.env.INCIDENTCTL_DEBUG ?? "") !== "");
  await reportFailure(whole, requested(), io, console);
  return exit;
}

/** The error for a wrong command line, with a form that works. */
function withForm(message: string, args: readonly string[]): Stop {
  return misuse([message, workingForm(message, args, COMMANDS) ?? []].flat().join("\n"));
}

async function reportFailure(error: unknown, requested: RequestedReports, io: Io, console: Console): Promise<void> {
  if ((requested.format ?? "text") === "text" && (requested.report ?? []).length === 0) return;
  const { reportFailure } = await import("../console/failure-report.ts");
  await reportFailure(error, requested, io, console);
}

/** `--emulator` takes a value only after `=`: the next argument is a path of the configuration. That of `conformance` takes none. */
function withEmulatorValue(args: readonly string[]): string[] {
  if (args.includes("conformance")) return [...args];
  return args.map((argument) => (argument === "--emulator" ? "--emulator=" : argument));
}

/**
 * Reads the reports as far as the command line can be understood. Wrong formats, files of the configuration and those of single environments
 * are left out.
 */
function requestedReports(
  args: readonly string[],
  commands: readonly Command[],
  paths: readonly string[] = [],
): RequestedReports {
  const end = args.indexOf("--");
  const typed = end < 0 ? args : args.slice(0, end);
  const { name: title = "", command } = namedCommand(args, commands) ?? {};
  const formats = command === undefined ? RESULTS : command.flags?.["--format <name>"]?.formats;
  const names: readonly string[] = formats?.names ?? [];
  const isOfAll = typed.includes("--all-environments");
  const [format, second] = valuesOf(typed, "--format");
  const [out, secretsOut, emulator] = ["--out", "--secrets-out", "--emulator"].map((flag) => valuesOf(typed, flag)[0]);
  return {
    command: title,
    paths,
    ...(format === undefined || second !== undefined || !names.includes(format) ? {} : { format }),
    report: valuesOf(typed, "--report").flatMap((value) => {
      const [, name = "", path = ""] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
      if (!names.includes(name) || isConfigurationName(path)) return [];
      return isOfAll && path.includes(PLACEHOLDER) ? [] : [{ format: name, path }];
    }),
    ...(out === undefined ? {} : { out }),
    ...(secretsOut === undefined ? {} : { secretsOut }),
    ...(emulator === undefined ? {} : { emulator }),
  };
}

/** The values of a long flag: `--format json` and `--format=json`. */
function valuesOf(args: readonly string[], flag: string): readonly string[] {
  return args.flatMap((argument, at) => {
    if (argument.startsWith(`${flag}=`)) return [argument.slice(flag.length + 1)];
    const value = argument === flag ? args[at + 1] : undefined;
    return value === undefined ? [] : [value];
  });
}
