import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Forge, startForge } from "./forge.ts";
import { type Ended, environmentOf, root, type Step, script, yaml } from "./workflow.ts";

const PROGRAM = join(root, "dist/cli.cjs");
const FILES = `severities:
  - { slug: critical, name: Outage }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;
let folder: string;
let forge: Forge;
let runner: Record<string, string>;
beforeEach(async () => {
  expect(existsSync(PROGRAM), "npm run build comes first").toBe(true);
  forge = await startForge();
  folder = await mkdtemp(join(tmpdir(), "incidentctl-pipeline-"));
  cpSync(join(root, "templates/ci"), join(folder, "ci"), { recursive: true });
  write("severities.yaml", FILES);
  write("event.json", JSON.stringify({ pull_request: { number: 3, head: { sha: "c0ffee" } }, repository: { id: 1 } }));
  write("output", "");
  runner = {
    INCIDENTCTL: `${process.execPath} ${PROGRAM}`,
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: forge.url,
    GITHUB_REPOSITORY: "acme/incidents",
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_RUN_ID: "55",
    GITHUB_RUN_ATTEMPT: "1",
  };
});
afterEach(async () => {
  await forge.close();
  await rm(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

/** Runs the last step of our own action, with these inputs. */
async function action(inputs: Readonly<Record<string, string>>): Promise<Ended> {
  const { inputs: known, runs } = yaml<{
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly steps: readonly Step[] };
  }>("action.yml");
  const values = Object.entries(known).map(([name, { default: usual = "" }]) => [
    `inputs.${name}`,
    inputs[name] ?? usual,
  ]);
  const last = runs.steps.at(-1);
  const env = environmentOf(last ?? {}, Object.fromEntries(values));
  return script(last?.run ?? "", folder, { ...runner, ...env, GITHUB_ACTION_PATH: root });
}

/** Tells the stand-in something, as the scripts do. */
function tell(words: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return script(`node ci/forge.mjs ${words}`, folder, { ...runner, GITHUB_TOKEN: "forge-token", ...env });
}

/** Writes the reports of a review in the folder `reviews`. */
function writeReview(plan: string): void {
  mkdirSync(join(folder, "reviews"), { recursive: true });
  const files = { unit: "workspace\n", results: "validate 0\nplan 0\n", "plan.md": plan };
  for (const [file, text] of Object.entries(files)) write(`reviews/${file}`, text);
}

const FINGERPRINT = "0".repeat(32);
/** A saved plan, as far as the scripts read it. */
const PLAN = JSON.stringify({ seal: { fingerprint: FINGERPRINT } });
const MARK = "<!-- incidentctl review -->";

/** A report whose details are beside the point. */
function report(fingerprint: string, noun = "drift"): string {
  return `<!-- incidentctl ${noun} http://localhost -->\n## Drift: \`http://localhost\`\n\n<!-- incidentctl:fingerprint ${fingerprint} -->\n`;
}

describe("the forge gets", () => {
  test("an update of the program's own comment among many, and never of another user's", async () => {
    writeReview(report("a", "plan"));
    for (let at = 0; at < 120; at += 1) forge.add(forge.comments, `remark ${at}`, at % 2 === 0);
    const foreign = forge.add(forge.comments, `${MARK}\nmine`, false);
    const own = forge.add(forge.comments, `${MARK}\r\nold`);
    expect((await tell("comment review reviews")).exit).toBe(0);
    expect(own.body).toContain("incidentctl:fingerprint a");
    expect(foreign.body).toBe(`${MARK}\nmine`);
    expect(forge.comments).toHaveLength(122);
  });

  test("retries after errors, unless a retry could create a second comment", async () => {
    writeReview(report("a", "plan"));
    const methods = () => forge.requests.map((request) => request.split(" ")[0]);
    forge.failures.push(502);
    expect((await tell("comment review reviews")).exit).toBe(0);
    expect(methods()).toEqual(["GET", "GET", "GET", "POST"]);
    forge.comments.length = 0;
    forge.requests.length = 0;
    forge.failures.push(0, 0, 502);
    const { exit, stderr } = await tell("comment review reviews");
    expect({ exit, stderr }).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining("::warning::no comment: POST "),
    });
    expect(methods()).toEqual(["GET", "GET", "POST"]);
  });

  test.each([
    ["drift reports", { GITHUB_API_URL: "http://forge.example.com" }, 1, "only sent over https"],
    ["shout reports", {}, 1, "there is no command shout"],
  ])("%s with %j is refused", async (words, env, code, why) => {
    write("drift.md", report("a"));
    write("other.md", "hello\n");
    const { exit, stderr } = await tell(words, env);
    expect({ exit, told: stderr.includes(why) || stderr }).toEqual({ exit: code, told: true });
  });
});

describe("the action", () => {
  const outputs = () => readFileSync(join(folder, "output"), "utf8");

  test("returns what a plan and a drift check have found", async () => {
    expect((await action({ run: "plan", flags: "--emulator" })).exit).toBe(0);
    expect(outputs()).toMatch(
      /^changes=true\nblocked=false\ntotals=\{"create":0,"update":\d,.*\}\nfingerprint=[0-9a-f]{32}\n$/,
    );
    write("output", "");
    expect((await action({ run: "drift", flags: "--emulator", "github-token": "" })).exit).toBe(2);
    expect(outputs()).toMatch(/^drifted=true\nfingerprint=[0-9a-f]{16}\n$/);
  });

  test("returns nothing of a plan that could not be made", async () => {
    write("severities.yaml", "severities: 1\n");
    expect((await action({ run: "plan", flags: "--emulator" })).exit).toBe(1);
    expect(outputs()).toBe("");
  });
});

describe("in a plain shell", () => {
  const bare = { INCIDENTCTL: "sh stub.sh", INCIDENTCTL_TOKEN: "t", INCIDENTCTL_URL: "https://incidents.example.com" };

  test.each([
    ["review", 7, 7],
    ["drift", 0, 0],
    ["drift", 2, 2],
    ["drift", 6, 6],
    ["apply", 0, 0],
    ["apply", 6, 6],
    ["apply p", 4, 4],
    ["apply p", 130, 130],
    ["check", 7, 7],
    ["plan", 3, 3],
    ["shout", 0, 64],
  ])("%s ends with the exit code of the program: %i gives %i", async (words, code, exit) => {
    write("stub.sh", `exit ${code}\n`);
    write("p", PLAN);
    expect((await script(`sh ci/incidentctl.sh ${words}`, folder, bare)).exit).toBe(exit);
  });

  test.each([
    [0, 0],
    [2, 5],
    [6, 6],
    [1, 1],
  ])("if a plan is outdated and a new plan ends with %i, applying ends with %i", async (code, exit) => {
    write("stub.sh", `[ "$1" = plan ] && exit ${code}\nexit 5\n`);
    write("p", PLAN);
    expect((await script("sh ci/incidentctl.sh apply p", folder, bare)).exit).toBe(exit);
  });

  test("the flags reach the commands that support them", async () => {
    write("stub.sh", 'echo "$*" >> asked\n');
    const env = {
      INCIDENTCTL_FLAGS: "--rate=300",
      INCIDENTCTL_PLAN_FLAGS: "--fail-on=blocked",
      INCIDENTCTL_APPLY_FLAGS: "--allow-delete",
    };
    write("a.test.yaml", "");
    write("p", PLAN);
    await script("sh ci/incidentctl.sh review && sh ci/incidentctl.sh apply p", folder, { ...bare, ...env });
    expect(
      readFileSync(join(folder, "asked"), "utf8"),
    ).toBe(`validate --report sarif=reports/findings.sarif --report junit=reports/findings.xml
test --offline --report junit=reports/tests.xml
plan --rate=300 --without-admin --fail-on=blocked --out reports/change.plan --report markdown=reports/plan.md --report html=reports/plan.html --report json=reports/plan.json
apply --plan p --expect-plan=${FINGERPRINT} --yes --report markdown=reports/apply.md --rate=300 --allow-delete
plan --rate=300 --detailed-exitcode --out reports/proposal.plan --report markdown=reports/proposal.md --report html=reports/proposal.html --report json=reports/proposal.json
`);
  });
});

describe("what a change has where the pipeline writes", () => {
  const check = () => script("sh ci/incidentctl.sh check", folder, runner);
  const target = () => join(folder, "target");

  beforeEach(() => write("target", "as it was\n"));

  test.each([
    [
      "a link instead of a report",
      () => [mkdirSync(join(folder, "reports")), symlinkSync(target(), join(folder, "reports/validate.log"))],
    ],
    ["a link instead of the folder", () => symlinkSync(folder, join(folder, "reports"))],
    ["a link instead of the journals", () => symlinkSync(folder, join(folder, ".incidentctl"))],
    ["a pipe", () => [mkdirSync(join(folder, "reports")), spawnSync("mkfifo", [join(folder, "reports/unit")])]],
    [
      "a report of its own",
      () => {
        mkdirSync(join(folder, "reports/evil"), { recursive: true });
        write("reports/evil/outputs", "NODE_OPTIONS=--require=./x.cjs\n");
        spawnSync("sh", ["-c", "git init -q . && git add reports"], { cwd: folder });
      },
    ],
  ])("%s is refused, and nothing is run", async (_, plant) => {
    plant();
    const { exit, stdout, stderr } = await check();
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("is in the repository, or has links");
    expect(readFileSync(target(), "utf8")).toBe("as it was\n");
  });

  test("a second command of the same job writes beside the first", async () => {
    expect((await check()).exit).toBe(0);
    expect((await check()).exit).toBe(0);
  });
});

describe("a file that is not a plan", () => {
  test("applies nothing, although it has the fingerprint of one", async () => {
    const emulator = { INCIDENTCTL_FLAGS: "--emulator", GITHUB_ACTIONS: "", GITHUB_OUTPUT: "" };
    const plan = await script("sh ci/incidentctl.sh plan", folder, { ...runner, ...emulator });
    expect(plan.exit, plan.stderr).toBe(0);
    const { seal } = JSON.parse(readFileSync(join(folder, "reports/plan.json"), "utf8"));
    write("any.plan", `${JSON.stringify({ seal: { fingerprint: seal.fingerprint } }, undefined, 2)}\n`);
    const { exit, stdout } = await script("sh ci/incidentctl.sh apply any.plan", folder, { ...runner, ...emulator });
    expect(exit).toBe(5);
    expect(stdout).toContain("is not a plan of this program");
    expect(stdout).not.toContain("Verified");
  });
});
