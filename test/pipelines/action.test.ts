/** The composite action, with the built program and the embedded service. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ended, environmentOf, root, type Step, script, yaml } from "./workflow.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-action-"));
  mkdirSync(join(folder, "temp"));
  write(
    "severities.yaml",
    "severities: [{ slug: critical, name: Outage }, { slug: major, name: Major, default: true }, { slug: minor, name: Minor }]\n",
  );
  write("event.json", JSON.stringify({ repository: { id: 1, default_branch: "main" } }));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

/** Runs the last step of the action with these inputs. */
async function action(inputs: Readonly<Record<string, string>>): Promise<Ended & { readonly outputs: string }> {
  const { inputs: known, runs } = yaml<{
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly steps: readonly Step[] };
  }>("action.yml");
  const values = Object.entries(known).map(([name, { default: usual = "" }]) => [
    `inputs.${name}`,
    { "github-token": "", ...inputs }[name] ?? usual,
  ]);
  const last = runs.steps.at(-1);
  const env = environmentOf(last ?? {}, Object.fromEntries(values));
  rmSync(join(folder, "temp/reports"), { recursive: true, force: true });
  write("output", "");
  const ended = await script(last?.run ?? "", folder, {
    ...{ GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/incidents", GITHUB_SHA: "c0ffee", GITHUB_RUN_ID: "55" },
    ...{ GITHUB_EVENT_PATH: join(folder, "event.json"), GITHUB_OUTPUT: join(folder, "output") },
    ...{ GITHUB_SERVER_URL: "https://github.example", RUNNER_TEMP: join(folder, "temp"), GITHUB_ACTION_PATH: root },
    ...env,
  });
  return { ...ended, outputs: readFileSync(join(folder, "output"), "utf8") };
}

test("returns what a review and a drift check have found, and where the reports are", { timeout: 60_000 }, async () => {
  const review = await action({ run: "review", flags: "--emulator" });
  expect(review.exit, review.stderr).toBe(0);
  expect(review.outputs).toMatch(
    /^reports=.*\/temp\/reports\njournal=.*\nchanges=true\nblocked=false\ntotals=\{"create":0,"update":\d,.*\}\nfingerprint=[0-9a-f]{32}\n$/,
  );
  rmSync(join(folder, ".incidentctl"), { recursive: true });
  const drift = await action({ run: "drift", flags: "--emulator" });
  expect(drift.exit).toBe(2);
  expect(drift.outputs).toMatch(/drifted=true\nfingerprint=[0-9a-f]{16}\n$/);
});

test("returns nothing of a plan that could not be made", async () => {
  write("severities.yaml", "severities: 1\n");
  const { exit, outputs } = await action({ run: "review", flags: "--emulator" });
  expect(exit).toBe(1);
  expect(outputs).not.toContain("changes=");
});
