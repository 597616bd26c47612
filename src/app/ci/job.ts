/** One job of a pipeline for one unit: the forge, the folder for reports, and how commands of the program run in it. */

import { join, relative } from "node:path";
import { EXIT, type ExitCode, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import { type Io, isTokenVariable } from "../../core/io.ts";
import { fieldsIn, type Json } from "../../core/json.ts";
import { ONLY_CHANGED } from "../../plan/model/plan.ts";
import type { Console } from "../console/console.ts";
import { checkoutOf, refusePlanted } from "./checkout.ts";
import type { JobFlags } from "./ci-definition.ts";
import { connectForge } from "./forge/connect.ts";
import type { Forge } from "./forge/forge.ts";
import { type JobCommand, writeOutputs } from "./outputs.ts";
import { type ProgramPlace, runProgram } from "./program.ts";
import { createReports, type ReportFolder, reportsPath } from "./reports.ts";
import { type Unit, unitOf } from "./units.ts";

/** A job. */
export interface PipelineJob {
  readonly unit: Unit;
  readonly forge: Forge;
  readonly reports: ReportFolder;
  readonly io: Io;
  readonly console: Console;
  /** Flags for every command that connects to the service. */
  readonly flags: readonly string[];
  /** Runs a command of the program, and keeps its output and its exit code under a name. */
  run(name: string, args: readonly string[], options?: Pick<ProgramPlace, "offline">): Promise<number>;
  /** The `--report` of a format in the folder for reports. */
  report(format: string, file: string): string;
}

/** Variables of a repository that a workflow hands on as one JSON object. A variable of its own comes first. */
export function readVariables({ env }: Io): void {
  const text = env.INCIDENTCTL_VARIABLES;
  if (text === undefined || text === "") return;
  let values: Json;
  try {
    values = JSON.parse(text);
  } catch {
    throw misuse("INCIDENTCTL_VARIABLES is an object in JSON");
  }
  for (const [name, value] of Object.entries(fieldsIn(values))) {
    const isOurs = /^INCIDENTCTL_[A-Z_]+$/.test(name) && !isTokenVariable(name);
    if (isOurs && typeof value === "string" && !env[name]) env[name] = value;
  }
}

/** Runs the function in a job. What it returns, or the code of its error, is the exit code. */
export async function inJob(
  command: JobCommand,
  options: JobFlags,
  io: Io,
  console: Console,
  work: (job: PipelineJob) => Promise<number>,
): Promise<number> {
  readVariables(io);
  console.conceal([io.env.GITHUB_TOKEN, io.env.GITLAB_TOKEN, io.env.INCIDENTCTL_PULL_TOKEN]);
  const forge = connectForge(io, console);
  const checkout = checkoutOf(io);
  const unit = unitOf(options.unit, checkout, io);
  refusePlanted(join(unit.directory, ".incidentctl"), io);
  const reports = createReports(reportsPath(options.reports, unit.name, io), unit.name, forge.run.attempt);
  const job: PipelineJob = {
    ...{ unit, forge, reports, io, console, flags: words(io.env.INCIDENTCTL_FLAGS) },
    async run(name, args, { offline = false } = {}) {
      const { directory, environment } = unit;
      const { code, log } = await runProgram(args, { directory, environment, offline }, io, console);
      reports.write(`${name}.log`, log);
      reports.note({ command: name, code });
      return code;
    },
    report: (format, file) => `--report=${format}=${reports.file(file)}`,
  };
  forge.output({ reports: reports.path, journal: join(unit.directory, ".incidentctl") });
  let code: number;
  try {
    code = await work(job);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.alert(`error: ${error.message}`);
    code = error.exitCode;
  }
  writeOutputs(command, { reports, forge, home: relative(checkout, unit.directory) });
  if (code !== EXIT.success) forge.annotate("error", REASONS[code] ?? `Exit code ${code}.`, titleOf(command, unit));
  return code;
}

/** Flags in a variable, split at blanks. */
export function words(text: string | undefined): readonly string[] {
  return (text ?? "").split(/\s+/).filter((word) => word !== "");
}

/** The flags of a plan of what files have changed since a commit: the change, and no drift, unless the team wants all of it. */
export function changeFlags(base: string | undefined, { env }: Pick<Io, "env">): readonly string[] {
  if (base === undefined) return [];
  return env.INCIDENTCTL_SCOPE === "all" ? ["--base", base] : ["--base", base, ONLY_CHANGED];
}

/**
 * Whether there is a token for the service. Pipelines of forks have none. A token is sent only to the address that the forge knows: files
 * could name another one.
 */
export function hasService({ flags, io: { env }, reports }: PipelineJob): boolean {
  if (flags.some((flag) => flag.startsWith("--emulator"))) return true;
  if (!env.INCIDENTCTL_TOKEN) return false;
  if (env.INCIDENTCTL_URL) return true;
  reports.note({ command: "plan", code: EXIT.usage });
  throw new Stop(EXIT.usage, "INCIDENTCTL_URL is not set: set it in the variables of the forge");
}

function titleOf(command: string, { name }: Unit): string {
  return `incidentctl ${command} (${name})`;
}

const REASONS: Readonly<Partial<Record<ExitCode | number, string>>> = {
  3: "An approval is missing, or a resource is protected. Nothing was written.",
  4: "Partly applied, or the result is unknown. The journal says which.",
  5: "The changes were not reviewed, or no longer are as reviewed. They are not applied.",
  6: "Authentication or permission error.",
  7: "A check failed.",
};
