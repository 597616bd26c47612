/** What happens in a simulated month, and how it is carried out and judged. */

import fc from "fast-check";
import { type Pull, REPOSITORY_ID, type Run } from "../simulator/github.ts";
import type { MergeWay } from "../simulator/repository.ts";
import { type Company, TEAMS, type Team, type Unit } from "./company.ts";
import type { Judge } from "./judge.ts";

const APPLY = "incidentctl-apply.yml";
const WAYS: readonly MergeWay[] = ["merge", "squash", "rebase"];
const WRITING = [APPLY, "incidentctl-proposal.yml"];

/** An event. Numbers choose among what is there. */
export type Event =
  | { readonly does: "open"; readonly slug: number; readonly isFork: boolean }
  | { readonly does: "update"; readonly pull: number; readonly how: "rename" | "break" | "nothing" }
  | { readonly does: "merge"; readonly pull: number; readonly failAfter: number | null }
  | { readonly does: "merge two"; readonly pull: number }
  | { readonly does: "edit"; readonly unit: number; readonly slug: number; readonly isBack: boolean }
  | { readonly does: "run again"; readonly run: number }
  | { readonly does: "push" }
  | { readonly does: "dispatch"; readonly run: number; readonly unit: number; readonly isForged: boolean }
  | { readonly does: "drift" }
  | { readonly does: "pull" };

const number = fc.nat({ max: 999 });

/** Any event; what changes something is more frequent. */
export const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("open"), slug: number, isFork: fc.nat({ max: 4 }).map((n) => n === 0) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("update"),
      pull: number,
      how: fc.constantFrom("rename", "break", "nothing"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("merge"),
      pull: number,
      failAfter: fc.constantFrom(null, null, null, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("merge two"), pull: number }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("edit"), unit: number, slug: number, isBack: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("run again"), run: number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("push") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("dispatch"),
      run: number,
      unit: number,
      isForged: fc.nat({ max: 3 }).map((n) => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("drift") }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("pull") }) },
);

/** Carries out events, and at the end brings everything to the state of `main`. */
export interface Month {
  live(event: Event): Promise<void>;
  end(): Promise<void>;
}

/** Begins a month. */
export function beginMonth(company: Company, judge: Judge): Month {
  const { world, units, file, brokenFile, declared } = company;
  const { github } = world;
  const { repository } = github;
  /** The resource that each pull request renames. */
  const subjects = new Map<Pull, readonly [Team, string]>();
  let names = 0;
  const nextName = () => {
    names += 1;
    return `Name${names}`;
  };
  const resources = TEAMS.flatMap((team) => team.slugs.map((slug) => [team, slug] as const));
  const at = <Item>(items: readonly Item[], index: number): Item | undefined =>
    items[index % Math.max(items.length, 1)];
  const openPulls = () => github.pulls.filter(({ merged, isClosed }) => merged === undefined && isClosed !== true);
  const mergeable = () => openPulls().filter((pull) => repository.canMerge(repository.tip("main"), pull.head));
  const appliesOf = () => github.runs.filter(({ workflow }) => workflow === APPLY);

  function merge(pull: Pull): Run {
    const run = world.mergeBy(WAYS[pull.number % WAYS.length] ?? "merge", pull);
    judge.noteMerge(pull);
    return run;
  }

  /** Starts runs at once while the service lets only some writes through. */
  async function apply(runs: readonly Run[], failAfter: number | null = null): Promise<void> {
    const workspaces = new Set(units.map(({ workspace }) => workspace));
    for (const one of workspaces) one.failAfter = failAfter === null ? undefined : one.writes.length + failAfter;
    await judge.judgeApplies(runs, () => Promise.all(runs.map((run) => world.start(run))), failAfter !== null);
    for (const one of workspaces) one.failAfter = undefined;
  }

  /** Gives a run of a fork artifacts as the workflows name them, with the plans of others. */
  function forgeArtifacts(fork: Pull): void {
    const run = world.review(fork).id;
    const plans = github.artifacts.filter(({ name }) => name.startsWith("incidentctl-plan-"));
    for (const unit of units) {
      const files = plans.findLast(({ name }) => name.endsWith(unit.name))?.files;
      if (files === undefined) continue;
      const numbers = [fork, ...openPulls()].map((pull) => pull.number);
      const forged = [
        ...numbers.map((one) => `incidentctl-plan-${one}-${unit.name}-1`),
        `incidentctl-apply-${unit.name}-1`,
      ];
      for (const name of new Set(forged))
        github.artifacts.push({ id: github.nextId(), run, attempt: 1, name, files, expired: false });
    }
  }

  async function open(slug: number, isFork = false): Promise<Pull> {
    const [team, name] = resources[slug % resources.length] as (typeof resources)[number];
    const pull = await world.open(`change-${github.nextId()}`, file(team, name, nextName()), { fork: isFork });
    subjects.set(pull, [team, name]);
    if (isFork) forgeArtifacts(pull);
    else await judge.noteReview(pull, world.review(pull));
    return pull;
  }

  async function update(pull: Pull | undefined, how: string): Promise<void> {
    const [team, slug] = (pull && subjects.get(pull)) ?? [];
    if (pull === undefined || team === undefined || slug === undefined) return;
    const files =
      how === "nothing"
        ? { [`notes/${nextName()}.md`]: "x\n" }
        : how === "break"
          ? brokenFile(team, slug)
          : file(team, slug, nextName());
    await judge.noteReview(pull, await world.update(pull, files));
  }

  async function edit(unit: Unit | undefined, index: number, isBack: boolean): Promise<void> {
    const slug = at(unit?.team.slugs ?? [], index);
    if (unit === undefined || slug === undefined) return;
    const { team, workspace } = unit;
    const name = isBack ? declared(team, repository.tip("main"))[slug] : nextName();
    await workspace.send("PATCH", `/api/v1/${team.kind}/${slug}`, { name });
  }

  async function runAgain(run: Run | undefined): Promise<void> {
    if (run === undefined || run.repositoryId !== REPOSITORY_ID) return;
    if (WRITING.includes(run.workflow)) return apply([run]);
    await judge.judgeQuiet(() => world.start(run));
    const pull = github.pulls.find(({ number: one }) => one === run.payload.number);
    if (pull !== undefined) await judge.noteReview(pull, run);
  }

  async function dispatch(run: Run | undefined, unit: Unit | undefined, isForged: boolean): Promise<void> {
    if (run === undefined || unit === undefined) return;
    const fingerprint = isForged ? "0".repeat(32) : (judge.proposalOf(run, unit)?.fingerprint ?? "1".repeat(32));
    await apply([world.propose({ unit: unit.name, environment: unit.environment, fingerprint })]);
  }

  /** Pulls what people changed, and reopens the requests as the pages say, for a review. */
  async function pullByHand(): Promise<void> {
    await judge.judgeQuiet(() => world.schedule("incidentctl-pull.yml"));
    for (const pull of openPulls().filter(({ branch }) => branch.startsWith("incidentctl/pull-"))) {
      if (
        pull.head === repository.tip(pull.branch) &&
        github.runs.some(({ headSha, event }) => headSha === pull.head && event === "pull_request")
      )
        continue;
      if (repository.canMerge(repository.tip("main"), repository.tip(pull.branch)))
        await judge.noteReview(pull, await world.reopen(pull));
    }
  }

  async function act(event: Event): Promise<void> {
    switch (event.does) {
      case "open":
        await open(event.slug, event.isFork);
        return;
      case "update":
        return update(at(mergeable(), event.pull), event.how);
      case "merge": {
        const pull = at(mergeable(), event.pull) ?? (await open(event.pull));
        return apply([merge(pull)], event.failAfter);
      }
      case "merge two": {
        const first = merge(await open(event.pull));
        const second = at(mergeable(), event.pull);
        return apply([first, ...(second === undefined ? [] : [merge(second)])]);
      }
      case "edit":
        return edit(at(units, event.unit), event.slug, event.isBack);
      case "run again":
        return runAgain(
          at(
            github.runs.filter(({ attempt }) => attempt > 0),
            event.run,
          ),
        );
      case "push":
        return apply([world.push({ [`notes/${nextName()}.md`]: "x\n" })]);
      case "dispatch":
        // Recent runs, since older ones propose nothing for the newest commit.
        return dispatch(appliesOf().at(-1 - (event.run % 3)), at(units, event.unit), event.isForged);
      case "drift":
        return judge.judgeQuiet(() => world.schedule("incidentctl-drift.yml"));
      case "pull":
        return pullByHand();
    }
  }

  return {
    async live(event) {
      await act(event);
      judge.judgeComments();
    },
    /** Merges what can be merged, mends the files, and applies every proposal. */
    async end() {
      // The queue of a unit keeps the newest run alone.
      for (let pull = mergeable()[0]; pull !== undefined; pull = mergeable()[0]) merge(pull).conclusion = "cancelled";
      const tip = repository.tip("main");
      const broken = resources.filter(([team, slug]) => declared(team, tip)[slug] === "undefined");
      const run = world.push(
        Object.assign(
          { [`notes/${nextName()}.md`]: "x\n" },
          ...broken.map(([team, slug]) => file(team, slug, nextName())),
        ),
      );
      await apply([run]);
      // Edits by hand are left. A run that a person starts proposes to undo them.
      const manual = world.dispatch({});
      await apply([manual]);
      for (const unit of units) if (judge.proposalOf(manual, unit) !== undefined) await dispatch(manual, unit, false);
      judge.judgeComments();
    },
  };
}
