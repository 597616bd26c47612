/** The reports that a command line asks for, also one with a usage error: whoever reads the report gets the error too. */

import type { Command } from "../command/definition.ts";
import type { RequestedReports } from "../console/failure-report.ts";
import { PLACEHOLDER, RESULTS } from "../console/formats.ts";
import { isConfigurationName } from "../console/path-conflicts.ts";

/**
 * Reads the reports as far as the command line can be understood. Wrong formats, files of the configuration and those of single environments
 * are left out.
 */
export function requestedReports(
  args: readonly string[],
  commands: readonly Command[],
  paths: readonly string[] = [],
): RequestedReports {
  const end = args.indexOf("--");
  const typed = end < 0 ? args : args.slice(0, end);
  const outer = commands.find(({ name }) => name === typed.find((argument) => !argument.startsWith("-")));
  const inner = outer?.commands.find(({ name }) => typed.includes(name));
  const command = inner ?? outer;
  const formats = command === undefined ? RESULTS : command.flags?.["--format <name>"]?.formats;
  const names: readonly string[] = formats?.names ?? [];
  const isOfAll = typed.includes("--all-environments");
  const [format, second] = valuesOf(typed, "--format");
  const [out, secretsOut, emulator] = ["--out", "--secrets-out", "--emulator"].map((flag) => valuesOf(typed, flag)[0]);
  return {
    command: [outer?.name ?? [], inner?.name ?? []].flat().join(" "),
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
