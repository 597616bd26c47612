/** A stand-in for GitHub on loopback: pull requests, comments, runs and artifacts, behind the part of its API that the scripts use. */

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { complaint } from "./api-description.ts";
import { type ConcurrencyGroups, createGroups } from "./concurrency.ts";
import { type Body, type Issue, issueRoutes, page, type Route } from "./issues.ts";
import type { Repository } from "./repository.ts";
import { zipOf } from "./zip.ts";

/** The repository's id; forks have others. */
export const REPOSITORY_ID = 1;
export const FORK_ID = 2;
export const NAME = "acme/incidents";

/** A pull request. */
export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly base: string;
  readonly repositoryId: number;
  head: string;
  merged?: string;
  /** When it was merged. */
  time: number;
  title?: string;
  body?: string;
  isClosed?: boolean;
  /** When somebody approved it. */
  readonly approvals: { readonly time: number; readonly author_association: string }[];
  /** The base was changed after it was opened. */
  isRetargeted?: boolean;
}

/** A comment. */
export interface Comment {
  readonly id: number;
  readonly on: number;
  readonly author: string;
  body: string;
}

/** One run of a workflow; further attempts change it. */
export interface Run {
  readonly id: number;
  readonly workflow: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sha: string;
  /** As the API names the commit of a pull request: its head, not the merge. */
  readonly headSha: string;
  readonly ref: string;
  readonly branch: string;
  readonly repositoryId: number;
  /** Who started it; default: somebody. */
  readonly actor?: string;
  attempt: number;
  started: number;
  conclusion: string | null;
  jobs: readonly JobResult[];
}

/** A job of a run, and the output of its steps. */
export interface JobResult {
  readonly name: string;
  readonly conclusion: "success" | "failure" | "cancelled";
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Variables of all steps, by the name of the step. */
  readonly environments: readonly (readonly [step: string, env: Readonly<Record<string, string>>])[];
}

/** An uploaded artifact: files by path. */
export interface Artifact {
  readonly id: number;
  readonly run: number;
  readonly attempt: number;
  readonly name: string;
  readonly files: ReadonlyMap<string, Buffer>;
  expired: boolean;
}

/** An environment: its rules, secrets and variables. */
export interface Environment {
  readonly rules: readonly ("required_reviewers" | "branch_policy")[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

type Permissions = Readonly<Record<string, string>>;

/** The stand-in. */
export interface GitHub {
  readonly url: string;
  /** The address of the forge's pages, and the path of its API below `url`: GitHub Enterprise Server has others. */
  enterprise: { readonly server: string; readonly path: string };
  readonly repository: Repository;
  readonly pulls: Pull[];
  readonly comments: Comment[];
  readonly issues: Issue[];
  readonly runs: Run[];
  readonly artifacts: Artifact[];
  readonly environments: Map<string, Environment>;
  readonly variables: Record<string, string>;
  readonly groups: ConcurrencyGroups;
  /** The response of the people whose approval an environment requires: they approve, unless a test replaces this. */
  approve: (run: Run, environment: string) => boolean | Promise<boolean>;
  /** `METHOD /path` of all requests. */
  readonly requests: string[];
  /** Requests that GitHub's description does not allow, or that a job had no permission for. */
  readonly complaints: string[];
  /** Responses to come: a status and headers instead of a result; undefined for a result. */
  readonly failures: (readonly [status: number, headers?: Readonly<Record<string, string>>] | undefined)[];
  /** A number for the next object. */
  nextId(): number;
  /** A token of a job with these permissions. */
  tokenFor(permissions: Permissions): string;
  close(): Promise<void>;
}

/** Starts the stand-in. */
export async function startGitHub(repository: Repository): Promise<GitHub> {
  let last = 100;
  const tokens = new Map<string, Permissions>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const method = request.method ?? "GET";
    const body = await bodyOf(request);
    github.requests.push(`${method} ${url.pathname}`);
    // Signed addresses of files need no credentials, and are refused with some.
    const [, file] = /^\/files\/(\d+)$/.exec(url.pathname) ?? [];
    if (file !== undefined) {
      const artifact = github.artifacts.find(({ id }) => id === Number(file));
      const isPlain = artifact !== undefined && request.headers.authorization === undefined;
      return void response.writeHead(isPlain ? 200 : 403).end(isPlain ? zipOf(artifact.files) : "");
    }
    if (!url.pathname.startsWith(github.enterprise.path)) return void response.writeHead(404).end("{}");
    url.pathname = url.pathname.slice(github.enterprise.path.length);
    const wrong = complaint(method, url, body);
    if (wrong !== undefined) github.complaints.push(wrong);
    const failure = github.failures.shift();
    if (failure !== undefined) return void response.writeHead(failure[0], failure[1]).end("{}");
    const token = String(request.headers.authorization).replace("Bearer ", "");
    const [, zip] = /\/actions\/artifacts\/(\d+)\/zip$/.exec(url.pathname) ?? [];
    if (zip !== undefined && isAllowed(tokens.get(token) ?? {}, "actions: read")) {
      const isThere = github.artifacts.some(({ id, expired }) => id === Number(zip) && !expired);
      return void response
        .writeHead(isThere ? 302 : 410, isThere ? { location: `${github.url}/files/${zip}` } : {})
        .end();
    }
    const { status, value } = respond(github, method, url, body, tokens.get(token) ?? {});
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const github: GitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    enterprise: { server: "https://github.example", path: "" },
    repository,
    pulls: [],
    comments: [],
    issues: [],
    runs: [],
    artifacts: [],
    environments: new Map(),
    variables: {},
    groups: createGroups(),
    approve: () => true,
    requests: [],
    complaints: [],
    failures: [],
    nextId: () => {
      last += 1;
      return last;
    },
    tokenFor: (permissions) => {
      last += 1;
      tokens.set(`job-token-${last}`, permissions);
      return `job-token-${last}`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return github;
}

function respond(
  github: GitHub,
  method: string,
  url: URL,
  body: Body,
  permissions: Permissions,
): { readonly status: number; readonly value: unknown } {
  const path = `${method} ${url.pathname.replace(`/repos/${NAME}`, "")}`;
  for (const [pattern, permission, handler] of routes(github)) {
    const match = pattern.exec(path);
    if (match === null) continue;
    if (!isAllowed(permissions, permission)) {
      github.complaints.push(`${path} needs ${permission}`);
      return { status: 403, value: { message: "Resource not accessible by integration" } };
    }
    const value = handler(match.slice(1).map(decodeURIComponent), url, body);
    if (value !== undefined) return { status: method === "POST" ? 201 : 200, value };
  }
  return { status: 404, value: { message: "Not Found" } };
}

function isAllowed(permissions: Permissions, permission: string): boolean {
  const [scope = "", access] = permission.split(": ");
  return permissions[scope] === "write" || permissions[scope] === access;
}

function routes(github: GitHub): readonly Route[] {
  const pull = (number: number) => github.pulls.find((one) => one.number === number);
  const add = (on: number, body: Body) => {
    const comment = { id: github.nextId(), on, author: "github-actions[bot]", body: body.body ?? "" };
    github.comments.push(comment);
    return commentOf(comment);
  };
  return [
    ...issueRoutes(github.issues, github.nextId, `https://github.example/${NAME}/issues`),
    ...pullRoutes(github),
    [
      /^GET \/issues\/(\d+)\/comments$/,
      "pull-requests: read",
      ([number], url) => page(url, github.comments.filter(({ on }) => on === Number(number)).map(commentOf)),
    ],
    [/^POST \/issues\/(\d+)\/comments$/, "pull-requests: write", ([number], _, body) => add(Number(number), body)],
    [
      /^GET \/issues\/(\d+)\/events$/,
      "pull-requests: read",
      ([number], url) => page(url, pull(Number(number))?.isRetargeted ? [{ event: "base_ref_changed" }] : []),
    ],
    [
      /^GET \/pulls\/(\d+)\/reviews$/,
      "pull-requests: read",
      ([number], url) => {
        const approvals = pull(Number(number))?.approvals ?? [];
        return page(
          url,
          approvals.map(({ time, ...who }) => ({ state: "APPROVED", submitted_at: instant(time), ...who })),
        );
      },
    ],
    [
      /^PATCH \/issues\/comments\/(\d+)$/,
      "pull-requests: write",
      ([id], _, { body = "" }) => {
        const comment = github.comments.find((one) => one.id === Number(id));
        return comment === undefined ? undefined : commentOf(Object.assign(comment, { body }));
      },
    ],
    [
      /^GET \/pulls\/(\d+)$/,
      "pull-requests: read",
      ([number]) => {
        const found = pull(Number(number));
        return found === undefined ? undefined : pullOf(found);
      },
    ],
    [
      /^GET \/commits\/(\w+)\/pulls$/,
      "pull-requests: read",
      ([sha], url) => page(url, github.pulls.filter(({ merged, head }) => merged === sha || head === sha).map(pullOf)),
    ],
    [
      /^GET \/git\/ref\/heads\/(.+)$/,
      "contents: read",
      ([branch = ""]) => ({
        ref: `refs/heads/${branch}`,
        object: { type: "commit", sha: github.repository.tip(branch) },
      }),
    ],
    [
      /^GET \/compare\/(\w+)\.\.\.(\w+)$/,
      "contents: read",
      ([base = "", head = ""]) => {
        if (base === head) return { status: "identical", files: [] };
        const files = github.repository.changed(base, head).map((filename) => ({ filename }));
        return { status: github.repository.isAncestor(base, head) ? "ahead" : "diverged", files };
      },
    ],
    [
      /^GET \/environments\/(.+)$/,
      "actions: read",
      ([name = ""]) => {
        const found = github.environments.get(name);
        return found === undefined ? undefined : { name, protection_rules: found.rules.map((type) => ({ type })) };
      },
    ],
    [
      /^GET \/actions\/runs\/(\d+)\/artifacts$/,
      "actions: read",
      ([id], url) => ({
        artifacts: page(url, github.artifacts.filter((one) => one.run === Number(id)).map(artifactOf)),
      }),
    ],
    [
      /^GET \/actions\/workflows\/([\w.-]+)\/runs$/,
      "actions: read",
      ([workflow], url) => {
        const wanted = (name: string, value: string) => (url.searchParams.get(name) ?? value) === value;
        const found = github.runs.filter(
          (one) =>
            one.workflow === workflow &&
            wanted("event", one.event) &&
            wanted("head_sha", one.headSha) &&
            wanted("branch", one.branch),
        );
        return { workflow_runs: page(url, found.map(runOf).reverse()) };
      },
    ],
  ];
}

/** Pull requests that a job opens. */
function pullRoutes(github: GitHub): readonly Route[] {
  return [
    [
      /^GET \/pulls$/,
      "pull-requests: read",
      (_, url) => {
        const [, head] = (url.searchParams.get("head") ?? "").split(":");
        const isOpen = ({ isClosed, merged }: Pull) => isClosed !== true && merged === undefined;
        const isWanted = (pull: Pull) => url.searchParams.get("state") === "all" || isOpen(pull);
        return page(url, github.pulls.filter((pull) => pull.branch === head && isWanted(pull)).map(pullOf));
      },
    ],
    [
      /^POST \/pulls$/,
      "pull-requests: write",
      (_, __, { title = "", body = "", head = "", base = "" }) => {
        const pull = { number: github.nextId(), branch: head, base, head: github.repository.tip(head), time: 0 };
        github.pulls.push({ ...pull, repositoryId: REPOSITORY_ID, approvals: [], title, body });
        return pullOf(github.pulls.at(-1) as Pull);
      },
    ],
    [
      /^PATCH \/pulls\/(\d+)$/,
      "pull-requests: write",
      ([number], _, { state, ...rest }) => {
        const pull = github.pulls.find((one) => one.number === Number(number));
        return pull === undefined ? undefined : Object.assign(pull, rest, state === "closed" ? { isClosed: true } : {});
      },
    ],
  ];
}

function commentOf({ id, body, author }: Comment): object {
  return { id, body, user: { login: author } };
}

function pullOf({ number, branch, base, head, merged, time, repositoryId }: Pull): object {
  return {
    number,
    merged_at: merged === undefined ? null : instant(time),
    merge_commit_sha: merged ?? null,
    base: { ref: base, repo: { id: REPOSITORY_ID } },
    head: { ref: branch, sha: head, repo: { id: repositoryId } },
  };
}

function runOf({ id, workflow, event, headSha, branch, repositoryId, attempt, started, conclusion }: Run): object {
  return {
    id,
    event,
    conclusion,
    path: `.github/workflows/${workflow}`,
    head_sha: headSha,
    head_branch: branch,
    head_repository: { id: repositoryId },
    run_attempt: attempt,
    run_started_at: instant(started),
    created_at: instant(id),
  };
}

function artifactOf({ id, name, expired, run }: Artifact): object {
  return { id, name, expired, created_at: instant(id), workflow_run: { id: run } };
}

/** A time of the simulation: ids grow with it. */
function instant(id: number): string {
  return new Date(Date.UTC(2026, 10, 20) + id * 1000).toISOString();
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
