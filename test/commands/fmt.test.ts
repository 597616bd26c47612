import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { fmt } from "../../src/app/files/fmt-command.ts";
import { openWorld, type World } from "./world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});
async function open(files: Readonly<Record<string, string>>): Promise<World> {
  world = await openWorld(files);
  return world;
}

const untidy = "severities:\n- {slug: critical, name: Critical}   # the worst\n";
const tidy = "severities:\n  - { slug: critical, name: Critical } # the worst\n";

describe("fmt", () => {
  test("formats the settings, the configuration, its tests and its overlays, and no other file; again, it changes nothing", async () => {
    const { folder, run } = await open({
      "incidentctl.yaml": "version:   1\nconfig: [ config ]\nenvironments: { staging: { overlays: [staging.yaml] } }\n",
      "config/a.yaml": untidy,
      "config/a.test.yaml": "routing_tests: []   # none\n",
      "staging.yaml": untidy,
      "other.yaml": untidy,
    });
    chmodSync(join(folder, "config/a.yaml"), 0o640);
    const ended = await run(fmt, { paths: [] });
    expect(ended).toMatchObject({
      exit: 0,
      stdout: "incidentctl.yaml\nconfig/a.yaml\nstaging.yaml\nconfig/a.test.yaml\n",
    });
    expect(readFileSync(join(folder, "config/a.yaml"), "utf8")).toBe(tidy);
    expect(statSync(join(folder, "config/a.yaml")).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(folder, "other.yaml"), "utf8")).toBe(untidy);
    expect(await run(fmt, { paths: [] })).toMatchObject({ exit: 0, stdout: "" });
    expect(await run(fmt, { paths: [], check: true })).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  });

  test("--check writes nothing, names the files and ends with 7", async () => {
    const { folder, run } = await open({ "a.yaml": untidy, "b.yaml": tidy.replace("severities", "statuses") });
    const ended = await run(fmt, { paths: ["."], check: true, verbose: true });
    expect(ended).toMatchObject({ exit: 7, stdout: "a.yaml\n" });
    expect(ended.stderr).toContain("+  - { slug: critical, name: Critical } # the worst");
    expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe(untidy);
  });

  test("a file that is no YAML ends with 1 before anything is written", async () => {
    const { folder, run } = await open({ "a.yaml": untidy, "b.yaml": "severities: [\n" });
    const ended = await run(fmt, { paths: ["."] });
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain("b.yaml:");
    expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe(untidy);
  });

  test("a file with YAML that fmt does not rewrite stays as it is, with a message", async () => {
    const { run } = await open({ "a.yaml": "severities:\n  - ? slug\n    : critical\n" });
    const ended = await run(fmt, { paths: ["."] });
    expect(ended).toMatchObject({ exit: 0, stdout: "" });
    expect(ended.stderr).toContain("a.yaml was not formatted: it uses YAML that fmt does not rewrite");
  });
});
