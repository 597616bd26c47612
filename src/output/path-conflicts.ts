/** What a command writes must not be what it reads: neither a file of the configuration, nor another thing that it writes. */

import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Findings } from "../config/load/findings.ts";
import { locate } from "../config/settings/project.ts";
import { isInside } from "../config/source/files.ts";
import { misuse } from "../core/flag-values.ts";
import { quoted } from "../core/sanitise.ts";

/** The flags of a command that name files which it writes, and the paths of the configuration. */
export interface Writes {
  readonly paths: readonly string[];
  readonly out?: string;
  readonly report?: readonly { readonly path: string }[];
  readonly secretsOut?: string;
  /** Empty for the default database. */
  readonly emulator?: string;
}

interface Output {
  readonly flag: string;
  readonly path: string;
}

/** Files that are read by their name, wherever they lie in a project. */
const READ = /\.ya?ml$|^incidentctl\.(?:lock|accepted\.json)$/;

/** Ends the command when a file that it would write is one that it, or the next run, would read, or is named twice. */
export function refuseOverlaps(options: Writes, cwd: string): void {
  const outputs = outputsOf(options);
  const project = outputs.length === 0 ? undefined : locate(options.paths, cwd, new Findings());
  const roots = project === undefined ? [] : [project.root, project.home].map(real);
  const written = new Map<string, Output>();
  for (const output of outputs) {
    const path = resolve(cwd, output.path);
    const target = join(real(dirname(path)), basename(path));
    const other = written.get(target);
    if (other !== undefined) throw misuse(`${output.flag} and ${other.flag} both name ${quoted(output.path)}`);
    written.set(target, output);
    if (!READ.test(basename(target)) || !roots.some((root) => isInside(target, root) && isSeen(root, target))) continue;
    throw misuse(
      `${output.flag} names ${quoted(output.path)}, which is or would be read as a part of the configuration; give it another name`,
    );
  }
}

function outputsOf({ out, report = [], secretsOut, emulator }: Writes): readonly Output[] {
  return [
    ...(out === undefined ? [] : [{ flag: "--out", path: out }]),
    ...report.map(({ path }) => ({ flag: "--report", path })),
    ...(secretsOut === undefined ? [] : [{ flag: "--secrets-out", path: secretsOut }]),
    ...(emulator === undefined || emulator === "" ? [] : [{ flag: "--emulator", path: emulator }]),
  ];
}

/** Whether nothing on the way is hidden, since what is hidden is never looked into. */
function isSeen(root: string, target: string): boolean {
  return !/(?:^|[\\/])\./.test(relative(root, target));
}

/** The path without links; as it is when there is nothing yet. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
