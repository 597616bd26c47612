/** GitHub and GitHub Enterprise. The account of a workflow is a bot, and its token cannot read its own name. */

import { appendFileSync, readFileSync } from "node:fs";
import type { Io } from "../../../core/io.ts";
import { sanitised } from "../../../core/sanitise.ts";
import { annotationLines } from "../../../view/run/annotations.ts";
import type { Console } from "../../console/console.ts";
import type { Forge, ForgeComment, ForgeComments, ForgeIssue, ForgeIssues, ForgeRequests } from "./forge.ts";
import { githubPlans } from "./github-plans.ts";
import { type GitHubPull, type GitHubRepository, mergedPull } from "./github-repository.ts";
import { connectApi } from "./requests.ts";

const LABEL = "incidentctl-drift";

/** The parts of an event's payload that are read. */
interface GitHubEvent {
  readonly repository: { readonly id: number; readonly default_branch: string };
  readonly pull_request?: { readonly number: number; readonly head: { readonly sha: string } };
  readonly merge_group?: { readonly base_sha: string };
  readonly before?: string;
}

interface GitHubItem {
  readonly id: number;
  readonly number: number;
  readonly body: string | null;
  readonly html_url: string;
  readonly user: { readonly login: string } | null;
  readonly pull_request?: object;
}

/** Connects with the variables of a job. */
export function githubForge(io: Io, console: Console): Forge {
  const { env } = io;
  const event: GitHubEvent = JSON.parse(readFileSync(needed(env, "GITHUB_EVENT_PATH"), "utf8"));
  const [name, commit, id] = [
    needed(env, "GITHUB_REPOSITORY"),
    needed(env, "GITHUB_SHA"),
    needed(env, "GITHUB_RUN_ID"),
  ];
  const server = needed(env, "GITHUB_SERVER_URL");
  const runsPage = `${server}/${name}/actions/runs`;
  const token = env.GITHUB_TOKEN ?? "";
  const base = event.merge_group?.base_sha ?? (event.pull_request === undefined ? undefined : "HEAD^1");
  const forge: Forge = {
    run: {
      ...{ id, attempt: env.GITHUB_RUN_ATTEMPT ?? "1", page: `${runsPage}/${id}` },
      commit: event.pull_request?.head.sha ?? commit,
    },
    ...(base === undefined ? {} : { base }),
    ...(event.before === undefined ? {} : { before: event.before }),
    isManual: env.GITHUB_EVENT_NAME === "workflow_dispatch",
    comments: async () => "there is no GITHUB_TOKEN",
    output(values) {
      const lines = Object.entries(values).map(([key, value]) => `${key}=${sanitised(value)}\n`);
      if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, lines.join(""));
    },
    annotate(level, text, title = "incidentctl") {
      for (const line of annotationLines([{ level, title, message: sanitised(text) }], () => undefined)) {
        console.alert(line);
      }
      if (level === "error" && env.GITHUB_STEP_SUMMARY)
        appendFileSync(env.GITHUB_STEP_SUMMARY, `\n❌ **${title}**: ${sanitised(text)}\n`);
    },
  };
  if (token === "") return forge;
  const api = connectApi(
    needed(env, "GITHUB_API_URL"),
    { authorization: `Bearer ${token}`, "x-github-api-version": "2022-11-28" },
    io,
  );
  const repository: GitHubRepository = {
    ...{ api, path: `/repos/${name}`, owner: name.split("/")[0] ?? "", commit, runsPage },
    ...{ run: Number(id), ...(event.pull_request === undefined ? {} : { pull: event.pull_request.number }) },
    ...{ id: event.repository.id, branch: event.repository.default_branch, ref: needed(env, "GITHUB_REF") },
    actors: [...new Set([env.GITHUB_ACTOR, env.GITHUB_TRIGGERING_ACTOR])].map((actor) => actor || "an unknown person"),
    approvers: (env.INCIDENTCTL_APPROVERS ?? "").split(/[\s,]+/).filter((name) => name !== ""),
  };
  const bot = env.INCIDENTCTL_BOT || "github-actions[bot]";
  return {
    ...forge,
    comments: () => commentsOf(repository, event, bot),
    issues: issuesOf(repository, bot),
    requests: requestsOf(repository, `${server}/${name}.git`, token, env.INCIDENTCTL_APP),
    plans: githubPlans(repository, (text) => forge.annotate("warning", text)),
  };
}

function needed(env: Io["env"], name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set, which GitHub sets in each job`);
  return value;
}

async function commentsOf(
  repository: GitHubRepository,
  event: GitHubEvent,
  bot: string,
): Promise<ForgeComments | string> {
  const { api, path } = repository;
  const own = event.pull_request;
  const number = own?.number ?? (await mergedPull(repository, repository.commit))?.number;
  if (number === undefined) return "this commit is not the merge of a pull request";
  if (own !== undefined) {
    const { head } = await api.ask<GitHubPull>("GET", `${path}/pulls/${number}`);
    if (head.sha !== own.head.sha) return "the pull request has a newer commit, with a review of its own";
  }
  return {
    own: async () => ownItems(await api.all<GitHubItem>(`${path}/issues/${number}/comments`), bot).map(bodyOf),
    add: async (body) => void (await api.ask("POST", `${path}/issues/${number}/comments`, { body })),
    rewrite: async ({ id }, body) => void (await api.ask("PATCH", `${path}/issues/comments/${id}`, { body })),
  };
}

function ownItems(items: readonly GitHubItem[], bot: string): readonly GitHubItem[] {
  return items.filter(({ user, pull_request: change }) => user?.login === bot && change === undefined);
}

function bodyOf({ id, body }: GitHubItem): ForgeComment {
  return { id, body: body ?? "" };
}

function issuesOf({ api, path }: GitHubRepository, bot: string): ForgeIssues {
  const issueOf = ({ number, body, html_url: page }: GitHubItem): ForgeIssue => ({ number, body: body ?? "", page });
  return {
    open: async () =>
      ownItems(await api.all<GitHubItem>(`${path}/issues?state=open&labels=${LABEL}`), bot).map(issueOf),
    create: async (title, body) =>
      issueOf(await api.ask<GitHubItem>("POST", `${path}/issues`, { title, body, labels: [LABEL] })),
    update: async ({ number }, body) => void (await api.ask("PATCH", `${path}/issues/${number}`, { body })),
    say: async ({ number }, body) => void (await api.ask("POST", `${path}/issues/${number}/comments`, { body })),
    close: async ({ number }) => void (await api.ask("PATCH", `${path}/issues/${number}`, { state: "closed" })),
  };
}

function requestsOf(
  { api, path, owner, branch }: GitHubRepository,
  remote: string,
  token: string,
  app: string | undefined,
): ForgeRequests {
  return {
    remote,
    login: `x-access-token:${token}`,
    note: app
      ? ""
      : "GitHub starts no review of a request that was opened with a job's own token. To start one, close this request and reopen it.",
    async find(head) {
      const query = `state=open&base=${encodeURIComponent(branch)}&head=${encodeURIComponent(`${owner}:${head}`)}`;
      return (await api.all<GitHubPull>(`${path}/pulls?${query}`))[0]?.number;
    },
    open: async (head, title, body) =>
      void (await api.ask("POST", `${path}/pulls`, { title, body, head, base: branch })),
    update: async (number, body) => void (await api.ask("PATCH", `${path}/pulls/${number}`, { body })),
    close: async (number) => void (await api.ask("PATCH", `${path}/pulls/${number}`, { state: "closed" })),
  };
}
