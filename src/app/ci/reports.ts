/** The folder with the reports of a unit: made anew by the command that writes them, and read without following links. */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { hasCode } from "../../core/file-system.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { type Fields, fieldsIn, type Json, objectsIn, textIn } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { prettyJson } from "../../view/format/json.ts";
import type { CommandResult, UnitReports } from "../../view/pipeline/reports.ts";

/** Bytes of a report that is read. */
const LARGEST = 64 * 1024 * 1024;
/** The file with the unit, the attempt of the run, and the exit codes of its commands. */
const RESULTS = "results.json";

/** A folder that this command writes. */
export interface ReportFolder extends UnitReports {
  readonly path: string;
  /** The path of a report. */
  file(name: string): string;
  write(name: string, text: string): void;
  /** Records how a command ended. */
  note(result: CommandResult): void;
}

/** Makes the folder of a unit, which must not exist: whatever is there may be a pull request's. */
export function createReports(path: string, unit: string, attempt: string): ReportFolder {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, "EEXIST")) {
      throw new Stop(
        EXIT.error,
        `the folder for reports exists: ${quoted(path)}. Remove it, or name another one with --reports`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stop(EXIT.error, `the folder for reports cannot be made: ${reason}`);
  }
  const results: CommandResult[] = [];
  return {
    ...{ name: unit, results, path },
    file: (name) => join(path, name),
    read: (name) => textOf(join(path, name)),
    write: (name, text) => writeFileSync(join(path, name), text, { mode: 0o600, flag: "w" }),
    note(result) {
      results.push(result);
      writeFileSync(join(path, RESULTS), prettyJson({ unit, attempt, results: results.map((one) => ({ ...one })) }));
    },
  };
}

/**
 * The reports below a folder, or those of the folder itself, for each of these units: of the newest attempt where there are several. A unit
 * without reports has no results. Reports of other units are left out. If no job has left any, an optional folder is missing.
 */
export function readReports(
  folder: string,
  units: readonly string[],
  { isOptional }: { readonly isOptional: boolean },
): readonly UnitReports[] {
  const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder(folder) && !isOptional) throw misuse(`there is no folder ${quoted(folder)}`);
  const inside = isFolder(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const folders = [folder, ...inside].filter(isFolder);
  const found = folders
    .map((path) => ({ path, ...resultsOf(path) }))
    .sort((left, right) => right.attempt - left.attempt);
  return units.map((name) => {
    const [newest, next] = found.filter(({ unit }) => unit === name);
    if (newest !== undefined && newest.attempt === next?.attempt) {
      throw new Stop(EXIT.error, `two folders have reports of the unit ${name}`);
    }
    if (newest === undefined) return { name, results: [], read: () => "" };
    return { name, results: newest.results, read: (file) => textOf(join(newest.path, file)) };
  });
}

/** The JSON of a report; undefined if there is none, or only the error that ended the command. */
export function jsonReport({ read }: Pick<UnitReports, "read">, file: string): Fields | undefined {
  const text = read(file);
  if (text === "") return undefined;
  const report = fieldsIn(JSON.parse(text) as Json);
  return report.error === undefined ? report : undefined;
}

/** The folder for reports if no flag names one: outside the checkout where the runner has a place for that. */
export function reportsPath(chosen: string | undefined, unit: string, { env, cwd }: Io): string {
  const named = chosen || env.INCIDENTCTL_REPORTS;
  if (named) return resolve(cwd, named);
  if (env.RUNNER_TEMP) return join(env.RUNNER_TEMP, "reports");
  // GitLab takes artifacts from the checkout alone, and those of several units from one folder.
  if (!env.GITLAB_CI || !env.CI_PROJECT_DIR) return join(cwd, "reports");
  const shared = join(env.CI_PROJECT_DIR, "reports");
  createReports(shared, unit, "1");
  return join(shared, unit);
}

function resultsOf(folder: string): {
  readonly unit: string;
  readonly attempt: number;
  readonly results: readonly CommandResult[];
} {
  const text = textOf(join(folder, RESULTS));
  const { unit, attempt, results } = text === "" ? fieldsIn(undefined) : fieldsIn(JSON.parse(text) as Json);
  return {
    unit: textIn(unit) ?? "",
    attempt: Number(attempt ?? 1),
    results: objectsIn(results).flatMap(({ command, code }) =>
      typeof command === "string" && /^\w+$/.test(command) && (typeof code === "number" || code === "none")
        ? [{ command, code }]
        : [],
    ),
  };
}

/** The text of a regular file; empty if there is none. No link is followed, and a pipe is not waited for. */
function textOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO", "EMLINK"].some((code) => hasCode(error, code))) return "";
    throw error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return "";
    if (status.size > LARGEST) throw new Stop(EXIT.error, `${quoted(path)} is too large to be a report`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
