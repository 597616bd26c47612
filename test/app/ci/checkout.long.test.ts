/** `incidentctl ci` where no forge is known, and in checkouts of somebody who wants it to write, post or apply something else. */

import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../../support/samples/sample-size.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const FILES = `severities:
  - { slug: critical, name: Outage }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-ci-"));
  write("severities.yaml", FILES);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

/** Runs a command of `ci` in the folder, against the embedded service unless a test wants none. */
function ci(
  words: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }> {
  const variables = { PATH: process.env.PATH ?? "", HOME: folder, INCIDENTCTL_FLAGS: "--emulator", ...env };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: variables, timeout: 60_000 };
    execFile(process.execPath, [PROGRAM, "ci", ...words.split(" ")], options, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
    cwd: folder,
  });
  expect(status, String(stderr)).toBe(0);
}

function commitAll(): void {
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=all");
}

const results = () => JSON.parse(readFileSync(join(folder, "reports/results.json"), "utf8")).results;
const clear = () => rmSync(join(folder, "reports"), { recursive: true });

describe("without a forge", { timeout: 120_000 }, () => {
  test("a change is checked, planned and rehearsed, its reviewed plan applied once, and drift is an exit code", async () => {
    const reviewed = await ci("review");
    expect(reviewed, reviewed.stderr).toMatchObject({ exit: 0 });
    expect(results()).toEqual(["validate", "plan", "rehearse"].map((command) => ({ command, code: 0 })));
    expect(readdirSync(join(folder, "reports"))).toEqual(
      expect.arrayContaining(["change.plan", "plan.html", "plan.md", "findings.sarif", "codequality.json", "outputs"]),
    );
    expect(readFileSync(join(folder, "reports/outputs"), "utf8")).toMatch(
      /^changes=true\nblocked=false\ntotals=\{"create":0,.*\}\nfingerprint=[0-9a-f]{32}\n$/,
    );
    writeFileSync(join(folder, "change.plan"), readFileSync(join(folder, "reports/change.plan")));
    clear();
    expect(await ci("drift")).toMatchObject({ exit: 2 });
    expect(readFileSync(join(folder, "reports/news"), "utf8")).toContain("ended with exit code 2");
    clear();
    const applied = await ci("apply --plan change.plan");
    expect(applied, applied.stderr).toMatchObject({ exit: 0, stdout: expect.stringContaining("Verified") });
    clear();
    expect(await ci("drift")).toMatchObject({ exit: 0 });
  });

  test("without a reviewed plan, the difference is a proposal, which a person names by its fingerprint", async () => {
    expect(await ci("apply")).toMatchObject({ exit: 5 });
    const { seal } = JSON.parse(readFileSync(join(folder, "reports/proposal.json"), "utf8"));
    writeFileSync(join(folder, "proposal.plan"), readFileSync(join(folder, "reports/proposal.plan")));
    clear();
    const wrong = await ci(`apply --plan proposal.plan --fingerprint ${"0".repeat(32)}`);
    expect(wrong.exit).toBe(5);
    expect(wrong.stdout).not.toContain("Verified");
    clear();
    expect(await ci(`apply --plan proposal.plan --fingerprint ${seal.fingerprint}`)).toMatchObject({ exit: 0 });
  });

  test.each([
    ["{}", "is not a plan of this program"],
    ["no JSON", "is not a plan of this program"],
    [JSON.stringify({ seal: { fingerprint: "0".repeat(32) } }), "not a plan of this program"],
    [JSON.stringify({ undoes: "0001", seal: { fingerprint: "0".repeat(32) } }), "undoes an earlier run"],
  ])("a file with %s applies nothing", async (text, why) => {
    write("some.plan", text);
    const { exit, stdout, stderr } = await ci("apply --plan some.plan");
    expect(exit).toBe(5);
    expect(stdout + stderr).toContain(why);
    expect(stdout).not.toContain("Verified");
  });

  test("a file that has the fingerprint of the plan and nothing else applies nothing", async () => {
    expect(await ci("review")).toMatchObject({ exit: 0 });
    const { seal } = JSON.parse(readFileSync(join(folder, "reports/plan.json"), "utf8"));
    write("some.plan", JSON.stringify({ seal: { fingerprint: seal.fingerprint } }, undefined, 2));
    clear();
    const { exit, stdout } = await ci("apply --plan some.plan");
    expect(exit).toBe(5);
    expect(stdout).not.toContain("Verified");
  });

  test("an exit code is that of the command that failed, and the checks have no token", async () => {
    write("severities.yaml", "severities: 1\n");
    expect(await ci("review", { INCIDENTCTL_TOKEN: "ff_secret" })).toMatchObject({ exit: 1 });
    expect(results()).toEqual([{ command: "validate", code: 1 }]);
    clear();
    write("severities.yaml", FILES);
    expect(await ci("review", { INCIDENTCTL_FLAGS: "" })).toMatchObject({ exit: 0 });
    expect(results()).toEqual([
      { command: "validate", code: 0 },
      { command: "plan", code: "none" },
    ]);
    clear();
    expect(await ci("apply", { INCIDENTCTL_FLAGS: "" })).toMatchObject({ exit: 6 });
    clear();
    const nowhere = await ci("review", { INCIDENTCTL_FLAGS: "", INCIDENTCTL_TOKEN: "ff_secret" });
    expect(nowhere).toMatchObject({ exit: 64, stderr: expect.stringContaining("INCIDENTCTL_URL is not set") });
  });

  test("no secret of the forge reaches the configuration", async () => {
    const webhook = `webhooks:\n  - { name: "\${env:GITHUB_TOKEN}", url: "https://a.example.com/x", subscribed_events: [incident.created] }\n`;
    write("webhooks.yaml", webhook);
    const { exit, stdout, stderr } = await ci("review", { GITHUB_TOKEN: "ghs_0123456789" });
    expect(exit).toBe(1);
    expect(stdout + stderr).not.toContain("ghs_0123456789");
  });
});

describe("a unit", () => {
  const units = (...some: readonly object[]) => ({ INCIDENTCTL_UNITS: JSON.stringify(some) });
  const one = { name: "payments", directory: "." };

  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ["of no list", { INCIDENTCTL_UNITS: "{" }, "is a list of units in JSON"],
    ["of an empty list", units(), "has no unit"],
    ["whose name breaks a line", units({ name: "a\nb", directory: "." }), 'the name of a unit is "a\\nb". It has'],
    ["without a name", units({ directory: "." }), "the name of a unit is missing. It has 1 to 60 letters"],
    ["whose name is a number", units({ name: 1 }), "the name of a unit is 1. It has"],
    ["whose name is markup", units({ name: "<b>", directory: "." }), 'the name of a unit is "<b>"'],
    [
      "above the repository",
      units({ name: "a", directory: "../.." }),
      'directory of a unit is "../..". It is a path within',
    ],
    [
      "at the root of the disk",
      units({ name: "a", directory: "/etc" }),
      'directory of a unit is "/etc". It is a path within',
    ],
    ["in a missing directory", units({ name: "a", directory: "nowhere" }), "does not exist"],
    ["that is a link", units({ name: "a", directory: "link" }), "is a link, or below one"],
    ["of two with one name", units(one, one), "have the same name"],
    ["that is not named", units(one, { ...one, name: "other" }), "name one unit with --unit: payments, other"],
    ["that is not in the list", { ...units(one), INCIDENTCTL_UNIT: "pay" }, 'there is no unit "pay"'],
  ];
  test.each(someOf(wrong, 2, 4))("%s is a usage error, and nothing is run", async (_, env, why) => {
    symlinkSync(tmpdir(), join(folder, "link"));
    const { exit, stdout, stderr } = await ci("review", env);
    expect({ exit, stdout, stderr }).toMatchObject({ exit: 64, stdout: "", stderr: expect.stringContaining(why) });
    expect(existsSync(join(folder, "reports"))).toBe(false);
  });
});

describe("a checkout in which", { timeout: 60_000 }, () => {
  const target = () => join(folder, "target");
  beforeEach(() => write("target", "as it was\n"));

  const plants: readonly (readonly [string, (path: string) => unknown])[] = [
    ["a folder", (path) => mkdirSync(path)],
    ["a file", (path) => writeFileSync(path, "x\n")],
    ["a link", (path) => symlinkSync(folder, path)],
    ["a link to nowhere", (path) => symlinkSync(join(folder, "nowhere"), path)],
    ["a pipe", (path) => spawnSync("mkfifo", [path])],
  ];

  test.each(someOf(plants, 0, 2))("%s stands in place of the reports is refused", async (_, plant) => {
    plant(join(folder, "reports"));
    const { exit, stdout, stderr } = await ci("review");
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("the folder for reports exists");
    expect(readFileSync(target(), "utf8")).toBe("as it was\n");
  });

  test.each(someOf(plants.slice(2), 0))(
    "%s stands in place of the journals, or among them, is refused",
    async (_, plant) => {
      const refused = async () => {
        const { exit, stdout, stderr } = await ci("review");
        expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
        expect(stderr).toContain("is neither a file nor a folder");
      };
      plant(join(folder, ".incidentctl"));
      await refused();
      rmSync(join(folder, ".incidentctl"));
      mkdirSync(join(folder, ".incidentctl/journals"), { recursive: true });
      plant(join(folder, ".incidentctl/journals/0001.unfinished"));
      await refused();
    },
  );

  test("a journal is committed is refused, in any spelling that the disk takes for it", async () => {
    mkdirSync(join(folder, ".incidentctl/journals"), { recursive: true });
    write(".incidentctl/journals/0001.unfinished", "{}\n");
    commitAll();
    expect(await ci("review")).toMatchObject({ exit: 1, stderr: expect.stringContaining("is in the repository") });
    git("rm", "--quiet", "--cached", "-r", ".incidentctl");
    expect(await ci("review")).toMatchObject({ exit: 0 });
  });

  test("git fails is refused if there are journals: nobody knows whose they are", async () => {
    commitAll();
    mkdirSync(join(folder, ".incidentctl"));
    write(".git/index", "no index\n");
    expect(await ci("review")).toMatchObject({ exit: 1, stderr: expect.stringContaining("git does not tell") });
    rmSync(join(folder, ".incidentctl"), { recursive: true });
    expect(await ci("review")).toMatchObject({ exit: 0 });
  });

  test("reports are committed comments nothing of them", async () => {
    mkdirSync(join(folder, "reports"));
    write("reports/results.json", "{}\n");
    commitAll();
    const { exit, stderr } = await ci("notify review");
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining("is in the repository") });
  });
});
