/** Finds the plans that a run on GitHub may apply, and the journal of the run before it. */

import { fieldsIn, type Json } from "../../../core/json.ts";
import {
  answerOr,
  CHANGED_SINCE_APPROVAL,
  type ForgePlans,
  type FoundPlan,
  type PlanSearch,
  refusal,
} from "./forge.ts";
import { type GitHubPull, type GitHubRepository, mergedPull } from "./github-repository.ts";
import { unzip } from "./zip.ts";

const REVIEW = "incidentctl-review.yml";
const APPLY = "incidentctl-apply.yml";
/** The workflows whose runs write to a workspace. */
const WRITING: readonly string[] = [APPLY, "incidentctl-proposal.yml"];
/** Runs to search for a journal. */
const RECENT_RUNS = 20;
/** Files in a comparison. GitHub leaves out more. */
const MOST_FILES = 300;
const PLAN = "change.plan";
/** As GitHub calls people who may not write to the repository. */
const OUTSIDERS: readonly string[] = ["NONE", "CONTRIBUTOR", "FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER", "MANNEQUIN"];

interface GitHubRun {
  readonly id: number;
  readonly event: string;
  readonly path: string;
  readonly conclusion: string | null;
  readonly head_sha: string;
  readonly head_branch: string | null;
  readonly head_repository: { readonly id: number } | null;
  readonly run_started_at: string;
  readonly created_at: string;
}

interface GitHubArtifact {
  readonly id: number;
  readonly name: string;
  readonly expired: boolean;
  readonly created_at: string;
  readonly run: number;
}

/** The plans of a repository. */
export function githubPlans(repository: GitHubRepository, warn: (text: string) => void): ForgePlans {
  return {
    async permit(search, isOfUnit) {
      await requireNewest(repository, isOfUnit);
      await requireProtection(repository, search, warn);
    },
    unstarted: () => beforeUnstarted(repository),
    journal: (unit) => lastJournal(repository, unit),
    reviewed: (unit, commit) => reviewedPlan(repository, unit, commit),
    proposed: (unit, fingerprint) => proposedPlan(repository, unit, fingerprint),
    async problem(unit) {
      const { api, path, pull } = repository;
      if (pull === undefined || (await approvalsOf(repository, pull)).length === 0) return undefined;
      const change = await api.ask<GitHubPull>("GET", `${path}/pulls/${pull}`);
      const plan = await approvedPlan(repository, change, unit, Number.POSITIVE_INFINITY);
      return plan === CHANGED_SINCE_APPROVAL ? plan : undefined;
    },
  };
}

/** If the branch has newer files of the unit, their run applies these plans too, each from its commit. */
async function requireNewest(
  { api, path, branch, commit, ref }: GitHubRepository,
  isOfUnit: (path: string) => boolean,
): Promise<void> {
  if (ref !== `refs/heads/${branch}`) throw refusal(`only the branch ${branch} is applied`);
  const { object } = await api.ask<{ readonly object: { readonly sha: string } }>(
    ...(["GET", `${path}/git/ref/heads/${branch}`] as const),
  );
  if (object.sha === commit) return;
  interface Comparison {
    readonly status: string;
    readonly files?: readonly { readonly filename: string; readonly previous_filename?: string }[];
  }
  const refused = `${branch} is at ${object.sha}, which has a run of its own. Nothing of ${commit} is applied`;
  const comparing = api.ask<Comparison>("GET", `${path}/compare/${commit}...${object.sha}`);
  const { status, files } = await answerOr(comparing, refused);
  const names = files?.flatMap(({ filename, previous_filename: old = filename }) => [filename, old]);
  const isComplete = names !== undefined && (files?.length ?? 0) < MOST_FILES;
  if (status === "ahead" && isComplete && !names.some(isOfUnit)) return;
  throw refusal(refused);
}

/**
 * A plan that no pull request has shown is applied only where GitHub asks a person first. Where it cannot ask, as in private repositories of
 * some plans, a person whom `INCIDENTCTL_APPROVERS` names has to start the run.
 */
async function requireProtection(
  { api, path, actors, approvers }: GitHubRepository,
  { environment, proposal }: PlanSearch,
  warn: (text: string) => void,
): Promise<void> {
  const kind = proposal === undefined ? "apply" : "proposal";
  const name = ["incidentctl", kind, environment].filter((part) => part !== "").join("-");
  const { protection_rules: rules = [] } = await api.ask<{ readonly protection_rules?: readonly { type: string }[] }>(
    ...(["GET", `${path}/environments/${encodeURIComponent(name)}`] as const),
  );
  const has = (wanted: string) => rules.some(({ type }) => type === wanted);
  if (!has("branch_policy")) {
    warn(`Any branch gets the tokens of the environment ${name}: restrict its branches.`);
  }
  if (proposal === undefined || has("required_reviewers")) return;
  const others = actors.filter((actor) => !approvers.includes(actor));
  if (others.length === 0) return;
  throw refusal(
    `${others.join(", ")} may not apply a proposal: the environment ${name} has no required reviewers, and its variable INCIDENTCTL_APPROVERS does not have this name`,
  );
}

async function reviewedPlan(repository: GitHubRepository, unit: string, commit: string): Promise<FoundPlan> {
  const none = (reason: string, isMerge: boolean) => ({ origin: `there is no reviewed plan: ${reason}`, isMerge });
  const pull = await mergedPull(repository, commit);
  if (pull === undefined) return none(`${commit} is not the merge of a pull request`, false);
  const doubt = await reasonToDoubt(repository, pull);
  if (doubt !== undefined) return none(doubt, true);
  // After the merge nobody reviews: a review that is started again then makes a plan that nobody has read.
  const found = await approvedPlan(repository, pull, unit, Date.parse(pull.merged_at ?? ""));
  if (typeof found === "string") return none(found, true);
  const plan = (await filesOf(repository, found, (name) => name === PLAN)).get(PLAN);
  const origin = `${found.name} of ${repository.runsPage}/${found.run}`;
  return plan === undefined ? { origin: `${origin} has no plan`, isMerge: true } : { plan, origin, isMerge: true };
}

/**
 * The newest plan of the last commit of a pull request. If somebody has approved the pull request, the plan is as old as the last approval,
 * or has the same fingerprint as one that is. Returns a reason if there is none.
 */
async function approvedPlan(
  repository: GitHubRepository,
  { number, head }: GitHubPull,
  unit: string,
  until: number,
): Promise<GitHubArtifact | string> {
  const { run: own } = repository;
  const name = ofUnit(`plan-${number}`, unit);
  const plansOf = async (query: string): Promise<readonly GitHubArtifact[]> => {
    const runs = (await runsOf(repository, REVIEW, `event=pull_request&${query}`)).filter(
      ({ event, head_branch: branch, conclusion, id }) =>
        event === "pull_request" && branch === head.ref && (conclusion === "success" || id === own),
    );
    const artifacts = await artifactsOf(repository, runs, name);
    return artifacts.filter(({ created_at: made }) => Date.parse(made) <= until);
  };
  const ofHead = await plansOf(`head_sha=${head.sha}`);
  const [newest] = ofHead;
  if (newest === undefined) return "no review of its last commit succeeded before the merge";
  const times = await approvalsOf(repository, number);
  const last = Math.max(...times.filter((time) => time <= until));
  const isRead = ({ created_at: made }: GitHubArtifact) => Date.parse(made) <= last;
  if (last === Number.NEGATIVE_INFINITY || isRead(newest)) return newest;
  const read = ofHead.find(isRead) ?? (await plansOf(`branch=${encodeURIComponent(head.ref)}`)).find(isRead);
  if (read === undefined) return CHANGED_SINCE_APPROVAL;
  const [now, then] = [await fingerprintIn(repository, newest), await fingerprintIn(repository, read)];
  return now !== undefined && now === then ? newest : CHANGED_SINCE_APPROVAL;
}

/** The times of the approvals of a pull request, whichever of its commits they were for. In a public repository anybody can approve. */
async function approvalsOf({ api, path }: GitHubRepository, pull: number): Promise<readonly number[]> {
  interface Review {
    readonly state: string;
    readonly submitted_at?: string;
    readonly author_association: string;
  }
  const reviews = await api.all<Review>(`${path}/pulls/${pull}/reviews`);
  return reviews
    .filter(({ state, author_association: who }) => state === "APPROVED" && !OUTSIDERS.includes(who))
    .map(({ submitted_at: at = "" }) => Date.parse(at));
}

async function fingerprintIn(repository: GitHubRepository, artifact: GitHubArtifact): Promise<Json | undefined> {
  const files = await filesOf(repository, artifact, (name) => name === PLAN);
  return fieldsIn(fieldsIn(jsonOf(files.get(PLAN))).seal).fingerprint;
}

/**
 * A run does not say for which base it was. A reason not to believe that the reviews of this commit were for the default branch: the
 * workflow of another base may have made them.
 */
async function reasonToDoubt(
  { api, path, owner, branch }: GitHubRepository,
  { number, head }: GitHubPull,
): Promise<string | undefined> {
  const query = `state=all&head=${encodeURIComponent(`${owner}:${head.ref}`)}`;
  const others = await api.all<GitHubPull>(`${path}/pulls?${query}`);
  const other = others.find((pull) => pull.number !== number && pull.head.sha === head.sha && pull.base.ref !== branch);
  if (other !== undefined) return `#${other.number} has the same commit and another base`;
  const events = await api.all<{ readonly event: string }>(`${path}/issues/${number}/events`);
  return events.some(({ event }) => event === "base_ref_changed")
    ? `the base of #${number} was changed, and its reviews may be for another one`
    : undefined;
}

/** The plan with this fingerprint that an earlier run proposed for this commit. */
async function proposedPlan(repository: GitHubRepository, unit: string, fingerprint: string): Promise<FoundPlan> {
  const runs = await runsOfCommit(repository);
  for (const artifact of await artifactsOf(repository, runs, ofUnit("apply", unit))) {
    const files = await filesOf(repository, artifact, (name) => name.startsWith("proposal."));
    const plan = files.get("proposal.plan");
    const proposed = jsonOf(files.get("proposal.json"));
    if (plan === undefined || fieldsIn(fieldsIn(proposed).seal).fingerprint !== fingerprint) continue;
    return { plan, origin: `the proposal of ${repository.runsPage}/${artifact.run}`, isMerge: false };
  }
  throw refusal(`nothing with the fingerprint ${fingerprint} was proposed for ${unit} and the newest commit`);
}

/** The runs for this commit that may have written. */
async function runsOfCommit(repository: GitHubRepository): Promise<readonly GitHubRun[]> {
  const { commit } = repository;
  const lists = await Promise.all(WRITING.map((file) => runsOf(repository, file, `head_sha=${commit}`)));
  return lists.flat().filter((run) => isWriting(run, repository) && run.head_sha === commit);
}

/** The journal that the last run on this branch left behind, whichever of its attempts. */
async function lastJournal(repository: GitHubRepository, unit: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const lists = await Promise.all(
    WRITING.map((file) => runsOf(repository, file, `branch=${encodeURIComponent(repository.branch)}`)),
  );
  const runs = lists
    .flatMap((list) => list.filter((run) => isWriting(run, repository)).slice(0, RECENT_RUNS))
    .sort((left, right) => Date.parse(right.run_started_at) - Date.parse(left.run_started_at));
  for (const run of runs.slice(0, RECENT_RUNS)) {
    const [journal] = await artifactsOf(repository, [run], ofUnit("journal", unit));
    if (journal !== undefined && (await isInBranch(repository, run.head_sha))) {
      return filesOf(repository, journal, () => true);
    }
  }
  return new Map();
}

/** The commit before the runs of pushes that directly precede this one and did not succeed: a queue keeps only its newest run. */
async function beforeUnstarted(repository: GitHubRepository): Promise<string | undefined> {
  const runs = await runsOf(repository, APPLY, `branch=${encodeURIComponent(repository.branch)}`);
  const earlier = runs.filter((run) => isWriting(run, repository) && run.event === "push" && run.id < repository.run);
  let oldest: GitHubRun | undefined;
  for (const run of earlier.sort((left, right) => right.id - left.id).slice(0, RECENT_RUNS)) {
    if (run.conclusion === "success") return oldest && run.head_sha;
    oldest = run;
  }
  return oldest && `${oldest.head_sha}^`;
}

/** Whether a run is one for the branch. A tag, or a branch of a fork, may have its name. */
function isWriting({ event, head_branch: name, head_repository: from }: GitHubRun, { branch, id }: GitHubRepository) {
  return ["push", "workflow_dispatch"].includes(event) && name === branch && from?.id === id;
}

async function isInBranch({ api, path, commit }: GitHubRepository, sha: string): Promise<boolean> {
  const { status } = await api.ask<{ readonly status: string }>("GET", `${path}/compare/${sha}...${commit}`);
  return status === "ahead" || status === "identical";
}

/** Runs of a workflow of this repository, not of a fork. None if the repository lacks the workflow. */
async function runsOf(
  { api, path, id }: GitHubRepository,
  workflow: string,
  query: string,
): Promise<readonly GitHubRun[]> {
  const runs = await api.all<GitHubRun>(
    `${path}/actions/workflows/${workflow}/runs?${query}`,
    ({ workflow_runs: list }: { readonly workflow_runs: readonly GitHubRun[] }) => list,
  );
  return runs.filter(({ head_repository: from }) => from?.id === id);
}

/** The artifacts of these runs that still exist and have this name, the newest first. */
async function artifactsOf(
  { api, path }: GitHubRepository,
  runs: readonly GitHubRun[],
  name: string | RegExp,
): Promise<readonly GitHubArtifact[]> {
  const found: GitHubArtifact[] = [];
  for (const { id: run } of runs) {
    const artifacts = await api.all<Omit<GitHubArtifact, "run">>(
      `${path}/actions/runs/${run}/artifacts`,
      ({ artifacts: list }: { readonly artifacts: readonly Omit<GitHubArtifact, "run">[] }) => list,
    );
    found.push(...artifacts.map((artifact) => ({ ...artifact, run })));
  }
  const isNamed = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  return found.filter((one) => !one.expired && isNamed(one.name)).sort((left, right) => right.id - left.id);
}

/** The files of an artifact that are wanted; none if it has gone. */
async function filesOf(
  { api, path }: GitHubRepository,
  { id }: GitHubArtifact,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const zip = await api.download(`${path}/actions/artifacts/${id}/zip`);
  return zip === undefined ? new Map() : unzip(zip, isWanted);
}

/** The names of the artifacts of a unit, one for each attempt of a run. */
function ofUnit(kind: "apply" | "journal" | `plan-${number}`, unit: string): RegExp {
  return new RegExp(`^incidentctl-${kind}-${unit.replaceAll(".", "\\.")}-\\d+$`);
}

function jsonOf(bytes: Uint8Array | undefined): Json {
  return bytes === undefined ? null : JSON.parse(Buffer.from(bytes).toString("utf8"));
}
