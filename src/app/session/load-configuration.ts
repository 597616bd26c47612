/** Loads the configuration for a command. */

import type { ExtractionCache } from "../../config/load/extraction-cache.ts";
import { type LoadContext, load, loadWithErrors } from "../../config/load/load.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { locate } from "../../config/settings/project.ts";
import { DISK } from "../../config/source/disk.ts";
import type { FileTree } from "../../config/source/file-tree.ts";
import { fileName } from "../../config/source/files.ts";
import { Findings } from "../../core/findings.ts";
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
  console.conceal(configuration.secrets, "files");
  reportWarnings(configuration, console);
  return configuration;
}

/**
 * The configuration as far as it is known in spite of its errors, for a command that works beside broken files: for the settings, and for
 * the values that are masked. Throws for errors in the settings, which say where the token may be sent.
 */
export async function loadBesideErrors(options: ConfigurationOptions, io: Io): Promise<Configuration> {
  const context = { ...loadContextOf(options, io), cwd: io.cwd, tree: DISK, mayBeEmpty: true };
  const { configuration, error } = await loadWithErrors([], context);
  const project = locate([], io.cwd, new Findings());
  const file = project?.settings === undefined ? undefined : fileName(project.root, project.settings);
  const isInSettings = error?.diagnostics.some(({ severity, at }) => severity === "error" && at?.file === file);
  if (configuration === undefined || isInSettings === true) throw error;
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
