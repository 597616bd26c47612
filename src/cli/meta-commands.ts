/** The commands that explain: nothing of them plans or writes. */

import type { CompletionOptions, Shape } from "../commands/completion.ts";
import type { DoctorOptions } from "../commands/doctor.ts";
import type { ExplainOptions } from "../commands/explain.ts";
import { variable } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import type { Console, LookOptions } from "../output/console.ts";
import { ANSWERS, format, listed } from "../output/formats.ts";
import type { Command } from "./command-line.ts";
import type { Making } from "./command-making.ts";
import { answering, configured, connecting } from "./shared-flags.ts";

/** How a command is run: loaded only when it is called for. */
export type Runner = <Options extends LookOptions>(
  options: Options,
  load: () => Promise<(options: Options, io: Io, console: Console) => number | Promise<number>>,
) => Promise<void>;

/** Adds them to the program, last, since completion offers what is there. */
export function guides(root: Command, command: Making, run: Runner): void {
  command(
    root,
    "explain",
    "what a kind or a field means, or where the values of an entry come from",
    "incidentctl explain custom_fields.options",
  )
    .argument("[subject...]", "KIND or KIND.field; with --origin: directories or files, the settings say when left out")
    .option("--origin <address>", "tell of each value of this entry which file and line it comes from")
    .option("-e, --env <name>", "with --origin: environment of the settings to use")
    .option("--var <name=value>", "with --origin: a variable of the configuration; repeatable", variable)
    .option("--format <name>", listed(ANSWERS), format(ANSWERS))
    .addHelpText("after", "  $ incidentctl explain --origin severities/critical -e staging")
    .action((paths: string[], _flags, self: Command) =>
      run<ExplainOptions>({ ...self.optsWithGlobals(), paths }, async () => {
        return (await import("../commands/explain.ts")).explain;
      }),
    );

  answering(
    connecting(
      configured(
        command(
          root,
          "doctor",
          "look at tokens, permissions, clock, lock and journals; exit 7 when something would be in the way",
          "incidentctl doctor",
        ),
      ),
    ),
    ANSWERS,
  ).action((paths: string[], _flags, self: Command) =>
    run<DoctorOptions>({ ...self.optsWithGlobals(), paths }, async () => {
      return (await import("../commands/doctor.ts")).doctor;
    }),
  );

  command(
    root,
    "completion",
    "print a script with which bash, zsh or fish completes command lines",
    "source <(incidentctl completion bash)",
  )
    .argument("<shell>", "bash, zsh or fish")
    .action((shell: string, _flags, self: Command) =>
      run<CompletionOptions>({ ...self.optsWithGlobals(), shell, program: shapeOf(root) }, async () => {
        return (await import("../commands/completion.ts")).completion;
      }),
    );
}

function shapeOf(command: Command): Shape {
  return {
    name: command.name(),
    description: command.description(),
    flags: [...command.options, { long: "--help", short: "-h", description: "what can be typed", required: false }].map(
      (option) => ({
        long: option.long ?? "",
        short: option.short,
        description: option.description,
        valued: option.required,
        ...("argChoices" in option ? { choices: option.argChoices } : {}),
      }),
    ),
    takes: command.registeredArguments.map((argument) => argument.name()),
    commands: command.commands.map(shapeOf),
  };
}
