/** Loads the configuration for a command. */

import type { ExtractionCache } from "../../config/load/extraction-cache.ts";
import { type LoadContext, load } from "../../config/load/load.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import type { FileTree } from "../../config/source/file-tree.ts";
import type { Io } from "../../core/io.ts";
import { kinds } from "../../kinds/index.ts";
import type { ConfigurationOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { reportWarnings } from "../console/error-report.ts";
import { refusePathConflicts } from "../console/path-conflicts.ts";
import { optimiseLater } from "./v8-flags.ts";

/**
 * Loads the configuration and prints its warnings. Throws `InvalidConfiguration` with all errors. With other `files` than those on
 * the disk, a configuration may be empty.
 */
export async function loadConfiguration(
  options: ConfigurationOptions,
  io: Io,
  console: Console,
  { files, cache }: { readonly files?: FileTree | undefined; readonly cache?: ExtractionCache } = {},
): Promise<Configuration> {
  // The options hold all flags of the command, including output files.
  refusePathConflicts(options, io.cwd);
  const configuration = await load(options.paths, {
    ...loadContextOf(options, io),
    cwd: io.cwd,
    onSize: optimiseLater,
    ...(cache === undefined ? {} : { cache }),
    ...(files === undefined ? {} : { tree: files, mayBeEmpty: true }),
  });
  console.conceal(configuration.secrets);
  reportWarnings(configuration, console);
  return configuration;
}

/** The options of a load by the command line and the environment, without the files. */
export function loadContextOf(options: ConfigurationOptions, { env }: Pick<Io, "env">): Omit<LoadContext, "cwd"> {
  return { kinds, env, ...environmentOf(options, env), ...(options.var === undefined ? {} : { vars: options.var }) };
}

/** The environment that the command line chooses, or else the variable. Nothing is chosen by an empty name. */
function environmentOf(
  { env: flag }: ConfigurationOptions,
  { INCIDENTCTL_ENVIRONMENT: variable = "" }: Io["env"],
): Pick<LoadContext, "environment" | "environmentVariable"> {
  const name = flag ?? variable;
  if (name === "") return {};
  return { environment: name, ...(flag === undefined ? { environmentVariable: "INCIDENTCTL_ENVIRONMENT" } : {}) };
}
