/**
 * Judges what the workflows did, from the events alone: it knows neither how the workflows find plans nor how plans are made. A plan is
 * authorized for one commit and one unit, and while it holds: the one that the pull request showed when it was merged, or a proposal that
 * somebody named.
 */

import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type Artifact, type Pull, REPOSITORY_ID, type Run } from "../simulator/github.ts";
import type { Operation } from "../simulator/world.ts";
import type { Company, Names, Unit } from "./company.ts";

/** A plan in an artifact, and what it was made from. */
interface SavedPlan {
  readonly operations: readonly Operation[];
  readonly fingerprint: string;
  /** What was live when it was made. */
  readonly live: Names;
  /** The files of the unit that it was made from. */
  readonly tree: string;
}

/** The judge of one month. */
export interface Judge {
  /** Notes the plans that a review has shown. */
  noteReview(pull: Pull, run: Run): Promise<void>;
  /** Notes that these plans are what the merged commit may apply. */
  noteMerge(pull: Pull): void;
  /** Judges the writes of these runs, which ran at once. */
  judgeApplies(runs: readonly Run[], act: () => Promise<unknown>, isFailing?: boolean): Promise<void>;
  /** Judges that the action writes nothing. */
  judgeQuiet(act: () => Promise<unknown>): Promise<void>;
  judgeComments(): void;
  /** The proposal of a run for a unit. */
  proposalOf(
    run: Run,
    unit: Unit,
  ): { readonly fingerprint: string; readonly operations: readonly Operation[] } | undefined;
}

/** Makes a judge who has seen nothing. */
export function createJudge({ world, units, live, declared, jobOf }: Company): Judge {
  const { github } = world;
  /** Plans by pull request and unit: those of its last review. */
  const shown = new Map<string, SavedPlan>();
  /** Plans by commit and unit. */
  const authorized = new Map<string, SavedPlan>();
  /** Plans by commit and unit: whatever a run for the commit has proposed. */
  const proposed = new Map<string, SavedPlan[]>();
  /** Commits and units whose plan was applied. */
  const applied = new Set<string>();
  /** Operations of authorized plans that an interrupted run has left. */
  const unfinished = new Map<string, readonly Operation[]>();
  const key = (first: string | number, unit: Unit) => `${first} ${unit.name}`;
  const treeOf = (commit: string, { team }: Unit) =>
    JSON.stringify([declared(team, commit), github.repository.list(commit, `${team.directory}/`)]);

  function planIn(run: Run, name: RegExp, file: string): Pick<SavedPlan, "operations" | "fingerprint"> | undefined {
    const artifact: Artifact | undefined = github.artifacts.findLast(
      (one) => one.run === run.id && name.test(one.name),
    );
    const text = artifact?.files.get(file)?.toString("utf8");
    if (text === undefined) return undefined;
    const { operations, seal } = JSON.parse(text);
    const fingerprint: string = seal.fingerprint;
    return { operations: operations.map(({ method, path, body }: Operation) => ({ method, path, body })), fingerprint };
  }

  const proposalOf: Judge["proposalOf"] = (run, unit) =>
    planIn(run, new RegExp(`^incidentctl-apply-${unit.name}-${run.attempt}$`), "proposal.plan");

  /** The plans that a run may apply for a unit, whether or not they still hold. */
  function authoritiesOf(run: Run, unit: Unit): readonly SavedPlan[] {
    if (run.sha !== github.repository.tip("main") || run.ref !== "refs/heads/main") return [];
    const { unit: named, fingerprint } = (run.payload.inputs ?? {}) as Readonly<Record<string, string>>;
    if (named !== undefined && named !== unit.name) return [];
    if (fingerprint === undefined) {
      const plan = applied.has(key(run.sha, unit)) ? undefined : authorized.get(key(run.sha, unit));
      return plan === undefined ? [] : [plan];
    }
    return (proposed.get(key(run.sha, unit)) ?? []).filter((plan) => plan.fingerprint === fingerprint);
  }

  async function judgeApplies(runs: readonly Run[], act: () => Promise<unknown>, isFailing = false): Promise<void> {
    const before = await Promise.all(
      units.map(async (unit) => ({ unit, names: await live(unit), at: unit.workspace.operations.length })),
    );
    const trees = new Map(units.map((unit) => [unit, treeOf(github.repository.tip("main"), unit)]));
    // A plan holds as long as the unit is as it was when the plan was made.
    const plans = before.map(({ unit, names }) =>
      runs
        .flatMap((run) => authoritiesOf(run, unit))
        .filter((plan) => plan.tree === trees.get(unit) && isDeepStrictEqual(plan.live, names)),
    );
    await act();
    for (const [index, { unit, at, names }] of before.entries()) {
      const candidates = plans[index] ?? [];
      const interrupted = unfinished.get(unit.name) ?? [];
      const remaining = [...interrupted, ...candidates.flatMap(({ operations }) => operations)];
      const writes = unit.workspace.operations
        .slice(at)
        .filter(({ path }) => path.startsWith(`/api/v1/${unit.team.kind}`));
      for (const write of writes) {
        const found = remaining.findIndex((one) => isDeepStrictEqual(one, write));
        expect(found, `${unit.name}: nobody has reviewed ${JSON.stringify(write)}`).not.toBe(-1);
        remaining.splice(found, 1);
      }
      if (writes.length === 0) expect(await live(unit), `${unit.name} without a write`).toEqual(names);
      const jobs = runs.map((run) => ({ run, job: jobOf(run, unit) }));
      const isDone = jobs.some(({ job }) => job?.conclusion === "success");
      if (isDone) unfinished.delete(unit.name);
      else if (isFailing && candidates.length + interrupted.length > 0) unfinished.set(unit.name, remaining);
      for (const { run, job } of jobs)
        if (job?.log.includes("\napplied=true") === true) applied.add(key(run.sha, unit));
      // What was reviewed and still holds is applied, or the promise would be kept by doing nothing.
      if (candidates.length > 0 && interrupted.length === 0 && !isFailing) {
        expect(isDone, `${unit.name}: ${jobs.map(({ job }) => job?.log).join("\n")}`).toBe(true);
        expect(await live(unit)).toEqual(declared(unit.team, github.repository.tip("main")));
      }
    }
    for (const run of runs) {
      for (const unit of units) {
        const plan = proposalOf(run, unit);
        const known = proposed.get(key(run.sha, unit)) ?? [];
        if (plan !== undefined)
          proposed.set(key(run.sha, unit), [
            ...known,
            { ...plan, live: await live(unit), tree: treeOf(run.sha, unit) },
          ]);
      }
    }
    const others = units
      .flatMap(({ workspace }) => workspace.operations)
      .filter(({ path }) => !units.some(({ team }) => path.startsWith(`/api/v1/${team.kind}`)));
    expect(others).toEqual([]);
  }

  return {
    proposalOf,
    judgeApplies,
    async noteReview(pull, run) {
      if (pull.merged !== undefined || run.headSha !== pull.head) return;
      for (const unit of units) shown.delete(key(pull.number, unit));
      if (pull.repositoryId !== REPOSITORY_ID || run.conclusion !== "success") return;
      for (const unit of units) {
        const plan = planIn(run, new RegExp(`^incidentctl-plan-${pull.number}-${unit.name}$`), "change.plan");
        if (plan !== undefined)
          shown.set(key(pull.number, unit), { ...plan, live: await live(unit), tree: treeOf(run.sha, unit) });
      }
    },
    noteMerge(pull) {
      for (const unit of units) {
        const plan = shown.get(key(pull.number, unit));
        if (plan !== undefined && pull.merged !== undefined) authorized.set(key(pull.merged, unit), plan);
      }
    },
    async judgeQuiet(act) {
      const count = () => units.map(({ workspace }) => workspace.operations.length);
      const before = count();
      await act();
      expect(count()).toEqual(before);
    },
    judgeComments() {
      for (const { on, body } of github.comments) {
        const pull = github.pulls.find(({ number }) => number === on);
        const [, commit, id] = /<sub>Commit (\w+), \[run (\d+)\]/.exec(body) ?? [];
        const run = github.runs.find((one) => String(one.id) === id);
        if (pull === undefined || run === undefined) throw new Error(`a comment of no run: ${body}`);
        const isReview = body.startsWith("<!-- incidentctl review -->");
        expect(commit).toBe(isReview ? pull.head : pull.merged);
        for (const unit of units) {
          const verdict = new RegExp(`^(?:- )?(\\S+) \\*\\*${unit.name}\\*\\*: .*$`, "m").exec(body);
          // A run that somebody starts may be for one unit.
          if (!isReview && verdict === null && run.event === "workflow_dispatch") continue;
          expect(verdict, body).not.toBeNull();
          const isGreen = /🟢|✅/u.test(verdict?.[1] ?? "");
          if (!isReview) {
            if (isGreen && verdict?.[0].includes("**Applied:") === true) expect(applied).toContain(key(run.sha, unit));
            continue;
          }
          expect(isGreen, body).toBe(jobOf(run, unit)?.conclusion === "success");
          if (!isGreen) continue;
          const { fingerprint = "" } =
            planIn(run, new RegExp(`^incidentctl-plan-${on}-${unit.name}$`), "change.plan") ?? {};
          expect(verdict?.[0]).toContain(`\`${fingerprint.slice(0, 8)}\``);
        }
      }
    },
  };
}
