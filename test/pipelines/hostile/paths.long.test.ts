/** For every path that a job reads or writes, a link, a folder, a file or a pipe in its place, through whole jobs of both forges. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGitLab, variablesOf } from "../simulator/gitlab-world.ts";
import type { Files } from "../simulator/repository.ts";
import { allowSlowTests, logOf, rename, settings } from "../simulator/severities-world.ts";
import { environmentsOf, openWorld, startWorkspace, type Workspace } from "../simulator/world.ts";

allowSlowTests();

const SECRET = "the secret of the runner";

/** Paths that the program reads as configuration. */
const READ = [
  ...["incidentctl.yaml", "severities.yaml", "rules.test.yaml", "incidentctl.lock", "incidentctl.accepted.json"],
  ...["notes.md", "services.csv"],
];
/** Paths where a job writes, or could be led to write. */
const WRITTEN = [".incidentctl", ".incidentctl/journals", "reports", "reports/workspace", "reports/workspace/plan.md"];

const more = `custom_fields:
  - { slug: region, name: region, field_type: text, description: "\${file:notes.md}" }
catalog_types:
  - slug: service
    entries_from:
      - { files: services.csv, slug: { jsonata: name }, name: { jsonata: name }, external_id: { jsonata: name } }
`;

/** What a change led to. */
interface Outcome {
  /** The requests of the plan that its review has shown, if it succeeded. */
  readonly planned: readonly string[] | undefined;
  /** Everything that the jobs printed and posted. */
  readonly said: string;
}

/** Runs in the folder of a job before the program. */
type Disturb = (folder: string) => void;

/** Reviews a change, merges it and starts its apply. */
type Forge = (workspace: Workspace, files: Files, change: Files, disturb: Disturb) => Promise<Outcome>;

const requestsIn = (plan: string | undefined): readonly string[] | undefined =>
  plan === undefined
    ? undefined
    : JSON.parse(plan).operations.map(
        ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`,
      );

const onGitHub: Forge = async (workspace, files, change, disturb) => {
  const world = await openWorld(files, environmentsOf(workspace));
  try {
    world.machine.beforeStep = (name, folder) => {
      if (name.startsWith("incidentctl ci ")) disturb(folder);
    };
    const pull = await world.open("evil", change);
    const review = world.review(pull);
    const plans = world.github.artifacts.filter(({ name }) => name.startsWith("incidentctl-plan-"));
    const plan = plans.at(-1)?.files.get("change.plan")?.toString("utf8");
    const merged = await world.start(world.merge(pull));
    expect(world.github.complaints).toEqual([]);
    const said = [logOf(review), logOf(merged), ...world.github.comments.map(({ body }) => body)].join("\n");
    return { planned: review.conclusion === "success" ? requestsIn(plan) : undefined, said };
  } finally {
    await world.close();
  }
};

const onGitLab: Forge = async (workspace, files, change, disturb) => {
  const world = await openGitLab(files, [["workspace", "."]], variablesOf(workspace));
  try {
    world.beforeScript = (_, folder) => disturb(folder);
    const merge = await world.open("evil", change);
    const [review] = world.gitlab.jobs;
    const path = join(review?.folder ?? "", "reports/workspace/change.plan");
    const plan = review?.status === "success" && existsSync(path) ? readFileSync(path, "utf8") : undefined;
    const commit = world.merge(merge);
    const logs = await world.run("incidentctl apply", commit, {}, 900);
    const told = await world.run("incidentctl report", commit, {}, 900);
    expect(world.gitlab.complaints).toEqual([]);
    const said = [...logs, ...told].map(({ stdout, stderr }) => stdout + stderr);
    return { planned: requestsIn(plan), said: [...said, ...world.gitlab.notes.map(({ body }) => body)].join("\n") };
  } finally {
    await world.close();
  }
};

let outside: string;
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), "incidentctl-outside-"));
});
afterAll(() => rm(outside, { recursive: true }));

/** A change with something at a path, and what has to be done in the folder of a job, where git cannot bring it. */
const PLANTED: Readonly<Record<string, (path: string) => { readonly files: Files; readonly disturb?: Disturb }>> = {
  link: (path) => ({ files: { [path]: { link: join(outside, "secret") } } }),
  folder: (path) => ({
    files: { [path]: null, [`${path}/planted.yaml`]: "planted: 1\n" },
  }),
  file: (path) => ({ files: { [path]: "planted\n" } }),
  pipe: (path) => ({
    files: {},
    disturb: (folder) => {
      const place = join(folder, path);
      // A job that has made its reports reads them.
      if (existsSync(place) && path.startsWith("reports")) return;
      rmSync(place, { recursive: true, force: true });
      mkdirSync(dirname(place), { recursive: true });
      execFileSync("mkfifo", [place]);
    },
  }),
};

describe.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)("on %s,", (_forge, forge) => {
  describe.each(Object.entries(PLANTED))("a %s", (_, plant) => {
    test.each([...READ, ...WRITTEN])("at %s changes nothing but what its plan has shown", async (path) => {
      writeFileSync(join(outside, "secret"), SECRET);
      const workspace = await startWorkspace();
      const before = { ...rename("Critical"), ...settings(workspace.url), "more.yaml": more };
      const files = { ...before, "notes.md": "Notes.\n", "services.csv": "name\nbilling\n" };
      const { files: planted, disturb = () => undefined } = plant(path);
      const change = { ...rename("Outage"), ...planted };
      try {
        const { planned, said } = await forge(workspace, files, change, disturb);
        expect(workspace.writes).toEqual(planned ?? []);
        expect(said).not.toContain(SECRET);
        expect(said).not.toMatch(/\bE[A-Z]{4,}: /);
        expect(readFileSync(join(outside, "secret"), "utf8")).toBe(SECRET);
      } finally {
        await workspace.close();
      }
    });
  });
});
