/** `ci apply`: applies the reviewed plans of what was merged, or the proposal that a person names, and nothing else. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { EXIT, Stop } from "../../../core/exit-codes.ts";
import { misuse } from "../../../core/flag-values.ts";
import type { Io } from "../../../core/io.ts";
import { sanitised } from "../../../core/sanitise.ts";
import type { Console } from "../../console/console.ts";
import { checkoutOf, makePrivate } from "../checkout.ts";
import type { CiApplyOptions } from "../ci-definition.ts";
import { type ForgePlans, type FoundPlan, refusal } from "../forge/forge.ts";
import { hasService, inJob, type PipelineJob } from "../job.ts";
import { applyPlan, propose } from "./apply-plan.ts";
import { type History, openHistory } from "./history.ts";
import { readRecord, writeRecord } from "./record.ts";

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
      const { plans } = job.forge;
      if (options.plan === undefined && plans !== undefined) {
        return await new BranchApply(job, plans, outside, fingerprint).run();
      }
      const found = fileOf(options.plan, io);
      const { outcome, rest } = await applyOne(job, outside, found, fingerprint, job.forge.base);
      return outcome ?? rest;
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
}

function fileOf(file: string | undefined, { cwd }: Io): FoundPlan {
  if (file === undefined) return { origin: "there is no reviewed plan: name it with --plan", isMerge: false };
  return { plan: readFileSync(resolve(cwd, file)), origin: `the plan ${file}`, isMerge: false };
}

/**
 * Applies one plan of the files in the checkout, and proposes what remains. `outcome` is the exit code if nothing is proposed, or if the
 * plan that a person has named was not applied.
 */
async function applyOne(
  job: PipelineJob,
  outside: string,
  { plan, origin }: FoundPlan,
  named: string | undefined,
  base: string | undefined,
): Promise<{ readonly outcome?: number; readonly rest: number }> {
  job.console.note(sanitised(origin));
  if (plan === undefined && named !== undefined) {
    job.reports.note({ command: "apply", code: EXIT.stale });
    throw new Stop(EXIT.stale, `there is no plan with the fingerprint ${sanitised(named)}`);
  }
  const code = plan === undefined ? EXIT.stale : await applyPlan(job, { plan, outside, base, named, name: "apply" });
  if (code === EXIT.success) job.forge.output({ applied: "true" });
  else if (code !== EXIT.stale) return { outcome: code, rest: code };
  const rest = await propose(job, base);
  return code === EXIT.stale && named !== undefined && rest === EXIT.success ? { outcome: code, rest } : { rest };
}

/** One run for the default branch of a forge. */
class BranchApply {
  readonly #job: PipelineJob;
  readonly #plans: ForgePlans;
  readonly #outside: string;
  readonly #named: string | undefined;
  readonly #history: History;
  readonly #home: string;

  constructor(job: PipelineJob, plans: ForgePlans, outside: string, named: string | undefined) {
    this.#job = job;
    this.#plans = plans;
    this.#outside = outside;
    this.#named = named;
    this.#history = openHistory(job.io);
    this.#home = join(job.unit.directory, ".incidentctl");
  }

  async run(): Promise<number> {
    const { unit } = this.#job;
    const base = await this.#find(async () => {
      const search = { unit: unit.name, environment: unit.environment };
      const named = this.#named === undefined ? search : { ...search, proposal: this.#named };
      restoreJournal(await this.#plans.journal(unit.name), this.#home);
      const found = await this.#base();
      // Also of a run that applies nothing, since the next one begins here.
      this.#keep(found, readRecord(this.#home, unit.name).applied);
      await this.#plans.permit(named, (path) => this.#isOfUnit(path));
      return found;
    });
    const code = this.#named === undefined ? await this.#applyMerged(base) : await this.#applyNamed(this.#named, base);
    if (code === EXIT.success) this.#keep(this.#history.head, []);
    return code;
  }

  /** Anything that looks like a file of the configuration. */
  #isOfUnit(path: string): boolean {
    const { unit, io } = this.#job;
    const inside = relative(unit.directory, resolve(checkoutOf(io), path));
    return /\.ya?ml$/.test(path) && !inside.startsWith("..") && !inside.startsWith(".github/");
  }

  /** The commit up to which everything is applied. */
  async #base(): Promise<string | undefined> {
    const { head, before, isBefore, commitOf } = this.#history;
    const { through } = readRecord(this.#home, this.#job.unit.name);
    if (through !== undefined && through !== head && isBefore(head, through)) {
      throw refusal(`${through} is applied, which has a run of its own. Nothing of ${head} is applied`);
    }
    const pushed = this.#job.forge.before ?? "";
    const unstarted = through === undefined ? await this.#plans.unstarted?.() : undefined;
    const start = [through, unstarted, pushed].find(
      (commit) => commit !== undefined && commit !== "" && isBefore(commit, head),
    );
    return start === undefined ? before : commitOf(start);
  }

  #keep(base: string | undefined, applied: readonly string[]): void {
    writeRecord(this.#home, this.#job.unit.name, { ...(base === undefined ? {} : { through: base }), applied });
  }

  /** Applies the plan of each change since the base, from the files of its commit, and proposes what remains. */
  async #applyMerged(base: string | undefined): Promise<number> {
    const { unit, console, forge, reports } = this.#job;
    const { head, since } = this.#history;
    const applied = [...readRecord(this.#home, unit.name).applied];
    if (base === head) console.note("everything that was merged is applied");
    let [last, blocked]: [string | undefined, number | undefined] = [base, undefined];
    for (const commit of since(base)) {
      if (applied.includes(commit)) {
        last = commit;
        continue;
      }
      const found = await this.#find(() => this.#plans.reviewed(unit.name, commit));
      console.note(sanitised(found.origin));
      if (found.plan !== undefined) {
        const name = commit === head ? "apply" : "earlier";
        const code = await this.#at(commit, { plan: found.plan, base: last, name });
        if (code === EXIT.success) {
          applied.push(commit);
          this.#keep(base, applied);
          forge.output({ applied: "true" });
        } else if (code === EXIT.stale) console.note("the reviewed plan no longer holds, and nothing was written");
        else if (code === EXIT.refused) blocked = code;
        else return code;
      }
      if (found.isMerge) last = commit;
    }
    if (blocked === undefined) return propose(this.#job, base, { isEverything: forge.isManual === true });
    reports.note({ command: "apply", code: blocked });
    return blocked;
  }

  /** Runs the apply of a plan with the files of a commit. */
  async #at(
    commit: string,
    { plan, base, name }: { plan: Uint8Array; base: string | undefined; name: string },
  ): Promise<number> {
    const isHead = commit === this.#history.head;
    const { reports, console } = this.#job;
    if (!isHead && this.#history.holds(commit, [this.#home, reports.path])) {
      console.note(`${commit} has files where this run writes: its plan is not applied`);
      return EXIT.stale;
    }
    try {
      if (!isHead) this.#history.checkOut(commit);
      return await applyPlan(this.#job, { plan, outside: this.#outside, base, named: undefined, name });
    } finally {
      if (!isHead) this.#history.checkOut(this.#history.head);
    }
  }

  async #applyNamed(fingerprint: string, base: string | undefined): Promise<number> {
    const found = await this.#find(() => this.#plans.proposed(this.#job.unit.name, fingerprint));
    const { outcome, rest } = await applyOne(this.#job, this.#outside, found, fingerprint, base);
    return outcome ?? rest;
  }

  /** Asks the forge. An error is in the reports, and ends the run. */
  async #find<Found>(ask: () => Promise<Found>): Promise<Found> {
    const { reports } = this.#job;
    try {
      return await ask();
    } catch (error) {
      const code = error instanceof Stop ? error.exitCode : EXIT.error;
      const message = error instanceof Error ? error.message : String(error);
      reports.write("find.log", `${sanitised(message)}\n`);
      reports.note({ command: "find", code });
      throw new Stop(code, message);
    }
  }
}

/** Writes the journals of an interrupted run, which is finished before anything else is written. Other files are left out. */
function restoreJournal(journal: ReadonlyMap<string, Uint8Array>, home: string): void {
  for (const [name, bytes] of journal) {
    if (!/^journals\/\w[\w.-]*$/.test(name)) continue;
    mkdirSync(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, name), bytes, { mode: 0o600 });
  }
  makePrivate(home);
}
