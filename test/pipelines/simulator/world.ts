/** A repository on GitHub with our workflows, one or more workspaces, and the built program: what a team would have. */

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { callingWorkflow } from "../../../src/app/init/uses.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { serve } from "../../../src/emulator/serve.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { permissionOf } from "../../../src/kinds/model/kind.ts";
import { root, script } from "../workflow.ts";
import {
  type Environment,
  FORK_ID,
  type GitHub,
  NAME,
  type Pull,
  REPOSITORY_ID,
  type Run,
  startGitHub,
} from "./github.ts";
import { createRepository, type Files, type MergeWay } from "./repository.ts";
import { execute, type Machine } from "./runner.ts";

const PROGRAM = join(root, "dist/cli.cjs");
const COMMIT = "c".repeat(40);
const ARCHIVE = `https://github.example/acme/incidentctl/archive/${COMMIT}.tar.gz`;
/** What the key of a plan may read: whatever the files declare, and what routing tests and reports of impact ask for. */
const READABLE = [
  ...new Set(kinds.filter(({ endpoint }) => endpoint.admin !== true).map(permissionOf)),
  ...["alerts", "incidents"],
];

/** A request that writes. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A workspace that is served on loopback. */
export interface Workspace {
  readonly url: string;
  readonly emulator: Emulator;
  /** A token that can only read. */
  readonly reader: string;
  /** Requests that write, of anybody. */
  readonly writes: string[];
  /** The same requests, with what they sent. */
  readonly operations: Operation[];
  /** Credentials that were sent, in order. */
  readonly credentials: Set<string>;
  /** After this number of writes, the service fails. */
  failAfter: number | undefined;
  /** Runs before the next write of a job, which waits for it. */
  beforeWrite: (() => Promise<void>) | undefined;
  /** A request of a person. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The names of the severities. */
  severities(): Promise<readonly string[]>;
}

/** The simulation. */
export interface World {
  readonly github: GitHub;
  readonly machine: Machine;
  /** Opens a pull request and runs its review. */
  open(branch: string, files: Files, options?: { readonly fork?: boolean }): Promise<Pull>;
  /** Pushes to a pull request and runs its review. */
  update(pull: Pull, files: Files): Promise<Run>;
  /** Runs the review of a pull request that a job opened and a person reopened. */
  reopen(pull: Pull): Promise<Run>;
  /** Runs the review of a pull request in a merge queue. */
  queue(pull: Pull): Promise<Run>;
  /** Approves a pull request as it is: a member, unless GitHub calls the person otherwise. */
  approve(pull: Pull, association?: string): void;
  /** Merges pull requests with one push, as a merge queue does with several. The run waits until `start` runs it. */
  merge(...pulls: readonly Pull[]): Run;
  /** Merges a pull request in one of the ways that GitHub offers. */
  mergeBy(way: MergeWay, pull: Pull): Run;
  /** Commits on a branch without a pull request. */
  push(files: Files, branch?: string): Run;
  /** Starts an apply by hand. */
  dispatch(inputs: Readonly<Record<string, string | boolean>>, ref?: string): Run;
  /** Starts the workflow for a proposal. */
  propose(inputs: Readonly<Record<string, string>>, actor?: string): Run;
  /** Runs a workflow: for the first time, or again. */
  start(run: Run): Promise<Run>;
  /** Runs a workflow as its schedule does. */
  schedule(workflow: string): Promise<Run>;
  /** The last review of a pull request. */
  review(pull: Pull): Run;
  /** The only comment on a pull request with this text in its first line. */
  comment(pull: Pull, command: "review" | "apply"): string;
  close(): Promise<void>;
}

/** Serves a workspace. */
export async function startWorkspace(): Promise<Workspace & { close(): Promise<void> }> {
  const emulator = createEmulator();
  const writes: string[] = [];
  const operations: Operation[] = [];
  const credentials = new Set<string>();
  const server = await serve({
    ...emulator,
    fetch: async (request: Request) => {
      credentials.add((request.headers.get("authorization") ?? "").replace("Bearer ", ""));
      const isWrite = request.method !== "GET";
      const { beforeWrite } = workspace;
      if (isWrite && beforeWrite !== undefined) {
        workspace.beforeWrite = undefined;
        await beforeWrite();
      }
      if (isWrite && workspace.failAfter !== undefined && writes.length >= workspace.failAfter) {
        const error = { type: "unavailable", message: "Later.", request_id: "r1" };
        return Response.json({ error }, { status: 403 });
      }
      if (isWrite) {
        const { pathname: path } = new URL(request.url);
        writes.push(`${request.method} ${path}`);
        operations.push({ method: request.method, path, body: JSON.parse((await request.clone().text()) || "null") });
      }
      return emulator.fetch(request);
    },
  });
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await emulator.fetch(new Request(`${server.url}${path}`, { method, headers, ...text }));
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
  const permissions = Object.fromEntries(READABLE.map((name) => [name, ["read"]]));
  const key = (await send("POST", "/api/v1/api_keys", { name: "reader", permissions })) as { readonly token: string };
  const workspace: Workspace & { close(): Promise<void> } = {
    url: server.url,
    emulator,
    failAfter: undefined,
    beforeWrite: undefined,
    reader: key.token,
    writes,
    operations,
    credentials,
    send,
    severities: async () => {
      const list = (await send("GET", "/api/v1/severities")) as { severities: readonly { readonly name: string }[] };
      return list.severities.map(({ name }) => name);
    },
    close: async () => {
      await server.close();
      emulator.close();
    },
  };
  return workspace;
}

/** The environments of GitHub for a workspace, as docs/pipelines.md sets them up. */
export function environmentsOf({ url, reader, emulator }: Workspace, suffix = ""): readonly [string, Environment][] {
  const variables = { INCIDENTCTL_URL: url };
  const secrets = { INCIDENTCTL_TOKEN: emulator.serviceToken, INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken };
  return [
    [`incidentctl-review${suffix}`, { rules: [], secrets: { INCIDENTCTL_TOKEN: reader }, variables }],
    [`incidentctl-apply${suffix}`, { rules: ["branch_policy"], secrets, variables }],
    [`incidentctl-drift${suffix}`, { rules: ["branch_policy"], secrets: { INCIDENTCTL_TOKEN: reader }, variables }],
    [`incidentctl-proposal${suffix}`, { rules: ["branch_policy", "required_reviewers"], secrets, variables }],
  ];
}

/** Sets up a repository with these files, our workflows, and environments. */
export async function openWorld(files: Files, environments: readonly [string, Environment][]): Promise<World> {
  expect(existsSync(PROGRAM), "npm run build comes first").toBe(true);
  const folder = await mkdtemp(join(tmpdir(), "incidentctl-github-"));
  const repository = createRepository(join(folder, "repository"), { ...templates(), ...files });
  const github = await startGitHub(repository);
  for (const [name, environment] of environments) github.environments.set(name, environment);
  const address = `url.${join(folder, "repository")}.insteadOf=https://github.example/${NAME}.git`;
  const [key = "", value = ""] = address.split("=");
  execFileSync("git", ["config", "--file", join(folder, "gitconfig"), key, value]);
  const machine: Machine = { folder, script, path: `${toolsIn(folder)}:${process.env.PATH ?? ""}` };
  const own = { repository: { id: REPOSITORY_ID, full_name: NAME, default_branch: "main" } };

  const record = (
    run: Omit<Run, "id" | "attempt" | "started" | "conclusion" | "jobs" | "repositoryId">,
    repositoryId = REPOSITORY_ID,
  ): Run => {
    const made = { ...run, repositoryId, id: github.nextId(), attempt: 0, started: 0, conclusion: null, jobs: [] };
    github.runs.push(made);
    return made;
  };
  const start = async (run: Run): Promise<Run> => {
    run.attempt += 1;
    await execute(github, run, machine);
    return run;
  };
  const reviewRun = (pull: Pull): Run => {
    const repo = {
      id: pull.repositoryId,
      full_name: pull.repositoryId === REPOSITORY_ID ? NAME : "somebody/incidents",
    };
    const payload = {
      ...own,
      number: pull.number,
      pull_request: {
        number: pull.number,
        head: { sha: pull.head, ref: pull.branch, repo },
        base: { sha: repository.tip(pull.base), ref: pull.base },
      },
    };
    const sha = repository.merge(repository.tip(pull.base), pull.head);
    const ref = `refs/pull/${pull.number}/merge`;
    return record(
      {
        workflow: "incidentctl-review.yml",
        event: "pull_request",
        payload,
        sha,
        headSha: pull.head,
        ref,
        branch: pull.branch,
      },
      pull.repositoryId,
    );
  };
  const applyRun = (event: string, payload: object, branch = "main", workflow = "incidentctl-apply.yml"): Run => {
    const ref = `refs/heads/${branch}`;
    const sha = repository.tip(branch);
    return record({
      workflow,
      event,
      payload: { ...own, ...payload },
      sha,
      headSha: sha,
      ref,
      branch,
    });
  };
  const merge = (way: MergeWay, pulls: readonly Pull[]): Run => {
    const before = repository.tip("main");
    for (const pull of pulls) {
      pull.time = github.nextId();
      pull.merged = repository.merge(repository.tip(pull.base), pull.head, way);
      repository.move(pull.base, pull.merged);
    }
    return applyRun("push", { before });
  };
  return {
    github,
    machine,
    async open(branch, changes, { fork = false } = {}) {
      const head = repository.commit(branch, changes);
      const pull: Pull = {
        number: github.nextId(),
        branch,
        base: "main",
        head,
        repositoryId: fork ? FORK_ID : REPOSITORY_ID,
        time: 0,
        approvals: [],
      };
      github.pulls.push(pull);
      await start(reviewRun(pull));
      return pull;
    },
    update(pull, changes) {
      pull.head = repository.commit(pull.branch, changes);
      return start(reviewRun(pull));
    },
    reopen(pull) {
      pull.head = repository.tip(pull.branch);
      return start(reviewRun(pull));
    },
    queue(pull) {
      const base = repository.tip(pull.base);
      const sha = repository.merge(base, pull.head);
      const branch = `gh-readonly-queue/main/pr-${pull.number}`;
      return start(
        record({
          workflow: "incidentctl-review.yml",
          event: "merge_group",
          payload: { ...own, merge_group: { base_sha: base, head_sha: sha } },
          sha,
          headSha: sha,
          ref: `refs/heads/${branch}`,
          branch,
        }),
      );
    },
    approve: (pull, author_association = "MEMBER") =>
      void pull.approvals.push({ time: github.nextId(), author_association }),
    merge: (...pulls) => merge("merge", pulls),
    mergeBy: (way, pull) => merge(way, [pull]),
    push: (changes, branch = "main") => {
      const before = repository.tip("main");
      repository.commit(branch, changes);
      return applyRun("push", { before }, branch);
    },
    dispatch: (inputs, ref = "main") => applyRun("workflow_dispatch", { inputs }, ref),
    propose: (inputs, actor) =>
      Object.assign(applyRun("workflow_dispatch", { inputs }, "main", "incidentctl-proposal.yml"), { actor }),
    start,
    schedule(workflow) {
      const sha = repository.tip("main");
      const payload = { ...own, schedule: "17 * * * *" };
      const run = { workflow, event: "schedule", payload, sha, headSha: sha, ref: "refs/heads/main", branch: "main" };
      return start(record(run));
    },
    review(pull) {
      const run = github.runs.findLast(({ headSha, event }) => headSha === pull.head && event === "pull_request");
      if (run === undefined) throw new Error("there is no review");
      return run;
    },
    comment(pull, command) {
      const own = github.comments.filter(
        ({ on, body }) => on === pull.number && body.startsWith(`<!-- incidentctl ${command}`),
      );
      expect(own).toHaveLength(1);
      return own[0]?.body ?? "";
    },
    async close() {
      await github.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The workflows that `init --ci github --uses` writes. */
export function callers(): Files {
  const folder = "templates/github/workflows";
  return Object.fromEntries(
    readdirSync(join(root, folder)).map((file) => {
      const text = readFileSync(join(root, folder, file), "utf8");
      return [`.github/workflows/${file}`, callingWorkflow(file, text, `acme/incidentctl@${COMMIT}`)];
    }),
  );
}

/** Our workflows, and the packed program, at the places where `init --ci github` puts them. */
function templates(): Files {
  const folder = (from: string, to: string) =>
    readdirSync(join(root, "templates", from)).map((file) => [
      `${to}/${file}`,
      readFileSync(join(root, "templates", from, file)),
    ]);
  const packed = [["ci/incidentctl.tgz", "the packed program\n"]];
  return Object.fromEntries([...folder("github/workflows", ".github/workflows"), ...packed]);
}

/** The program and an `npm` that installs it if the package is there. */
function toolsIn(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const tools = {
    incidentctl: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
    npm: `#!/bin/sh\nfor package; do :; done\n[ -f "$package" ] || [ "$package" = ${ARCHIVE} ]\n`,
  };
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}
