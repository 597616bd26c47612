/** What most tests of the pipelines start from: a repository whose severities one workspace has. */

import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import type { Run } from "./github.ts";
import type { Files } from "./repository.ts";
import { environmentsOf, openWorld, startWorkspace, type Workspace, type World } from "./world.ts";

/** The workspace of the current test. */
export let workspace: Workspace;
/** The repository of the current test. */
export let world: World;

/** A file with three severities, of which `critical` has this name. */
export function severities(critical: string): string {
  return `severities:
  - { slug: critical, name: ${critical} }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
`;
}

/** The change that gives the severity `critical` another name. */
export function rename(name: string): Files {
  return { "severities.yaml": severities(name) };
}

/** What the jobs of a run printed. */
export function logOf(run: Run): string {
  return run.jobs.map(({ log }) => log).join("\n");
}

/** Gives tests the time that they need: each starts the program a dozen times or more. */
export function allowSlowTests(): void {
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });
  afterAll(() => vi.resetConfig());
}

/** Opens {@link workspace} and {@link world} before each test of a file, with these files besides the severities. */
export function openBeforeEach(more: (url: string) => Files): void {
  allowSlowTests();
  let close: () => Promise<void>;
  beforeEach(async () => {
    const opened = await startWorkspace();
    workspace = opened;
    world = await openWorld({ "severities.yaml": severities("Critical"), ...more(opened.url) }, environmentsOf(opened));
    close = opened.close;
  });
  afterEach(async () => {
    expect(world.github.complaints).toEqual([]);
    await world.close();
    await close();
  });
}

/** The settings of a repository with one workspace at this URL. */
export function settings(url: string): Files {
  return { "incidentctl.yaml": `version: 1\nbase_url: ${url}\nconfig: [.]\n` };
}
