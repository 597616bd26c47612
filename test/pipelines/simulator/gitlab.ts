/** A stand-in for GitLab on loopback: merge requests, notes, issues, pipelines and artifacts, behind the part of its API that the scripts use. */

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export const PROJECT = "42";
const SELF = 7;

/** A merge request. */
export interface MergeRequest {
  readonly iid: number;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly source_project_id: number;
  readonly target_project_id: number;
  sha: string;
  state: "opened" | "merged" | "closed";
  merge_commit_sha: string | null;
  merged_at: string | null;
  title?: string;
  description?: string;
}

/** A note of a merge request or an issue, or an issue. */
export interface Text {
  readonly id: number;
  readonly iid: number;
  /** What the note is on: `merge_requests/3` or `issues/4`. */
  readonly on: string;
  readonly author: { readonly id: number };
  readonly web_url: string;
  title?: string;
  body?: string;
  description?: string;
  state?: string;
  /** A note that tells what happened. */
  readonly system?: boolean;
  readonly created_at?: string;
}

/** A pipeline of a merge request. */
export interface Pipeline {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly ref: string;
  readonly source: string;
  readonly project_id: number;
}

/** A job that has ended, with the folder of its artifacts. */
export interface Job {
  readonly id: number;
  readonly pipeline: number;
  readonly name: string;
  readonly status: "success" | "failed";
  readonly finished_at: string;
  readonly folder: string;
}

/** The stand-in. */
export interface GitLab {
  readonly url: string;
  /** The newest commit of each branch. */
  readonly branches: Map<string, string>;
  /** Whether a branch has a commit. */
  isInBranch: (commit: string, branch: string) => boolean;
  /** The files that differ between two commits. */
  changed: (from: string, to: string) => readonly string[];
  /** The parents of commits. */
  readonly parents: Map<string, readonly string[]>;
  readonly merges: MergeRequest[];
  readonly notes: Text[];
  readonly issues: Text[];
  readonly pipelines: Pipeline[];
  readonly jobs: Job[];
  /** `METHOD path` of all requests. */
  readonly requests: string[];
  /** Requests with a parameter that the documentation of the endpoint does not name. */
  readonly complaints: string[];
  nextId(): number;
  close(): Promise<void>;
}

type Body = Readonly<Record<string, string>>;
type Route = readonly [
  endpoint: RegExp,
  keys: readonly string[],
  handler: (values: readonly string[], body: Body, query: Body) => unknown,
];

/** Starts the stand-in. */
export async function startGitLab(): Promise<GitLab> {
  let last = 100;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const call = `${request.method} ${url.pathname.replace("/api/v4", "")}`;
    gitlab.requests.push(call);
    const value = respond(gitlab, call, await bodyOf(request), queryOf(url));
    if (value === undefined) return void response.writeHead(404).end('{"message":"404 Not found"}');
    if (Buffer.isBuffer(value)) return void response.writeHead(200).end(value);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const gitlab: GitLab = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`,
    branches: new Map(),
    isInBranch: () => false,
    changed: () => [],
    parents: new Map(),
    merges: [],
    notes: [],
    issues: [],
    pipelines: [],
    jobs: [],
    requests: [],
    complaints: [],
    nextId: () => {
      last += 1;
      return last;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return gitlab;
}

/** Parameters by name, those of a list joined with commas. */
function queryOf({ searchParams }: URL): Body {
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name).join(",")]));
}

function respond(gitlab: GitLab, call: string, body: Body, query: Body): unknown {
  const { page = "1", per_page: size = "20", ...filters } = query;
  for (const [endpoint, keys, handler] of routes(gitlab)) {
    const match = endpoint.exec(call);
    if (match === null) continue;
    const unknown = [...Object.keys(body), ...Object.keys(filters)].filter((key) => !keys.includes(key));
    if (unknown.length > 0) gitlab.complaints.push(`${call}: ${unknown.join(", ")}`);
    const value = handler(match.slice(1).map(decodeURIComponent), body, filters);
    return Array.isArray(value) ? value.slice((Number(page) - 1) * Number(size)).slice(0, Number(size)) : value;
  }
  gitlab.complaints.push(`${call}: there is no such endpoint`);
  return undefined;
}

/** The endpoints with the parameters that GitLab documents for them, as far as the scripts have a use for them. */
function routes(gitlab: GitLab): readonly Route[] {
  const own = `/projects/${PROJECT}`;
  const at = (text: string) => new RegExp(`^${text.replace("OWN", own)}$`);
  const merge = (iid: string | undefined) => gitlab.merges.find((one) => one.iid === Number(iid));
  const add = (list: Text[], on: string, body: Body): Text => {
    const id = gitlab.nextId();
    list.push({ id, iid: id, on, author: { id: SELF }, web_url: `https://gitlab.example/-/issues/${id}`, ...body });
    return list.at(-1) as Text;
  };
  const change = <Item extends { readonly id?: number; readonly iid?: number }>(item: Item | undefined, body: Body) => {
    if (item === undefined) return undefined;
    const { state_event: event, ...rest } = body;
    return Object.assign(item, rest, event === "close" ? { state: "closed" } : {});
  };
  const matches = (item: object, query: Body) =>
    Object.entries(query).every(([key, value]) => (item as Readonly<Record<string, unknown>>)[key] === value);
  return [
    [at("GET /user"), [], () => ({ id: SELF })],
    [
      at("GET OWN/repository/branches/(.+)"),
      [],
      ([name = ""]) => ({ name, commit: { id: gitlab.branches.get(name) } }),
    ],
    [
      at("GET OWN/repository/compare"),
      ["from", "to", "straight"],
      (_, __, { from = "", to = "" }) => ({
        compare_timeout: false,
        diffs: gitlab.changed(from, to).map((path) => ({ old_path: path, new_path: path })),
      }),
    ],
    [
      at("GET OWN/repository/merge_base"),
      ["refs[]"],
      (_, __, { "refs[]": refs = "" }) => {
        const [commit = "", branch = ""] = refs.split(",");
        return { id: gitlab.isInBranch(commit, branch) ? commit : "0".repeat(40) };
      },
    ],
    [
      at("GET OWN/repository/commits/(\\w+)/merge_requests"),
      ["state"],
      ([sha]) => gitlab.merges.filter(({ merge_commit_sha: commit, sha: head }) => commit === sha || head === sha),
    ],
    [
      at("GET OWN/repository/commits/(\\w+)"),
      [],
      ([sha = ""]) => ({ id: sha, parent_ids: gitlab.parents.get(sha) ?? [] }),
    ],
    [
      at("GET OWN/merge_requests"),
      ["state", "source_branch", "target_branch"],
      (_, __, query) => gitlab.merges.filter((one) => matches(one, query)),
    ],
    [
      at("POST OWN/merge_requests"),
      ["source_branch", "target_branch", "title", "description", "remove_source_branch"],
      (_, { source_branch = "", target_branch = "", title = "", description = "" }) => {
        const ids = { iid: gitlab.nextId(), source_project_id: Number(PROJECT), target_project_id: Number(PROJECT) };
        const texts = { source_branch, target_branch, title, description };
        gitlab.merges.push({ ...ids, ...texts, sha: "", state: "opened", merge_commit_sha: null, merged_at: null });
        return gitlab.merges.at(-1);
      },
    ],
    [at("GET OWN/merge_requests/(\\d+)"), [], ([iid]) => merge(iid)],
    [
      at("PUT OWN/merge_requests/(\\d+)"),
      ["title", "description", "state_event"],
      ([iid], body) => change(merge(iid), body),
    ],
    [
      at("GET OWN/merge_requests/(\\d+)/pipelines"),
      [],
      ([iid]) => gitlab.pipelines.filter((one) => one.iid === Number(iid)),
    ],
    [at("GET OWN/(\\w+/\\d+)/notes"), ["sort", "order_by"], ([on]) => gitlab.notes.filter((note) => note.on === on)],
    [at("POST OWN/(\\w+/\\d+)/notes"), ["body"], ([on = ""], body) => add(gitlab.notes, on, body)],
    [
      at("PUT OWN/\\w+/\\d+/notes/(\\d+)"),
      ["body"],
      ([id], body) =>
        change(
          gitlab.notes.find((note) => note.id === Number(id)),
          body,
        ),
    ],
    [
      at("GET OWN/issues"),
      ["state", "labels"],
      (_, __, { labels }) =>
        gitlab.issues.filter((one) => one.state !== "closed" && (one as { labels?: string }).labels === labels),
    ],
    [at("POST OWN/issues"), ["title", "description", "labels"], (_, body) => add(gitlab.issues, "", body)],
    [
      at("PUT OWN/issues/(\\d+)"),
      ["description", "state_event"],
      ([iid], body) =>
        change(
          gitlab.issues.find((one) => one.iid === Number(iid)),
          body,
        ),
    ],
    [
      at("GET OWN/pipelines/(\\d+)/jobs"),
      ["include_retried", "scope"],
      ([id]) =>
        gitlab.jobs
          .filter((one) => one.pipeline === Number(id))
          .map(({ folder, ...job }) => ({
            ...job,
            artifacts_file: { filename: "artifacts.zip" },
            web_url: `https://gitlab.example/-/jobs/${job.id}`,
          })),
    ],
    [
      at("GET OWN/jobs/(\\d+)/artifacts/(.+)"),
      [],
      ([id, file = ""]) => {
        const path = join(gitlab.jobs.find((one) => one.id === Number(id))?.folder ?? "", file);
        return existsSync(path) ? readFileSync(path) : undefined;
      },
    ],
  ];
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
