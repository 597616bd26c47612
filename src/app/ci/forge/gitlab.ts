/** GitLab. The token is that of a project or a person, since a job token cannot write notes. */

import type { Io } from "../../../core/io.ts";
import { sanitised } from "../../../core/sanitise.ts";
import type { Console } from "../../console/console.ts";
import {
  type Forge,
  type ForgeComments,
  type ForgeIssue,
  type ForgeIssues,
  type ForgeRequests,
  type FoundPlan,
  type PlanSearch,
  refusal,
} from "./forge.ts";
import { connectApi, type ForgeApi } from "./requests.ts";

const LABEL = "incidentctl-drift";
const REVIEW = "incidentctl review";
const APPLY = "incidentctl apply";

/** A project on GitLab, and the account of the token. */
interface GitLabProject {
  readonly api: ForgeApi;
  /** The path of the project in the API. */
  readonly path: string;
  readonly id: string;
  readonly branch: string;
  readonly commit: string;
  readonly env: Io["env"];
}

interface MergeRequest {
  readonly iid: number;
  readonly sha: string;
  readonly state: string;
  readonly target_branch: string;
  readonly source_project_id: number;
  readonly target_project_id: number;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly merged_at: string | null;
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

interface Note {
  readonly id: number;
  readonly iid: number;
  readonly body?: string;
  readonly description?: string | null;
  readonly web_url: string;
  readonly author: { readonly id: number };
}

/** Connects with the variables of a job. */
export function gitlabForge(io: Io, console: Console): Forge {
  const { env } = io;
  const needed = (name: string): string => {
    const value = env[name];
    if (value === undefined || value === "") throw new Error(`${name} is not set, which GitLab sets in each job`);
    return value;
  };
  const commit = needed("CI_COMMIT_SHA");
  const base = env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA || env.CI_MERGE_REQUEST_DIFF_BASE_SHA || undefined;
  const forge: Forge = {
    run: {
      ...{ id: needed("CI_PIPELINE_ID"), attempt: "1", page: needed("CI_PIPELINE_URL") },
      commit: headOfChange(env) ?? commit,
    },
    ...(base === undefined ? {} : { base }),
    comments: async () => "there is no GITLAB_TOKEN",
    output: () => {},
    annotate: (level, text) => console.alert(`${level}: ${sanitised(text)}`),
  };
  const token = env.GITLAB_TOKEN ?? "";
  if (token === "") return forge;
  const project: GitLabProject = {
    api: connectApi(needed("CI_API_V4_URL"), { "private-token": token }, io),
    ...{ path: `/projects/${needed("CI_PROJECT_ID")}`, id: needed("CI_PROJECT_ID"), commit, env },
    branch: needed("CI_DEFAULT_BRANCH"),
  };
  const remote = `${needed("CI_SERVER_URL")}/${needed("CI_PROJECT_PATH")}.git`;
  return {
    ...forge,
    comments: () => notesOf(project),
    issues: issuesOf(project),
    requests: requestsOf(project, remote, `oauth2:${token}`),
    findPlan: (search) => findGitLabPlan(project, search),
  };
}

/** The newest commit of the merge request. A pipeline of merged results runs on another commit, which GitLab makes. */
function headOfChange(env: Io["env"]): string | undefined {
  if (!env.CI_MERGE_REQUEST_IID) return undefined;
  return env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA;
}

/** The items that the account of the token has written. */
async function ownNotes({ api }: GitLabProject, path: string): Promise<readonly Note[]> {
  const { id } = await api.ask<{ readonly id: number }>("GET", "/user");
  return (await api.all<Note>(path)).filter(({ author }) => author.id === id);
}

async function notesOf(project: GitLabProject): Promise<ForgeComments | string> {
  const { api, path, env } = project;
  const iid = env.CI_MERGE_REQUEST_IID;
  const request = iid
    ? await api.ask<MergeRequest>("GET", `${path}/merge_requests/${iid}`)
    : await mergedRequest(project);
  if (request === undefined) return "this commit is not the merge of a merge request";
  if (iid && request.sha !== headOfChange(env)) {
    return "the merge request has a newer commit, with a review of its own";
  }
  const notes = `${path}/merge_requests/${request.iid}/notes`;
  return {
    own: async () => (await ownNotes(project, notes)).map(({ id, body = "" }) => ({ id, body })),
    add: async (body) => void (await api.ask("POST", notes, { body })),
    rewrite: async ({ id }, body) => void (await api.ask("PUT", `${notes}/${id}`, { body })),
  };
}

function issuesOf(project: GitLabProject): ForgeIssues {
  const { api, path } = project;
  const issues = `${path}/issues`;
  const issueOf = ({ iid, description, web_url: page }: Note): ForgeIssue => ({
    ...{ number: iid, body: description ?? "", page },
  });
  return {
    open: async () => (await ownNotes(project, `${issues}?state=opened&labels=${LABEL}`)).map(issueOf),
    create: async (title, description) =>
      issueOf(await api.ask<Note>("POST", issues, { title, description, labels: LABEL })),
    update: async ({ number }, description) => void (await api.ask("PUT", `${issues}/${number}`, { description })),
    say: async ({ number }, body) => void (await api.ask("POST", `${issues}/${number}/notes`, { body })),
    close: async ({ number }) => void (await api.ask("PUT", `${issues}/${number}`, { state_event: "close" })),
  };
}

function requestsOf({ api, path, branch }: GitLabProject, remote: string, login: string): ForgeRequests {
  const requests = `${path}/merge_requests`;
  return {
    ...{ remote, login, note: "" },
    async find(source) {
      const query = new URLSearchParams({ state: "opened", source_branch: source, target_branch: branch });
      return (await api.all<MergeRequest>(`${requests}?${query}`))[0]?.iid;
    },
    open: async (source_branch, title, description) =>
      void (await api.ask("POST", requests, {
        ...{ source_branch, target_branch: branch, title, description, remove_source_branch: true },
      })),
    update: async (number, description) => void (await api.ask("PUT", `${requests}/${number}`, { description })),
    close: async (number) => void (await api.ask("PUT", `${requests}/${number}`, { state_event: "close" })),
  };
}

/** The plan of the last review before the merge, or the proposal of a pipeline. GitLab's cache keeps the journal. */
async function findGitLabPlan(project: GitLabProject, { unit, proposal }: PlanSearch): Promise<FoundPlan> {
  const journal = new Map<string, Uint8Array>();
  await requireTip(project);
  if (proposal !== undefined) {
    const jobs = (await jobsOf(project, Number(project.env.CI_PIPELINE_ID))).filter(({ name }) =>
      isOfUnit(name, APPLY, unit),
    );
    return { ...(await planOf(project, jobs[0], `reports/${unit}/proposal.plan`)), journal };
  }
  const request = await mergedRequest(project);
  if (request === undefined) return { origin: "this commit is not the merge of a merge request", journal };
  const job = await reviewJob(project, request, unit);
  if (job === undefined) return { origin: `!${request.iid} has no plan of ${unit} from before the merge`, journal };
  return { ...(await planOf(project, job, `reports/${unit}/change.plan`)), journal };
}

async function planOf(
  { api, path }: GitLabProject,
  job: Job | undefined,
  file: string,
): Promise<Pick<FoundPlan, "plan" | "origin">> {
  if (job === undefined) return { origin: "there is no job with a plan" };
  const plan = await api.download(`${path}/jobs/${job.id}/artifacts/${file}`);
  if (plan === undefined) return { origin: `${job.web_url} has no plan` };
  return { plan, origin: `the plan of ${job.web_url}` };
}

/** Only the newest commit of the branch is applied: a pipeline of an older one would roll the workspace back. */
async function requireTip({ api, path, branch, commit: own, env }: GitLabProject): Promise<void> {
  const { commit } = await api.ask<{ readonly commit: { readonly id: string } }>(
    ...(["GET", `${path}/repository/branches/${encodeURIComponent(branch)}`] as const),
  );
  if (env.CI_COMMIT_BRANCH === branch && commit.id === own) return;
  throw refusal(`${branch} is at ${commit.id}. Nothing of ${own} is applied`);
}

/** The merge request of this project that was merged with this commit. */
async function mergedRequest({ api, path, branch, commit }: GitLabProject): Promise<MergeRequest | undefined> {
  const found = await api.all<MergeRequest>(`${path}/repository/commits/${commit}/merge_requests`);
  return found.find(
    ({ state, target_branch, source_project_id, target_project_id, merge_commit_sha, squash_commit_sha, sha }) =>
      state === "merged" &&
      target_branch === branch &&
      source_project_id === target_project_id &&
      [merge_commit_sha, squash_commit_sha, sha].includes(commit),
  );
}

/** The newest job that planned the unit for the last commit of a merge request, succeeded, and ended before the merge. */
async function reviewJob(project: GitLabProject, request: MergeRequest, unit: string): Promise<Job | undefined> {
  const { iid, sha, merged_at: merged } = request;
  const pipelines = await project.api.all<Pipeline>(`${project.path}/merge_requests/${iid}/pipelines`);
  for (const pipeline of [...pipelines].sort((left, right) => right.id - left.id)) {
    if (!(await isOfChange(project, pipeline, iid, sha))) continue;
    const reviews = (await jobsOf(project, pipeline.id)).filter(({ name }) => isOfUnit(name, REVIEW, unit));
    const job = reviews.find(
      ({ status, finished_at: end }) =>
        status === "success" && Date.parse(end ?? "") <= Date.parse(merged ?? "") && end !== null,
    );
    if (job?.artifacts_file !== undefined) return job;
  }
  return undefined;
}

/** The jobs of a pipeline, the newest first. */
async function jobsOf({ api, path }: GitLabProject, pipeline: number): Promise<readonly Job[]> {
  const jobs = await api.all<Job>(`${path}/pipelines/${pipeline}/jobs`);
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
