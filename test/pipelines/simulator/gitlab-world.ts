/** A project on GitLab with our pipeline: its jobs run the built program, with the variables that GitLab gives them. */

import { cpSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, gitlabPipeline, root, script } from "../workflow.ts";
import { type GitLab, type MergeRequest, type Pipeline, PROJECT, startGitLab } from "./gitlab.ts";
import { createRepository, type Files, type Repository } from "./repository.ts";
import type { Workspace } from "./world.ts";

const PROGRAM = join(root, "dist/cli.cjs");

/** Variables by the environment of a job, as the project's settings have them. */
export type Variables = (environment: string, isProtected: boolean) => Readonly<Record<string, string>>;

interface JobText {
  readonly script?: readonly string[];
  readonly needs?: readonly (string | { readonly artifacts: boolean })[];
  readonly environment?: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
}

/** A job that has ended: its log, and the folder of its artifacts. */
export interface JobRun extends Ended {
  readonly id: number;
  readonly folder: string;
}

/** The simulation. */
export interface GitLabWorld {
  readonly gitlab: GitLab;
  readonly repository: Repository;
  /** Runs in the checkout of a job before its script. */
  beforeScript: ((job: string, folder: string) => void) | undefined;
  /** Opens a merge request and runs its pipeline. */
  open(branch: string, files: Files, options?: { readonly mergedResults?: boolean }): Promise<MergeRequest>;
  /** Runs the pipeline of a merge request, and returns it with its review jobs. */
  review(merge: MergeRequest, options?: { readonly mergedResults?: boolean }): Promise<readonly JobRun[]>;
  /** Approves a merge request. */
  approve(merge: MergeRequest): void;
  /** Merges; the pipeline is not started. Returns the commit. */
  merge(merge: MergeRequest): string;
  /** Runs one job of the default branch for each unit, in an earlier pipeline or a new one. */
  run(
    job: string,
    commit: string,
    variables?: Readonly<Record<string, string>>,
    pipeline?: number,
  ): Promise<readonly JobRun[]>;
  close(): Promise<void>;
}

/** The variables of the project, as the template asks for them. */
export function variablesOf({ url, reader, emulator }: Workspace): Variables {
  return (environment, isProtected): Readonly<Record<string, string>> => {
    const service = environment === "incidentctl-comment" ? {} : { INCIDENTCTL_URL: url };
    if (environment.startsWith("incidentctl-review/")) return { ...service, INCIDENTCTL_TOKEN: reader };
    if (!isProtected) return { GITLAB_TOKEN: "forge-token" };
    const tokens = { INCIDENTCTL_TOKEN: emulator.serviceToken, INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken };
    return { ...service, ...tokens, GITLAB_TOKEN: "forge-token", INCIDENTCTL_PULL_TOKEN: "pull-token" };
  };
}

/** Sets up a project with these files and units, each a name and a directory. */
export async function openGitLab(
  files: Files,
  units: readonly (readonly [name: string, directory: string])[],
  variables: Variables,
): Promise<GitLabWorld> {
  const home = await mkdtemp(join(tmpdir(), "incidentctl-gitlab-"));
  const repository = createRepository(join(home, "repository"), files);
  const gitlab = await startGitLab();
  const jobs: Readonly<Record<string, JobText>> = gitlabPipeline();
  gitlab.branches.set("main", repository.tip("main"));
  gitlab.changed = (from, to) => repository.changed(from, to);
  gitlab.isInBranch = (commit, branch) => repository.isAncestor(commit, repository.tip(branch));
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/incidentctl"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  });
  const clock = { minutes: 0 };
  const now = () => new Date(Date.UTC(2026, 10, 20, 8, clock.minutes)).toISOString();

  /** Runs a job in a checkout of a commit, with the artifacts of earlier jobs of its pipeline. */
  const runJob = async (
    name: string,
    [unit]: readonly [string, string],
    pipeline: Omit<Pipeline, "source">,
    own: Readonly<Record<string, string>>,
  ): Promise<JobRun> => {
    const id = gitlab.nextId();
    const checkout = join(home, `job-${id}`);
    repository.checkOut(pipeline.sha, checkout);
    const text = jobs[name] ?? {};
    const hasArtifacts = (text.needs ?? []).some((need) => typeof need === "string" || need.artifacts);
    for (const earlier of gitlab.jobs.filter((one) => hasArtifacts && one.pipeline === pipeline.id)) {
      const reports = join(earlier.folder, "reports");
      if (lstatSync(reports, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      // An artifact has no pipes.
      const filter = (path: string) => lstatSync(path).isFile() || lstatSync(path).isDirectory();
      cpSync(reports, join(checkout, "reports"), { recursive: true, filter });
    }
    const environment = (text.environment?.name ?? "").replace("$INCIDENTCTL_UNIT", unit);
    const env = {
      PATH: `${join(home, "bin")}:${process.env.PATH ?? ""}`,
      GITLAB_CI: "true",
      CI_API_V4_URL: gitlab.url,
      CI_SERVER_URL: "https://gitlab.example",
      CI_PROJECT_PATH: "acme/incidents",
      CI_PROJECT_ID: PROJECT,
      CI_PROJECT_DIR: checkout,
      CI_DEFAULT_BRANCH: "main",
      CI_COMMIT_SHA: pipeline.sha,
      CI_PIPELINE_ID: String(pipeline.id),
      CI_PIPELINE_URL: `https://gitlab.example/-/pipelines/${pipeline.id}`,
      INCIDENTCTL_UNIT: unit,
      INCIDENTCTL_UNITS: JSON.stringify(units.map(([one, where]) => ({ name: one, directory: where }))),
      GIT_CONFIG_GLOBAL: join(home, "gitconfig"),
      ...variables(environment, pipeline.ref === "main"),
      ...text.variables,
      ...own,
    };
    world.beforeScript?.(name, checkout);
    const ended = await script((text.script ?? []).join("\n"), checkout, env);
    gitlab.jobs.push({
      id,
      pipeline: pipeline.id,
      name: `${name}: [${unit}]`,
      status: ended.exit === 0 ? "success" : "failed",
      finished_at: now(),
      folder: checkout,
    });
    return { ...ended, id, folder: checkout };
  };

  const review = async (merge: MergeRequest, { mergedResults = false } = {}): Promise<readonly JobRun[]> => {
    clock.minutes += 1;
    const sha = mergedResults ? repository.merge(repository.tip("main"), merge.sha) : merge.sha;
    if (mergedResults) gitlab.parents.set(sha, [repository.tip("main"), merge.sha]);
    const ref = `refs/merge-requests/${merge.iid}/${mergedResults ? "merge" : "head"}`;
    const source = "merge_request_event";
    const pipeline: Pipeline = {
      id: gitlab.nextId(),
      iid: merge.iid,
      sha,
      ref,
      source,
      project_id: merge.source_project_id,
    };
    gitlab.pipelines.push(pipeline);
    const own = {
      CI_MERGE_REQUEST_IID: String(merge.iid),
      CI_MERGE_REQUEST_DIFF_BASE_SHA: repository.mergeBase(repository.tip(merge.target_branch), merge.sha),
      ...(mergedResults ? { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: merge.sha } : {}),
    };
    const done: JobRun[] = [];
    for (const unit of units) done.push(await runJob("incidentctl review", unit, pipeline, own));
    done.push(await runJob("incidentctl comment", ["", "."], pipeline, own));
    return done;
  };

  writeFileSync(
    join(home, "gitconfig"),
    `[url "${join(home, "repository")}"]\n  insteadOf = https://gitlab.example/acme/incidents.git\n`,
  );
  const world: GitLabWorld = {
    gitlab,
    repository,
    beforeScript: undefined,
    async open(branch, changes, options) {
      const ids = { iid: gitlab.nextId(), source_project_id: Number(PROJECT), target_project_id: Number(PROJECT) };
      const branches = { source_branch: branch, target_branch: "main" };
      const merge: MergeRequest = {
        ...ids,
        ...branches,
        sha: repository.commit(branch, changes),
        state: "opened",
        merge_commit_sha: null,
        merged_at: null,
      };
      gitlab.merges.push(merge);
      await review(merge, options);
      return merge;
    },
    review,
    approve({ iid }) {
      clock.minutes += 1;
      const note = { id: gitlab.nextId(), iid: 0, on: `merge_requests/${iid}`, author: { id: 9 }, web_url: "" };
      gitlab.notes.push({ ...note, body: "approved this merge request", system: true, created_at: now() });
    },
    merge(merge) {
      const commit = repository.merge(repository.tip("main"), merge.sha);
      repository.move("main", commit);
      gitlab.branches.set("main", commit);
      clock.minutes += 1;
      Object.assign(merge, { state: "merged", merge_commit_sha: commit, merged_at: now() });
      clock.minutes += 1;
      return commit;
    },
    async run(job, commit, own = {}, id = gitlab.nextId()) {
      const pipeline = { id, iid: 0, sha: commit, ref: "main", project_id: Number(PROJECT) };
      const done: JobRun[] = [];
      const rows = ["incidentctl report"].includes(job) ? [["", "."] as const] : units;
      for (const unit of rows) done.push(await runJob(job, unit, pipeline, { CI_COMMIT_BRANCH: "main", ...own }));
      return done;
    },
    async close() {
      await gitlab.close();
      rmSync(join(home, "repository"), { recursive: true });
      await rm(home, { recursive: true });
    },
  };
  return world;
}
