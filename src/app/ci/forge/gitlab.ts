/** GitLab. The token is that of a project or a person, since a job token cannot write notes. */

import type { Io } from "../../../core/io.ts";
import { sanitised } from "../../../core/sanitise.ts";
import type { Console } from "../../console/console.ts";
import type { Forge, ForgeComments, ForgeIssue, ForgeIssues, ForgeRequests } from "./forge.ts";
import { gitlabPlans } from "./gitlab-plans.ts";
import { type GitLabProject, type MergeRequest, mergedRequest } from "./gitlab-project.ts";
import { connectApi } from "./requests.ts";

const LABEL = "incidentctl-drift";

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
    isManual: env.CI_PIPELINE_SOURCE === "web",
    ...(env.CI_COMMIT_BEFORE_SHA ? { before: env.CI_COMMIT_BEFORE_SHA } : {}),
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
    plans: gitlabPlans(project),
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
    : await mergedRequest(project, project.commit);
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
