import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withFiles } from "../../support/files.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

const files = {
  "severities.yaml":
    "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major, default: true }\n",
  "keys/keys.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n",
  // The replica refuses an ability that nobody knows.
  "agents/agents.yaml": "agents:\n  - { slug: bot, name: Bot, grants: [{ ability: moon.fly }] }\n",
};

const run = (cwd: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
};

test("the built program rehearses, stops on findings, and applies a successful rehearsal", async () => {
  expect(existsSync(program), "npm run build comes first").toBe(true);
  await withFiles(files, async (folder) => {
    const held = run(folder, "rehearse", "severities.yaml", "--emulator", "--report", "html=page.html");
    expect(held).toMatchObject({ status: 0, stdout: expect.stringContaining("all checks passed") });
    expect(await readFile(join(folder, "page.html"), "utf8")).toContain("<!doctype html>");

    expect(run(folder, "rehearse", "keys", "--emulator", "--faults").status).toBe(0);
    const found = run(folder, "rehearse", "agents", "--emulator", "--faults", "--format", "json");
    expect(found.status).toBe(7);
    expect(JSON.parse(found.stdout)).toMatchObject({ format_version: 1, held: false });

    const yes = ["--emulator", "--yes", "--rehearse"];
    expect(run(folder, "apply", "agents", ...yes, "--faults", "--secrets-out", "tokens.jsonl").status).toBe(7);
    expect(run(folder, "plan", "agents", "--emulator", "--detailed-exitcode").status).toBe(2);
    expect(run(folder, "plan", "severities.yaml", "--emulator", "--out", "change.plan").status).toBe(0);
    expect(run(folder, "apply", "severities.yaml", ...yes, "--allow-delete", "--plan", "change.plan").status).toBe(0);
    expect(run(folder, "rehearse", "severities.yaml", "--emulator", "--dialect", "options=maybe").status).toBe(64);
    expect(run(folder, "rehearse", "--help").stdout).toContain("incidentctl rehearse --faults");
  });
}, 120_000);
