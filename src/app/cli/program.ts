/** The program, made of the definitions of its commands. The only file that imports commander. */

import { Command as CommanderCommand, CommanderError } from "commander";
import { ceiling, duration, failOn, last, port, positive, variable } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Command } from "../command/definition.ts";
import { exitCodeHelp } from "../command/exit-codes.ts";
import type { ArgumentRows, FlagRow, FlagRows, FlagValues } from "../command/flag.ts";
import type { ConsoleOptions } from "../console/console.ts";
import { parseFormat, parseReportTarget } from "../console/formats.ts";
import { refuseOuterFlags, usageCheck } from "./arguments.ts";
import { earlyFlagHint, otherProgramsHint } from "./other-programs.ts";
import { workingForm } from "./working-form.ts";

export { CommanderError };

/** Runs the function of a command with the values of its flags and arguments. */
export type RunCommand = (
  options: ConsoleOptions,
  load: Command["load"],
  values?: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** The flags of every command. */
export const GLOBAL_FLAGS: FlagRows = {
  "--no-color": { help: "no colour, even on a terminal (like NO_COLOR)" },
  "-q, --quiet": { help: "print only the result and errors" },
  "-v, --verbose": { help: "shorten nothing; show sources, and each request on stderr" },
};

const ENVIRONMENT = `
Environment:
  INCIDENTCTL_TOKEN        token of the service; never a flag
  INCIDENTCTL_ADMIN_TOKEN  administrator's token, for service keys and agents
  INCIDENTCTL_TOKEN_<ENV>  the same of an environment, for --all-environments
  INCIDENTCTL_URL          the service, like --url
  INCIDENTCTL_ENVIRONMENT  environment in the settings, like --env
  NO_COLOR, FORCE_COLOR    no colour; colour without a terminal as well
  COLUMNS                  width of the output`;

/** Creates the program. Only a command that the arguments name gets its flags, since the flags of all commands take 3 ms. */
export function createProgram(
  commands: readonly Command[],
  args: readonly string[],
  io: Io,
  run: RunCommand,
): CommanderCommand {
  const program = new CommanderCommand("incidentctl")
    .description("Configuration as code for an incident-management workspace.")
    .version(version)
    .addHelpText("after", ENVIRONMENT)
    .addHelpText("after", "\nExample:\n  $ incidentctl init\n  $ incidentctl plan --emulator")
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => (io.stdout.terminal ? (io.stdout.columns ?? 80) : 80),
      getErrHelpWidth: () => (io.stderr.terminal ? (io.stderr.columns ?? 80) : 80),
      outputError: (text, write) => {
        const names = commands.map(({ name }) => name);
        const hint = earlyFlagHint(text, args, names) ?? otherProgramsHint(text);
        // A command of another program is not a misspelt one.
        const lines = hint === undefined ? text.split("\n") : text.split("\n").slice(0, 1);
        const form = hint === undefined ? workingForm(text, args, commands) : hint;
        const whole = lines.map(sanitised).join("\n").trimEnd();
        write(`${whole}\n${form === undefined ? "" : `    ${form}\n`}`);
      },
    });
  addFlags(program, GLOBAL_FLAGS, args);
  // With an action, an unknown command would count as an argument of the program.
  if (args.every((argument) => argument.startsWith("-"))) {
    program.action(() => run(program.opts(), async () => (await import("./next-step.ts")).showNextStep));
  }
  for (const definition of commands) {
    const command = addCommand(program, definition);
    if (!args.includes(definition.name)) continue;
    addParameters(command, definition, args, run);
    for (const inner of definition.commands) {
      const own = addCommand(command, inner)
        // The flags of the outer command are its own.
        .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...program.options] });
      addParameters(own, inner, args, run, command);
    }
  }
  return program;
}

function addCommand(
  outer: CommanderCommand,
  { name, summary, exitCodes, examples, note, hidden, group }: Command,
): CommanderCommand {
  const lines = examples.map((example) => `  $ ${example}`).join("\n");
  const command = outer.command(name, { hidden: hidden === true });
  if (group !== undefined) command.helpGroup(`${group}:`);
  return command
    .description(summary)
    .addHelpText(
      "after",
      () => `${exitCodeHelp(exitCodes)}\nExample:\n${lines}${note === undefined ? "" : `\n\n${note}`}`,
    );
}

/** Adds the arguments and flags of a command, and runs it with their values. */
function addParameters(
  command: CommanderCommand,
  { arguments: rows = {}, flags = {}, load }: Command,
  args: readonly string[],
  run: RunCommand,
  outer?: CommanderCommand,
): void {
  for (const [spelling, { help }] of Object.entries(rows)) command.argument(spelling, help);
  addFlags(command, flags, args);
  command.action((...values: readonly unknown[]) => {
    if (outer !== undefined) refuseOuterFlags(outer, command, flags["--format <name>"]?.formats);
    return run(command.optsWithGlobals(), load, argumentValues(rows, values));
  });
}

/** The values of arguments by option: `<address>` is `address`, and `[path...]` is `paths`. */
function argumentValues(rows: ArgumentRows, values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(rows).flatMap((spelling, at) =>
      values[at] === undefined ? [] : [[spelling.slice(1, -1).replace(/\.{3}$/, "s"), values[at]]],
    ),
  );
}

function addFlags(command: CommanderCommand, flags: FlagRows, args: readonly string[]): void {
  for (const [spelling, row] of Object.entries(flags)) {
    const option = command.createOption(spelling, row.help).makeOptionMandatory(row.required === true);
    const parser = parserOf(row, option.long ?? spelling);
    if (parser !== undefined) option.argParser(parser);
    if (row.choices !== undefined) option.choices(row.choices);
    command.addOption(option).on(`option:${option.name()}`, usageCheck(option, row, args));
  }
}

type Parser = (text: string, before: unknown) => unknown;

const PARSERS: {
  readonly [Name in keyof FlagValues]: (flag: string, text: string, before: unknown) => FlagValues[Name];
} = {
  text: (_flag, text) => text,
  count: (flag, text) => positive(flag)(text),
  duration: (flag, text) => duration(flag)(text),
  port: (_flag, text) => port(text),
  incidents: (_flag, text) => last(text),
  removals: (_flag, text) => ceiling(text),
  severity: (_flag, text) => failOn(text),
  variables: (_flag, text, before) => variable(text, before as FlagValues["variables"] | undefined),
};

/** The parser of a flag's value; undefined if it is the text, or one of some choices. */
function parserOf({ takes, formats, repeatable }: FlagRow, flag: string): Parser | undefined {
  if (takes !== undefined) return (text, before) => PARSERS[takes](flag, text, before);
  if (repeatable !== true) return formats && parseFormat(formats);
  const parse = formats === undefined ? String : parseReportTarget(formats);
  return (text, before) => [...(Array.isArray(before) ? before : []), parse(text)];
}
