/** Finds the plans that a job on GitLab may apply. GitLab's cache keeps the journal. */

import { fieldsIn, parseJson } from "../../../core/json.ts";
import { answerOr, CHANGED_SINCE_APPROVAL, type ForgePlans, type FoundPlan, refusal } from "./forge.ts";
import { type GitLabProject, type MergeRequest, mergedRequest } from "./gitlab-project.ts";

const REVIEW = "incidentctl review";
const APPLY = "incidentctl apply";
const APPROVED = "approved this merge request";
/** Files in a comparison. GitLab leaves out more. */
const MOST_DIFFS = 1_000;

/** A note; those of the system tell what happened. */
interface SystemNote {
  readonly system: boolean;
  readonly body: string;
  readonly created_at: string;
}

interface Pipeline {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: string;
  readonly project_id: number;
}

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly finished_at: string | null;
  readonly web_url: string;
  readonly artifacts_file?: object;
}

/** The plans of a project. */
export function gitlabPlans(project: GitLabProject): ForgePlans {
  const { api, path, env } = project;
  return {
    permit: (_, isOfUnit) => requireNewest(project, isOfUnit),
    journal: async () => new Map(),
    async reviewed(unit, commit) {
      const request = await mergedRequest(project, commit);
      if (request === undefined) return { origin: `${commit} is not the merge of a merge request`, isMerge: false };
      const job = await approvedJob(project, request, unit);
      if (typeof job === "string")
        return { origin: `there is no reviewed plan of !${request.iid}: ${job}`, isMerge: true };
      return { ...(await planOf(project, job, `reports/${unit}/change.plan`)), isMerge: true };
    },
    async proposed(unit) {
      const jobs = await jobsOf(project, Number(env.CI_PIPELINE_ID));
      const job = jobs.find(({ name }) => isOfUnit(name, APPLY, unit));
      if (job === undefined) return { origin: "there is no job with a proposal", isMerge: false };
      return { ...(await planOf(project, job, `reports/${unit}/proposal.plan`)), isMerge: false };
    },
    async problem(unit) {
      const iid = Number(env.CI_MERGE_REQUEST_IID);
      const notes = await systemNotes(project, iid);
      if (!notes.some(({ body }) => body === APPROVED)) return undefined;
      const request = await api.ask<MergeRequest>("GET", `${path}/merge_requests/${iid}`);
      const job = await approvedJob(project, request, unit);
      return job === CHANGED_SINCE_APPROVAL ? job : undefined;
    },
  };
}

async function planOf(
  { api, path }: GitLabProject,
  { id, web_url: page }: Job,
  file: string,
): Promise<Pick<FoundPlan, "plan" | "origin">> {
  const plan = await api.download(`${path}/jobs/${id}/artifacts/${file}`);
  return plan === undefined ? { origin: `${page} has no plan` } : { plan, origin: `the plan of ${page}` };
}

/** If the branch has newer files of the unit, their pipeline applies these plans too, each from its commit. */
async function requireNewest(project: GitLabProject, isOfUnit: (path: string) => boolean): Promise<void> {
  const { api, path, branch, commit: own, env } = project;
  const { commit } = await api.ask<{ readonly commit: { readonly id: string } }>(
    ...(["GET", `${path}/repository/branches/${encodeURIComponent(branch)}`] as const),
  );
  if (env.CI_COMMIT_BRANCH === branch && commit.id === own) return;
  interface Comparison {
    readonly compare_timeout: boolean;
    readonly diffs: readonly { readonly old_path: string; readonly new_path: string }[];
  }
  const query = new URLSearchParams({ from: own, to: commit.id, straight: "true" });
  const refused = `${branch} is at ${commit.id}. Nothing of ${own} is applied`;
  const comparing = api.ask<Comparison>("GET", `${path}/repository/compare?${query}`);
  const { diffs, compare_timeout: isCut } = await answerOr(comparing, refused);
  const names = diffs.flatMap(({ old_path: old, new_path: name }) => [old, name]);
  if (env.CI_COMMIT_BRANCH === branch && !isCut && diffs.length < MOST_DIFFS && !names.some(isOfUnit)) return;
  throw refusal(refused);
}

/**
 * The newest job that planned the unit for the last commit of a merge request, succeeded, and ended before the merge. If somebody has
 * approved the merge request, the job ended before the last approval, or its plan has the fingerprint of one that did. Returns a reason if
 * there is none.
 */
async function approvedJob(project: GitLabProject, request: MergeRequest, unit: string): Promise<Job | string> {
  const { iid, sha, merged_at: merged } = request;
  const { api, path } = project;
  const until = merged === null ? Number.POSITIVE_INFINITY : Date.parse(merged);
  const found: Job[] = [];
  for (const pipeline of await api.all<Pipeline>(`${path}/merge_requests/${iid}/pipelines`)) {
    if (!(await isOfChange(project, pipeline, iid, sha))) continue;
    const jobs = await jobsOf(project, pipeline.id, "?include_retried=true");
    found.push(...jobs.filter((job) => isOfUnit(job.name, REVIEW, unit) && isPlanned(job, until)));
  }
  const [newest, ...older] = found.sort((left, right) => right.id - left.id);
  if (newest === undefined) return `no plan of ${unit} from before the merge`;
  const notes = await systemNotes(project, iid);
  if (notes.some(({ body }) => body.startsWith("changed target branch "))) {
    return "its target branch was changed, and its reviews may be for another one";
  }
  const approvals = notes.filter(({ body }) => body === APPROVED);
  const last = Math.max(...approvals.map(({ created_at: at }) => Date.parse(at)).filter((time) => time <= until));
  const isRead = (job: Job) => isPlanned(job, last);
  if (last === Number.NEGATIVE_INFINITY || isRead(newest)) return newest;
  const read = older.find(isRead);
  if (read === undefined) return CHANGED_SINCE_APPROVAL;
  const [now, then] = [await fingerprintOf(project, newest, unit), await fingerprintOf(project, read, unit)];
  return now !== undefined && now === then ? newest : CHANGED_SINCE_APPROVAL;
}

async function systemNotes({ api, path }: GitLabProject, iid: number): Promise<readonly SystemNote[]> {
  const notes = await api.all<SystemNote>(`${path}/merge_requests/${iid}/notes`);
  return notes.filter(({ system }) => system);
}

function isPlanned({ status, finished_at: end, artifacts_file: file }: Job, until: number): boolean {
  return status === "success" && file !== undefined && end !== null && Date.parse(end) <= until;
}

async function fingerprintOf(project: GitLabProject, job: Job, unit: string): Promise<unknown> {
  const { plan } = await planOf(project, job, `reports/${unit}/change.plan`);
  const text = plan === undefined ? "" : Buffer.from(plan).toString("utf8");
  return fieldsIn(fieldsIn(parseJson(text)).seal).fingerprint;
}

/** The jobs of a pipeline, the newest first. */
async function jobsOf({ api, path }: GitLabProject, pipeline: number, query = ""): Promise<readonly Job[]> {
  const jobs = await api.all<Job>(`${path}/pipelines/${pipeline}/jobs${query}`);
  return [...jobs].sort((left, right) => right.id - left.id);
}

/** Whether a pipeline is of this commit of a merge request, or of the result of merging it into the default branch. */
async function isOfChange(
  project: GitLabProject,
  { source, project_id, ref, sha }: Pipeline,
  iid: number,
  head: string,
): Promise<boolean> {
  if (source !== "merge_request_event" || String(project_id) !== project.id) return false;
  // Its configuration is the commit's own, so the merged diff shows it.
  if (ref === `refs/merge-requests/${iid}/head`) return sha === head;
  if (![`refs/merge-requests/${iid}/merge`, `refs/merge-requests/${iid}/train`].includes(ref)) return false;
  const { api, path, branch } = project;
  const { parent_ids: parents } = await api.ask<{ readonly parent_ids: readonly string[] }>(
    ...(["GET", `${path}/repository/commits/${sha}`] as const),
  );
  if (!parents.includes(head)) return false;
  // The other parent was the tip of the target at that time. That of another branch brings a configuration that nobody merged.
  for (const target of parents.filter((parent) => parent !== head)) {
    const refs = new URLSearchParams([
      ["refs[]", target],
      ["refs[]", branch],
    ]);
    const { id } = await api.ask<{ readonly id: string }>("GET", `${path}/repository/merge_base?${refs}`);
    if (id !== target) return false;
  }
  return true;
}

/** Jobs of a matrix are called `NAME: [VALUE, VALUE]`. The unit is the first value. */
function isOfUnit(name: string, job: string, unit: string): boolean {
  const start = `${job}: [${unit}`;
  return name === `${start}]` || name.startsWith(`${start},`);
}
