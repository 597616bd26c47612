/** `ci apply`: applies the reviewed plan, or the proposal that a person names, and nothing else. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { type Fields, fieldsIn, type Json, textIn } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Console } from "../console/console.ts";
import { makePrivate } from "./checkout.ts";
import type { CiApplyOptions } from "./ci-definition.ts";
import type { FoundPlan } from "./forge/forge.ts";
import { hasService, inJob, type PipelineJob, words } from "./job.ts";

/** A plan to apply. */
interface Candidate {
  readonly file: string;
  /** The fingerprint that it must have. */
  readonly fingerprint: string;
  readonly plan: Fields;
}

/** Applies. Exits with 5 if changes need a review. */
export function apply(options: CiApplyOptions, io: Io, console: Console): Promise<number> {
  const fingerprint = options.fingerprint || io.env.INCIDENTCTL_FINGERPRINT || undefined;
  if (fingerprint !== undefined && !/^[0-9a-f]{32}$/.test(fingerprint)) {
    throw misuse("--fingerprint takes the 32 hex digits below the proposal");
  }
  return inJob("apply", options, io, console, async (job) => {
    if (!hasService(job)) {
      job.reports.note({ command: "apply", code: EXIT.cannotSee });
      throw new Stop(EXIT.cannotSee, "INCIDENTCTL_TOKEN is not set");
    }
    const outside = mkdtempSync(join(io.env.RUNNER_TEMP || tmpdir(), "incidentctl-plan-"));
    try {
      return await applyFound(job, outside, { file: options.plan, fingerprint });
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
}

async function applyFound(
  job: PipelineJob,
  outside: string,
  wanted: {
    readonly file: string | undefined;
    readonly fingerprint: string | undefined;
  },
): Promise<number> {
  const { unit, console, reports } = job;
  const found = await findPlan(job, wanted);
  console.note(sanitised(found.origin));
  restoreJournal(found.journal, unit.directory);
  let outcome: number | undefined;
  if (found.plan !== undefined) {
    const file = join(outside, "reviewed.plan");
    writeFileSync(file, found.plan, { mode: 0o600 });
    outcome = await applyPlan(job, file, wanted.fingerprint);
    if (outcome === EXIT.success) job.forge.output({ applied: "true" });
    else if (outcome === EXIT.stale) console.note("the reviewed plan no longer holds, and nothing was written");
    else return outcome;
  } else if (wanted.fingerprint !== undefined) {
    reports.note({ command: "apply", code: EXIT.stale });
    throw new Stop(EXIT.stale, `there is no plan with the fingerprint ${sanitised(wanted.fingerprint)}`);
  }
  const proposed = await propose(job);
  if (proposed !== EXIT.success) return proposed;
  // A person has named a plan, and it was not applied.
  return wanted.fingerprint === undefined ? EXIT.success : (outcome ?? EXIT.success);
}

/** The plan of `--plan`, or else the one that the forge knows. */
async function findPlan(
  { forge, unit, reports, io }: PipelineJob,
  { file, fingerprint }: { readonly file: string | undefined; readonly fingerprint: string | undefined },
): Promise<FoundPlan> {
  const journal: FoundPlan["journal"] = new Map();
  if (file !== undefined) return { plan: readFileSync(resolve(io.cwd, file)), origin: `the plan ${file}`, journal };
  if (forge.findPlan === undefined) return { origin: "there is no reviewed plan: name it with --plan", journal };
  try {
    const search = { unit: unit.name, environment: unit.environment };
    const found = await forge.findPlan(fingerprint === undefined ? search : { ...search, proposal: fingerprint });
    reports.note({ command: "find", code: EXIT.success });
    return found;
  } catch (error) {
    const code = error instanceof Stop ? error.exitCode : EXIT.error;
    const message = error instanceof Error ? error.message : String(error);
    reports.write("find.log", `${sanitised(message)}\n`);
    reports.note({ command: "find", code });
    throw new Stop(code, message);
  }
}

/** Writes the journals of an interrupted run, which is finished before anything else is written. Other files are left out. */
function restoreJournal(journal: FoundPlan["journal"], directory: string): void {
  const home = join(directory, ".incidentctl");
  for (const [name, bytes] of journal) {
    if (!/^journals\/\w[\w.-]*$/.test(name)) continue;
    mkdirSync(join(home, "journals"), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, name), bytes, { mode: 0o600 });
  }
  makePrivate(home);
}

/** Applies a saved plan. One that is stale also holds if only other resources have changed: then it has the same fingerprint. */
async function applyPlan(job: PipelineJob, file: string, named: string | undefined): Promise<number> {
  const { run, reports, flags, io, report } = job;
  const candidate = candidateOf(file, named);
  if (typeof candidate === "string") {
    reports.write("apply.log", `${candidate}\n`);
    reports.note({ command: "apply", code: EXIT.stale });
    job.console.note(candidate);
    return EXIT.stale;
  }
  const { fingerprint, plan } = candidate;
  const approvals = [...words(io.env.INCIDENTCTL_APPLY_FLAGS), ...words(io.env.INCIDENTCTL_APPROVALS)];
  const common = [`--expect-plan=${fingerprint}`, "--yes", report("markdown", "apply.md"), ...flags, ...approvals];
  const first = await run("apply", ["apply", "--plan", file, ...common]);
  if (first !== EXIT.stale) return first;
  // A file that is no plan, or a damaged one, could name any fingerprint.
  if ((await run("show", ["show", file])) !== EXIT.success) {
    reports.note({ command: "apply", code: first });
    return first;
  }
  return run("apply", ["apply", ...common, ...("partial" in plan ? ["--without-admin"] : [])]);
}

/** The plan in a file; a reason if it is none of the reviewed files. */
function candidateOf(file: string, named: string | undefined): Candidate | string {
  let json: Json;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return "the reviewed plan is not a plan of this program";
  }
  const plan = fieldsIn(json);
  if ("undoes" in plan) return "the plan undoes an earlier run: it is not a plan of these files";
  const fingerprint = named ?? textIn(fieldsIn(plan.seal).fingerprint);
  if (fingerprint === undefined || !/^[0-9a-f]{32}$/.test(fingerprint)) {
    return "the reviewed plan is not a plan of this program";
  }
  return { file, fingerprint, plan };
}

/** Plans what remains to be changed, which was not reviewed. It is not applied. */
async function propose({ run, report, reports, flags, console }: PipelineJob): Promise<number> {
  const code = await run("propose", [
    ...["plan", ...flags, "--detailed-exitcode", "--out", reports.file("proposal.plan")],
    ...[report("markdown", "proposal.md"), report("html", "proposal.html"), report("json", "proposal.json")],
  ]);
  if (code === EXIT.success) {
    for (const end of ["plan", "md", "html", "json"]) rmSync(reports.file(`proposal.${end}`), { force: true });
  }
  if (code !== EXIT.changes) return code;
  console.note(`read ${reports.file("proposal.md")}, then apply the proposal`);
  return EXIT.stale;
}
