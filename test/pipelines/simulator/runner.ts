/** Runs a workflow as a runner of GitHub does: matrix, jobs, conditions, steps, artifacts. It knows the actions that our workflows use. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { type Call, type Ended, type Job, type Step, type script, type Workflow, yaml } from "../workflow.ts";
import type { Concurrency } from "./concurrency.ts";
import { type Contexts, interpolate, interpolateText, isMet, type Status } from "./expressions.ts";
import { type Artifact, type GitHub, type JobResult, NAME, REPOSITORY_ID, type Run } from "./github.ts";

/** Where jobs run, and what is in their PATH. */
export interface Machine {
  readonly folder: string;
  path: string;
  /** Runs before each step with a script, to disturb the service or the branch. */
  beforeStep?: ((name: string, folder: string) => Promise<void> | void) | undefined;
  /** Runs the script of a step. */
  script: typeof script;
}

/** Runs a workflow of the run's commit when its concurrency group lets it, one job after another and the rows of a matrix at once. */
export async function execute(github: GitHub, run: Run, machine: Machine): Promise<void> {
  run.started = github.nextId();
  run.conclusion = null;
  run.jobs = [];
  const file = `.github/workflows/${run.workflow}`;
  const workflow: Workflow = parse(github.repository.read(run.sha, file));
  const turn = await github.groups.enter(
    concurrencyOf(workflow.concurrency, { github: githubContext(github, run), inputs: inputsOf(run) }),
  );
  if (turn === undefined) {
    run.conclusion = "cancelled";
    return;
  }
  try {
    await executeJobs(github, run, calledBy(github, run, workflow), machine, turn.signal);
  } finally {
    turn.end();
  }
}

/** A workflow with its inputs: the one of this repository that its only job calls, or itself. */
function calledBy(
  github: GitHub,
  run: Run,
  workflow: Workflow,
): { readonly jobs: Workflow["jobs"]; readonly inputs: unknown } {
  const [call] = Object.values(workflow.jobs) as unknown as readonly Partial<Call>[];
  if (call?.uses === undefined) return { jobs: workflow.jobs, inputs: inputsOf(run) };
  const [, file = ""] = /^[\w.-]+\/[\w.-]+\/(\.github\/workflows\/[\w.-]+)@[0-9a-f]{40}$/.exec(call.uses) ?? [];
  const contexts = { github: githubContext(github, run), inputs: inputsOf(run) };
  const inputs = Object.entries(call.with ?? {}).map(([name, text]) => [name, interpolate(String(text), contexts)]);
  return { jobs: yaml<Workflow>(file).jobs, inputs: Object.fromEntries(inputs) };
}

async function executeJobs(
  github: GitHub,
  run: Run,
  { jobs, inputs }: ReturnType<typeof calledBy>,
  machine: Machine,
  signal: AbortSignal,
): Promise<void> {
  const results: JobResult[] = [];
  const needs: Record<string, { result: string; outputs: Readonly<Record<string, string>> }> = {};
  for (const [id, job] of Object.entries(jobs)) {
    const wanted = [job.needs ?? []].flat();
    const ownNeeds = Object.fromEntries(wanted.map((name) => [name, needs[name]]));
    const contexts = {
      github: githubContext(github, run),
      needs: ownNeeds,
      vars: github.variables,
      inputs,
    };
    const isReady = wanted.every((name) => needs[name]?.result === "success");
    const status: Status = signal.aborted ? "cancelled" : isReady ? "success" : "failure";
    const done = isMet(job.if, contexts, status) ? await runJobs(github, run, id, job, contexts, machine, signal) : [];
    results.push(...done);
    needs[id] = {
      result: done.length === 0 ? "skipped" : worst(done),
      outputs: Object.assign({}, ...done.map(({ outputs }) => outputs)),
    };
  }
  run.jobs = results;
  run.conclusion = signal.aborted ? "cancelled" : worst(results);
}

function worst(results: readonly JobResult[]): "success" | "failure" | "cancelled" {
  const has = (wanted: string) => results.some(({ conclusion }) => conclusion === wanted);
  return has("failure") ? "failure" : has("cancelled") ? "cancelled" : "success";
}

function concurrencyOf(concurrency: Concurrency | undefined, contexts: Contexts): Concurrency | undefined {
  return concurrency && { ...concurrency, group: interpolateText(concurrency.group, contexts) };
}

async function runJobs(
  github: GitHub,
  run: Run,
  id: string,
  job: Job,
  contexts: Contexts,
  machine: Machine,
  signal: AbortSignal,
): Promise<readonly JobResult[]> {
  const include = job.strategy?.matrix.include;
  const rows: unknown = include === undefined ? [undefined] : interpolate(include, contexts);
  if (!Array.isArray(rows)) throw new Error(`the matrix of ${id} is no list`);
  return Promise.all(
    rows.map((matrix) => queueJob(github, run, id, job, { ...contexts, matrix: matrix ?? {} }, machine, signal)),
  );
}

/** Runs a job when its concurrency group lets it, and a person approves its environment if that asks one. */
async function queueJob(
  github: GitHub,
  run: Run,
  id: string,
  job: Job,
  outer: Contexts,
  machine: Machine,
  signal: AbortSignal,
): Promise<JobResult> {
  const refused = (conclusion: JobResult["conclusion"], log: string): JobResult => {
    const name = job.name === undefined ? id : interpolateText(job.name, outer);
    return { name, conclusion, log, summary: "", outputs: {}, environments: [] };
  };
  const turn = await github.groups.enter(concurrencyOf(job.concurrency, outer));
  if (turn === undefined)
    return refused("cancelled", "a newer job of the concurrency group took the place of this one");
  try {
    const environment = job.environment === undefined ? "" : interpolateText(job.environment.name, outer);
    const { rules = [] } = github.environments.get(environment) ?? {};
    if (rules.includes("branch_policy") && run.ref !== "refs/heads/main")
      return refused("failure", "the branch may not use this environment");
    if (rules.includes("required_reviewers") && !(await github.approve(run, environment)))
      return refused("failure", "a reviewer rejected the deployment");
    return await runJob(github, run, id, job, outer, machine, AbortSignal.any([signal, turn.signal]));
  } finally {
    turn.end();
  }
}

async function runJob(
  github: GitHub,
  run: Run,
  id: string,
  job: Job,
  outer: Contexts,
  machine: Machine,
  signal: AbortSignal,
): Promise<JobResult> {
  const isFork = run.repositoryId !== REPOSITORY_ID;
  const environment = job.environment === undefined ? "" : interpolateText(job.environment.name, outer);
  const { secrets = {}, variables = {} } = github.environments.get(environment) ?? {};
  const permissions = isFork
    ? Object.fromEntries(Object.keys(job.permissions).map((scope) => [scope, "read"]))
    : job.permissions;
  const token = github.tokenFor(permissions);
  const workspace = mkdtempSync(join(machine.folder, "workspace-"));
  const temp = mkdtempSync(join(machine.folder, "temp-"));
  const contexts: Contexts = {
    ...outer,
    github: { ...githubContext(github, run), token },
    vars: { ...github.variables, ...variables },
    secrets: isFork ? {} : secrets,
    runner: { temp, os: "Linux" },
  };
  const state: JobState = {
    github,
    run,
    machine,
    workspace,
    temp,
    contexts,
    jobEnv: job.env ?? {},
    steps: {},
    log: "",
    environments: [],
  };
  let status: Status = "success";
  for (const step of job.steps) {
    const values = { ...contexts, steps: state.steps };
    // A step that runs comes to its end: GitHub would interrupt it.
    if (signal.aborted) status = "cancelled";
    if (!isMet(step.if, values, status)) continue;
    const isDone = step.uses === undefined ? await runScript(step, state) : await useAction(step, state);
    if (!isDone && status === "success") status = "failure";
  }
  const outputs = Object.entries(job.outputs ?? {}).map(([name, text]) => [
    name,
    interpolateText(text, { ...contexts, steps: state.steps }),
  ]);
  const summary = existsSync(join(temp, "summary")) ? readFileSync(join(temp, "summary"), "utf8") : "";
  for (const folder of [workspace, temp]) rmSync(folder, { recursive: true });
  return {
    name: job.name === undefined ? id : interpolateText(job.name, contexts),
    conclusion: status,
    log: state.log,
    summary,
    outputs: Object.fromEntries(outputs),
    environments: state.environments,
  };
}

interface JobState {
  readonly github: GitHub;
  readonly run: Run;
  readonly machine: Machine;
  readonly workspace: string;
  readonly temp: string;
  readonly contexts: Contexts;
  readonly jobEnv: Readonly<Record<string, string>>;
  readonly steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }>;
  readonly environments: (readonly [string, Readonly<Record<string, string>>])[];
  log: string;
}

async function runScript(step: Step, state: JobState): Promise<boolean> {
  const { github, run, machine, workspace, temp } = state;
  const contexts = { ...state.contexts, steps: state.steps };
  const output = join(temp, "output");
  const event = join(temp, "event.json");
  writeFileSync(output, "");
  writeFileSync(event, JSON.stringify(run.payload));
  const texts = Object.entries({ ...state.jobEnv, ...step.env });
  const own = Object.fromEntries(texts.map(([name, text]) => [name, interpolateText(String(text), contexts)]));
  const env = {
    ...own,
    PATH: machine.path,
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: `${github.url}${github.enterprise.path}`,
    GITHUB_SERVER_URL: github.enterprise.server,
    GITHUB_REPOSITORY: NAME,
    GITHUB_ACTOR: run.actor ?? "somebody",
    GITHUB_TRIGGERING_ACTOR: run.actor ?? "somebody",
    GITHUB_EVENT_PATH: event,
    GITHUB_EVENT_NAME: run.event,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: join(temp, "summary"),
    GITHUB_WORKSPACE: workspace,
    GITHUB_SHA: run.sha,
    GITHUB_REF: run.ref,
    GITHUB_RUN_ID: String(run.id),
    GITHUB_RUN_ATTEMPT: String(run.attempt),
    RUNNER_TEMP: temp,
    GIT_CONFIG_GLOBAL: join(machine.folder, "gitconfig"),
  };
  const name = step.name ?? step.run ?? "";
  await machine.beforeStep?.(name, workspace);
  const folder = join(workspace, interpolateText(step["working-directory"] ?? ".", contexts));
  const ended: Ended = existsSync(folder)
    ? await machine.script(step.run ?? "", folder, env)
    : { exit: 1, stdout: "", stderr: `no folder ${folder}` };
  state.log += `## ${name}: ${ended.exit}\n${ended.stdout}${ended.stderr}${readFileSync(output, "utf8")}`;
  state.environments.push([name, own]);
  const lines = readFileSync(output, "utf8").split("\n").filter(Boolean);
  const outputs = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  if (step.id !== undefined) state.steps[step.id] = { outputs };
  return ended.exit === 0;
}

async function useAction(step: Step, state: JobState): Promise<boolean> {
  const contexts = { ...state.contexts, steps: state.steps };
  const inputs = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, text]) => [name, interpolateText(String(text), contexts)]),
  );
  const name = step.uses?.split("@")[0];
  if (name === "actions/checkout") {
    const folder = join(state.workspace, inputs.path ?? ".");
    state.github.repository.checkOut(inputs.ref || state.run.sha, folder, inputs["sparse-checkout"]);
    return true;
  }
  if (name === "actions/create-github-app-token") {
    const token = state.github.tokenFor({ contents: "write", "pull-requests": "write" });
    state.steps[step.id ?? ""] = { outputs: { token, "app-slug": "our-app" } };
    return true;
  }
  if (name === "actions/upload-artifact") return upload(inputs, state);
  if (name === "actions/download-artifact") return download(inputs, state);
  throw new Error(`the runner does not know ${step.uses}`);
}

function upload(inputs: Readonly<Record<string, string>>, { github, run, workspace }: JobState): boolean {
  if (!inputs.path) throw new Error("an upload without a path");
  const path = absolute(inputs.path, workspace);
  const isFile = existsSync(path) && statSync(path).isFile();
  const folder = isFile ? dirname(path) : path;
  const inFolder = existsSync(path) && !isFile ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  const paths = isFile ? [basename(path)] : inFolder;
  const files = paths.filter((file) => statSync(join(folder, file)).isFile());
  const isHidden = (file: string) => inputs["include-hidden-files"] !== "true" && /(?:^|\/)\./.test(file);
  const content = new Map(
    files.filter((file) => !isHidden(file)).map((file) => [file, readFileSync(join(folder, file))]),
  );
  if (content.size === 0) return inputs["if-no-files-found"] === "ignore";
  const name = inputs.name ?? "";
  const same = github.artifacts.findIndex((one) => one.run === run.id && one.name === name);
  if (same >= 0 && inputs.overwrite !== "true") throw new Error(`run ${run.id} has an artifact ${name}`);
  if (same >= 0) github.artifacts.splice(same, 1);
  github.artifacts.push({
    id: github.nextId(),
    run: run.id,
    attempt: run.attempt,
    name,
    files: content,
    expired: false,
  });
  return true;
}

/** Artifacts by id go into the folder, those by pattern each into a folder of its own. */
function download(inputs: Readonly<Record<string, string>>, { github, run, workspace }: JobState): boolean {
  const { pattern, "artifact-ids": ids, "run-id": from = String(run.id) } = inputs;
  const expression = pattern === undefined ? undefined : new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
  const isWanted = (one: Artifact) =>
    ids === undefined ? expression?.test(one.name) === true : String(one.id) === ids;
  const found = github.artifacts.filter((one) => String(one.run) === from && !one.expired && isWanted(one));
  if (ids !== undefined && found.length !== 1) return false;
  for (const artifact of found) {
    const folder = join(
      absolute(inputs.path ?? ".", workspace),
      inputs["merge-multiple"] === "true" ? "" : artifact.name,
    );
    for (const [file, bytes] of artifact.files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      // An artifact keeps no permissions.
      writeFileSync(join(folder, file), bytes, { mode: 0o644 });
    }
  }
  return true;
}

function absolute(path: string, workspace: string): string {
  return path.startsWith("/") ? path : join(workspace, path);
}

function inputsOf(run: Run): unknown {
  return run.payload.inputs ?? {};
}

function githubContext(github: GitHub, run: Run): Readonly<Record<string, unknown>> {
  return {
    event: run.payload,
    event_name: run.event,
    ref: run.ref,
    sha: run.sha,
    repository: NAME,
    run_id: String(run.id),
    run_attempt: String(run.attempt),
    api_url: `${github.url}${github.enterprise.path}`,
  };
}
