/** The end of each usage error: a form of the command that works. */

import { sanitised } from "../../core/sanitise.ts";
import type { Command } from "../command/definition.ts";

/** The command that arguments name. */
interface NamedCommand {
  /** `ci drift`. */
  readonly name: string;
  readonly command: Command;
}

/** The command that the arguments name; undefined if there is none. */
export function namedCommand(args: readonly string[], commands: readonly Command[]): NamedCommand | undefined {
  const end = args.indexOf("--");
  const typed = end < 0 ? args : args.slice(0, end);
  const outer = commands.find(({ name }) => name === typed.find((argument) => !argument.startsWith("-")));
  if (outer === undefined) return undefined;
  const inner = outer.commands.find(({ name }) => typed.includes(name));
  return inner === undefined
    ? { name: outer.name, command: outer }
    : { name: `${outer.name} ${inner.name}`, command: inner };
}

/** Whether a message names a form that works already. */
const NAMES_FORM =
  /incidentctl |such as |write --|no blanks: |--format \w+ prints|Did you mean|did you mean| like |; use |for example/;

/** A line with a form of the command that works; undefined if the message names one. */
export function workingForm(
  message: string,
  args: readonly string[],
  commands: readonly Command[],
): string | undefined {
  if (NAMES_FORM.test(message)) return undefined;
  const named = namedCommand(args, commands);
  if (named === undefined) return "incidentctl --help lists the commands";
  const { name, command } = named;
  const flag = Object.keys(command.flags ?? {}).find((spelling) => message.includes(`option '${spelling}' argument`));
  if (flag === undefined) return sanitised(`for example: ${command.examples[0]}`);
  const [, long = "", value = ""] = /(--[\w-]+)[ =[]+<?([\w=-]+)/.exec(flag) ?? [];
  const [first, second] = command.flags?.[flag]?.formats?.names ?? command.flags?.[flag]?.choices ?? [];
  return sanitised(`for example: incidentctl ${name} ${long} ${second ?? first ?? value.toUpperCase()}`);
}
