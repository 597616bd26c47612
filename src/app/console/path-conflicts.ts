/** Checks that a command does not write to a file of the configuration, or to the same file twice. */

import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { locate } from "../../config/settings/project.ts";
import { isInside } from "../../config/source/file-tree.ts";
import { Findings } from "../../core/findings.ts";
import { misuse } from "../../core/flag-values.ts";
import { quoted } from "../../core/sanitise.ts";

/** The flags of a command that name files to write, and the paths of the configuration. */
export interface OutputPaths {
  readonly paths: readonly string[];
  readonly out?: string;
  readonly report?: readonly { readonly path: string }[];
  readonly secretsOut?: string;
  /** Empty for the default database. */
  readonly emulator?: string;
}

interface OutputFile {
  readonly flag: string;
  readonly path: string;
}

/** Names of files that belong to the configuration, anywhere in a project. */
const CONFIGURATION_FILE = /\.ya?ml$|^incidentctl\.(?:lock|accepted\.json)$/;

/** Whether a file of this name may belong to a configuration. */
export function isConfigurationName(path: string): boolean {
  return CONFIGURATION_FILE.test(basename(path));
}

/** Ends the command if a file to write would be read as configuration, by this or the next run, or is named twice. */
export function refusePathConflicts(options: OutputPaths, cwd: string): void {
  const conflict = pathConflict(options, cwd);
  if (conflict !== undefined) throw misuse(conflict);
}

/** Why the files may not be written; undefined if they may. */
export function pathConflict(options: OutputPaths, cwd: string): string | undefined {
  const outputs = outputsOf(options);
  const project = outputs.length === 0 ? undefined : locate(options.paths, cwd, new Findings());
  const roots = project === undefined ? [] : [project.root, project.home].map(real);
  const written = new Map<string, OutputFile>();
  for (const output of outputs) {
    const path = resolve(cwd, output.path);
    const target = join(real(dirname(path)), basename(path));
    const other = written.get(target);
    if (other !== undefined) return `${output.flag} and ${other.flag} both name ${quoted(output.path)}`;
    written.set(target, output);
    const isRead = roots.some((root) => isInside(target, root) && isVisible(root, target));
    if (!isRead || !isConfigurationName(target)) continue;
    return `${output.flag} names ${quoted(output.path)}, which belongs to the configuration; use another name`;
  }
  return undefined;
}

function outputsOf({ out, report = [], secretsOut, emulator }: OutputPaths): readonly OutputFile[] {
  return [
    ...(out === undefined ? [] : [{ flag: "--out", path: out }]),
    ...report.map(({ path }) => ({ flag: "--report", path })),
    ...(secretsOut === undefined ? [] : [{ flag: "--secrets-out", path: secretsOut }]),
    ...(emulator === undefined || emulator === "" ? [] : [{ flag: "--emulator", path: emulator }]),
  ];
}

/** Whether no folder on the path is hidden. Hidden folders are not searched for configuration. */
function isVisible(root: string, target: string): boolean {
  return !/(?:^|[\\/])\./.test(relative(root, target));
}

/** The path with symbolic links resolved; unchanged if it does not exist yet. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
