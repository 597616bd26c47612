/** The program: the flags of all commands, and how help is printed. */

import type { Io } from "../../core/io.ts";
import { version } from "../../core/package.ts";
import { sanitised } from "../../core/sanitise.ts";
import { Command, type CommandDefinition, type RunCommand } from "./command.ts";
import { exitCodeHelp } from "./exit-code-help.ts";
import { META_COMMANDS } from "./meta-commands.ts";
import { earlyFlagHint, otherProgramsHint } from "./other-programs.ts";
import { PLAN_COMMANDS } from "./plan-commands.ts";
import { WORKSPACE_COMMANDS } from "./workspace-commands.ts";

/** Every command of the program, in the order of the help. */
export const COMMANDS: readonly CommandDefinition[] = [...PLAN_COMMANDS, ...WORKSPACE_COMMANDS, ...META_COMMANDS];

const ENVIRONMENT = `
Environment:
  INCIDENTCTL_TOKEN        token of the service; never a flag
  INCIDENTCTL_ADMIN_TOKEN  administrator's token, for service keys and agents
  INCIDENTCTL_TOKEN_<ENV>  the same of an environment, for --all-environments
  INCIDENTCTL_URL          the service, like --url
  INCIDENTCTL_ENVIRONMENT  environment in the settings, like --env
  NO_COLOR, FORCE_COLOR    no colour; colour without a terminal as well
  COLUMNS                  width of the output
`;

/**
 * Creates the program with all commands. Only a command that the arguments name gets its flags, since the flags of all commands take 3 ms;
 * a completion script offers them all.
 */
export function createProgram(args: readonly string[], io: Io, run: RunCommand): Command {
  const program = new Command("incidentctl")
    .description("Configuration as code for an incident-management workspace.")
    .version(version)
    .option("--no-color", "no colour, even on a terminal (like NO_COLOR)")
    .option("-q, --quiet", "print only the result and errors")
    .option("-v, --verbose", "shorten nothing; show sources, and each request on stderr")
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
        const names = COMMANDS.map(({ name }) => name);
        const hint = earlyFlagHint(text, args, names) ?? otherProgramsHint(text);
        // A command of another program is not a misspelt one.
        const lines = hint === undefined ? text.split("\n") : text.split("\n").slice(0, 1);
        write(`${lines.map(sanitised).join("\n")}${hint === undefined ? "" : `\n    ${hint}\n`}`);
      },
    });
  // With an action, an unknown command would count as an argument of the program.
  if (args.every((argument) => argument.startsWith("-"))) {
    program.action(() => run(program, async () => (await import("./next-step.ts")).showNextStep));
  }
  for (const { name, description, example, define } of COMMANDS) {
    const command = program
      .command(name)
      .description(description)
      .addHelpText("after", () => `${exitCodeHelp(name)}\nExample:\n  $ ${example}`);
    if (args.includes(name) || args.includes("completion")) define(command, run);
  }
  return program;
}
