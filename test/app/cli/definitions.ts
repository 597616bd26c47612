/** The definitions of all commands, also of those inside others, by name: `drift accept`. */

import { COMMANDS } from "../../../src/app/cli/commands.ts";
import type { Command } from "../../../src/app/command/definition.ts";

export const DEFINITIONS: ReadonlyMap<string, Command> = new Map(
  COMMANDS.flatMap((outer) => [
    [outer.name, outer] as const,
    ...outer.commands.map((inner) => [`${outer.name} ${inner.name}`, inner] as const),
  ]),
);

/** The names of a flag in its spelling: `-o` and `--out`. */
export function optionNames(spelling: string): readonly string[] {
  return spelling.match(/--?[a-z-]+(?=[, ]|$)/g) ?? [];
}
