/**
 * Judges what the workflows did, from the events alone: it knows neither how the workflows find plans nor how plans are made. A write is
 * authorized if it is one of a plan that the pull request showed when it was merged, or of a proposal that somebody named, if its resource is
 * as it was when that plan was made, and if nothing has written it for that plan before.
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
  /** Commits and units whose plans are done with. */
  const settled = new Set<string>();
  /** What is left to write of a plan. */
  const remaining = new Map<SavedPlan, Operation[]>();
  const remainingOf = (plan: SavedPlan): Operation[] => {
    const left = remaining.get(plan) ?? [...plan.operations];
    remaining.set(plan, left);
    return left;
  };
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

  /** The plans of which a run may write something for a unit, the oldest first: those of all merges, or the proposal that it names. */
  function authoritiesOf(run: Run, unit: Unit): readonly SavedPlan[] {
    const tip = github.repository.tip("main");
    if (run.ref !== "refs/heads/main") return [];
    const { unit: named, fingerprint } = (run.payload.inputs ?? {}) as Readonly<Record<string, string>>;
    if (named !== undefined && named !== unit.name) return [];
    if (fingerprint !== undefined) {
      if (run.sha !== tip) return [];
      return (proposed.get(key(run.sha, unit)) ?? []).filter((plan) => plan.fingerprint === fingerprint);
    }
    const merged = github.pulls.flatMap(({ merged: commit }) => (commit === undefined ? [] : [commit]));
    const reached = merged.filter((commit) => github.repository.isAncestor(commit, run.sha));
    return reached
      .filter((commit) => !settled.has(key(commit, unit)))
      .flatMap((commit) => authorized.get(key(commit, unit)) ?? []);
  }

  async function judgeApplies(runs: readonly Run[], act: () => Promise<unknown>, isFailing = false): Promise<void> {
    const before = await Promise.all(
      units.map(async (unit) => ({ unit, names: await live(unit), at: unit.workspace.operations.length })),
    );
    const tip = github.repository.tip("main");
    const plans = before.map(({ unit }) => [...new Set(runs.flatMap((run) => authoritiesOf(run, unit)))]);
    // What must be applied, or the promise would be kept by doing nothing: the only plan that is left, while everything is as it was.
    const due = before.map(({ unit, names }, index) => {
      const [only, ...others] = (plans[index] ?? []).filter((plan) => remainingOf(plan).length > 0);
      const isWhole = only !== undefined && others.length === 0 && remainingOf(only).length === only.operations.length;
      if (isFailing || !isWhole || !runs.some(({ sha }) => sha === tip)) return undefined;
      return only.tree === treeOf(tip, unit) && isDeepStrictEqual(only.live, names) ? only : undefined;
    });
    await act();
    for (const [index, { unit, at, names }] of before.entries()) {
      const now: Record<string, string | undefined> = { ...names };
      const writes = unit.workspace.operations
        .slice(at)
        .filter(({ path }) => path.startsWith(`/api/v1/${unit.team.kind}`));
      for (const write of writes) {
        const slug = unit.team.slugs.find((one) => write.path.endsWith(`/${one}`)) ?? "";
        const plan = (plans[index] ?? []).find(
          (one) => one.live[slug] === now[slug] && remainingOf(one).some((other) => isDeepStrictEqual(other, write)),
        );
        if (plan === undefined) throw new Error(`${unit.name}: nobody has reviewed ${JSON.stringify(write)}`);
        const left = remainingOf(plan);
        left.splice(
          left.findIndex((other) => isDeepStrictEqual(other, write)),
          1,
        );
        now[slug] = String((write.body as Readonly<Record<string, unknown>>).name);
      }
      if (writes.length === 0) expect(await live(unit), `${unit.name} without a write`).toEqual(names);
      const must = due[index];
      const logs = runs.map((run) => jobOf(run, unit)?.log).join("\n");
      if (must !== undefined) expect(remainingOf(must), `${unit.name}: ${logs}`).toEqual([]);
    }
    // A job that succeeds has nothing left to apply: what was merged before is never applied again.
    for (const run of runs) {
      for (const unit of units.filter((one) => jobOf(run, one)?.conclusion === "success")) {
        for (const { merged } of github.pulls) {
          const isDone = merged !== undefined && github.repository.isAncestor(merged, run.sha);
          if (isDone) settled.add(key(merged, unit));
        }
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
        const plan = planIn(
          run,
          new RegExp(`^incidentctl-plan-${pull.number}-${unit.name}-${run.attempt}$`),
          "change.plan",
        );
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
            const plan = authorized.get(key(run.sha, unit));
            if (isGreen && verdict?.[0].includes("**Applied:") === true) {
              expect(plan === undefined ? undefined : remainingOf(plan)).toEqual([]);
            }
            continue;
          }
          expect(isGreen, body).toBe(jobOf(run, unit)?.conclusion === "success");
          if (!isGreen || verdict?.[0].includes("No change of the configuration") === true) continue;
          const { fingerprint = "" } =
            planIn(run, new RegExp(`^incidentctl-plan-${on}-${unit.name}-${run.attempt}$`), "change.plan") ?? {};
          expect(verdict?.[0]).toContain(`\`${fingerprint.slice(0, 8)}\``);
        }
      }
    },
  };
}
