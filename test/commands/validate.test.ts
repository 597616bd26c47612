import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../src/app/apply/apply-definition.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import type { FailOn } from "../../src/core/flag-values.ts";
import { openWorld, type World } from "./world.ts";

const paths: readonly string[] = [];
const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep }\n",
  "a.yaml": `severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true, color: "#dc143c" }
webhooks:
  - { name: old, url: "http://old.example.com/" }
`,
};
const BROKEN = "statuses:\n  - { slug: done, name: Done, lifecycle_stage: closed, enabled: false }\n";
let world: World;

beforeEach(async () => {
  world = await openWorld(files);
});
afterEach(() => world.close());

const read = (file: string): Promise<string> => readFile(join(world.folder, file), "utf8");

describe("validate", () => {
  test("shows findings like errors, and fails by the severity of --fail-on", async () => {
    const { exit, stdout, stderr } = await world.run(validate, { paths });
    expect(exit).toBe(0);
    expect(stdout).toBe("The configuration is valid: 3 resources in 2 kinds, 1 warning, 1 note.\n");
    expect(stderr).toContain(
      'a.yaml:5:23: warning[A007]: webhooks/old sends over plain http\n  5 |   - { name: old, url: "http',
    );
    expect(stderr).toContain("a.yaml:3:55: note[A013]");
    expect(world.requests).toEqual([]);
  });

  test.each<readonly [failOn: FailOn, exit: number]>([
    ["error", 0],
    ["warning", 7],
    ["note", 7],
    ["never", 0],
  ])("with --fail-on %s ends with exit code %i", async (failOn, exit) => {
    const ended = await world.run(validate, { paths, failOn });
    expect(ended.exit).toBe(exit);
    expect(ended.stdout.startsWith("The configuration has findings that fail: ")).toBe(exit === 7);
  });

  test("with --quiet prints only what fails", async () => {
    const { exit, stderr } = await world.run(validate, { paths, failOn: "warning", quiet: true });
    expect(exit).toBe(7);
    expect(stderr).toContain("A007");
    expect(stderr).not.toContain("A013");
  });

  test("prints findings as JSON, waived ones separately, and whether they fail", async () => {
    await world.write({
      "a.yaml": files["a.yaml"].replace(
        "  - { name: old",
        "  # incidentctl: allow A007 until 2026-12-31 because it goes\n  - { name: old",
      ),
      "b.yaml": BROKEN,
    });
    await world.write({ "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n" });
    const { exit, stdout } = await world.run(validate, { paths, format: "json" });
    const answer = JSON.parse(stdout);
    const codes = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code);
    expect(exit).toBe(7);
    expect(codes(answer.diagnostics)).toEqual(["A013", "A001", "A001", "A001", "A002", "A001"]);
    expect(answer.waived).toMatchObject([
      {
        code: "A007",
        address: "webhooks/old",
        file: "a.yaml",
        line: 6,
        waiver: { until: "2026-12-31", reason: "it goes", line: 5 },
      },
    ]);
  });

  test("writes SARIF and JUnit besides the output, even if the files are invalid", async () => {
    const report = [
      { format: "sarif", path: "out.sarif" },
      { format: "junit", path: "out.xml" },
    ] as const;
    expect((await world.run(validate, { paths, report, failOn: "warning" })).exit).toBe(7);
    const results = async () =>
      JSON.parse(await read("out.sarif")).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(await results()).toEqual(["A013", "A007"]);
    expect(await read("out.xml")).toContain(
      '<testsuite name="incidentctl validate" tests="20" failures="1" errors="0" skipped="0">',
    );
    expect(await read("out.xml")).toContain(
      '<testcase name="A007 webhooks/old" classname="webhook-address" file="a.yaml" line="5">',
    );
    await world.write({ "b.yaml": "severity: []\n" });
    const { exit, stdout } = await world.run(validate, { paths, report });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(await results()).toEqual(["E_UNKNOWN_KEY"]);
    expect(await read("out.xml")).toContain(
      '<testcase name="E_UNKNOWN_KEY" classname="configuration" file="b.yaml" line="1">',
    );
  });
});

describe("plan", () => {
  test("has warnings about the live state, with the same exit code", async () => {
    await world.write({ "b.yaml": "statuses:\n  - { slug: resolved, enabled: false }\n" });
    const { exit, stdout } = await world.run(plan, { paths });
    expect(exit).toBe(0);
    expect(stdout).toContain("  ! webhooks/old sends over plain http [A007] (a.yaml:5:23)\n");
    expect(stdout).toContain("every status of the stage closed is disabled [A001] (b.yaml:2:32)\n");
    expect(stdout).not.toContain("A013");
    expect(stdout).not.toContain("A002");
    const narrowed = await world.run(plan, { paths, kinds: "severities", format: "json" });
    expect(JSON.parse(narrowed.stdout).warnings).toEqual([]);
  });

  test("that is saved stays valid although a waiver has expired since", async () => {
    const waived = "  # incidentctl: allow A007 until 2026-11-21 because it goes\n  - { name: old";
    await world.write({ "a.yaml": files["a.yaml"].replace("  - { name: old", waived) });
    const made = await world.run(plan, { paths, out: "change.plan" });
    expect(made.stdout).not.toContain("A007");
    const later = { ...world.io, now: () => new Date("2026-11-22T08:00:00Z") };
    const { exit } = await world.run<ApplyFlags>((options, _io, console) => apply(options, later, console), {
      paths,
      plan: "change.plan",
      yes: true,
    });
    expect(exit).toBe(0);
  });

  test("does not miss a catalog entry that is ignored", async () => {
    const entries = (more: string) => `catalog_types:
  - slug: team
    entries: [{ slug: data, name: Data }]
  - slug: service
    entries: [{ slug: web, name: Web, attributes: { owner_team: ${more} } }]
`;
    const ignore = "ignore: [catalog_types/team/entries/legacy*]";
    await world.write({
      "incidentctl.yaml": `version: 1\nbase_url: http://localhost:4010\n${ignore}\n`,
      "a.yaml": entries("legacy_one"),
    });
    expect((await world.run(validate, { paths })).stderr).not.toContain("A015");
    await world.write({ "a.yaml": entries("datas") });
    const { stderr } = await world.run(validate, { paths });
    expect(stderr).toContain(
      `warning[A015]: catalog_types/service/entries/web: there is no catalog entry "datas" of team`,
    );
    expect(stderr).toContain('Did you mean "data"?');
  });
});
