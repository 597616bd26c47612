import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { command } from "../../bad-input/run.ts";
import { help } from "../../documents/help.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const manifest = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));

const severities = `severities:
  - { slug: critical, name: Critical, color: "#DC143C" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let service: ChildProcessWithoutNullStreams;
let shell: Record<string, string>;
let folder: string;

beforeAll(async () => {
  expect(existsSync(program), "npm run build comes first").toBe(true);
  service = start(["emulator"], {});
  shell = await exports(service);
});
afterAll(async () => {
  service.kill("SIGTERM");
  await once(service, "exit");
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-cli-"));
  await writeFile(join(folder, "severities.yaml"), severities);
});
afterEach(() => rm(folder, { recursive: true }));

describe("without a service", () => {
  test("--version and version print the version", async () => {
    expect(await run(["--version"])).toEqual({ exit: 0, stdout: `${manifest.version}\n`, stderr: "" });
    expect(await run(["version"])).toEqual({ exit: 0, stdout: `incidentctl ${manifest.version}\n`, stderr: "" });
  });

  test("in a removed folder, commands that need it end with a one-line error, and the others work", async () => {
    const ran = (word: string) => {
      const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
      return ended(spawn("sh", ["-c", script, join(folder, "gone"), process.execPath, program, word]));
    };
    const stderr = "error: the working directory no longer exists\n";
    expect(await ran("validate")).toEqual({ exit: 1, stdout: "", stderr });
    expect(await ran("--version")).toEqual({ exit: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test("plan --help prints the help", async () => {
    const { exit, stdout } = await run(["plan", "--help"]);
    expect({ exit, stdout: stdout.trimEnd() }).toEqual({ exit: 0, stdout: await help("plan") });
  });

  test.each<readonly [args: readonly string[]]>([
    [[]],
    [["paln"]],
    [["plan", "--detailed-exitcodes"]],
    [["plan", "--format", "yaml"]],
    [["refs", "severities/a", "--format", "html"]],
    [["plan", "--parallelism", "many"]],
    [["plan", "--kinds", "colors", "--emulator"]],
    [["plan", "--report", "json"]],
    [["plan", "--report", "sarif=plan.sarif"]],
    [["validate", "--fail-on", "info"]],
    [["validate", "--format", "html"]],
    [["apply", "--max-removals", "some"]],
    [["apply", "--secrets-out", "a", "--secrets-exec", "b", "--emulator"]],
    [["test", "--live", "--compare", "--emulator"]],
    [["test", "--format", "html"]],
    [["test", "--report", "sarif=a.sarif"]],
    [["emulator", "--dialect", "options=never"]],
    [["emulator", "--workspace", "full"]],
    [["emulator", "--deliver-to", "localhost"]],
    [["emulator", "--workspace", "bare", "--seed"]],
    [["schema", "colors"]],
    [["version", "extra"]],
  ])("%j is a usage error: exit code 64, nothing on stdout", async (args) => {
    const { exit, stdout, stderr } = await command(args, folder);
    expect({ exit, stdout }).toEqual({ exit: 64, stdout: "" });
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a likely spelling of an unknown flag is offered", async () => {
    const { exit, stdout, stderr } = await run(["plan", "--detailed-exitcod"]);
    expect({ exit, stdout }).toEqual({ exit: 64, stdout: "" });
    expect(stderr).toContain("--detailed-exitcode");
  });

  test("validate reports each error with its position", async () => {
    expect((await run(["validate"])).exit).toBe(0);
    await writeFile(join(folder, "severities.yaml"), "severities:\n  - { slug: critical, nmae: Critical }\n");
    const { exit, stdout, stderr } = await run(["validate"]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toMatch(/severities\.yaml:2:\d+/);
    expect(stderr).toContain("name");
    const json = await run(["validate", "--format", "json"]);
    expect(json.exit).toBe(1);
    expect(JSON.parse(json.stdout).diagnostics[0]).toMatchObject({
      severity: "error",
      file: "severities.yaml",
      line: 2,
    });
  });

  test.each<readonly [flags: readonly string[], exit: number]>([
    [[], 0],
    [["--fail-on", "warning"], 7],
    [["--fail-on", "note"], 7],
    [["--fail-on", "never"], 0],
  ])("validate %j of a file with a warning ends with exit code %i", async (flags, exit) => {
    await writeFile(join(folder, "hooks.yaml"), "webhooks:\n  - { name: old, url: 'http://old.example.com/' }\n");
    const ended = await run(["validate", ...flags, "--report", "sarif=out.sarif"]);
    expect(ended.exit).toBe(exit);
    expect(ended.stderr).toContain("hooks.yaml:2:23: warning[A007]");
    const { runs } = JSON.parse(await readFile(join(folder, "out.sarif"), "utf8"));
    expect(runs[0].results).toMatchObject([{ ruleId: "A007", level: "warning" }]);
  });

  test("validate of a stage without a status exits with 7, and with 1 if the file is invalid as well", async () => {
    await writeFile(join(folder, "statuses.yaml"), "statuses:\n  - { slug: a, name: A, lifecycle_stage: active }\n");
    expect((await run(["validate"])).exit).toBe(7);
    await writeFile(join(folder, "wrong.yaml"), "colors: []\n");
    expect((await run(["validate"])).exit).toBe(1);
  });

  test("schema prints a schema for the configuration, a kind, routing tests and a report", async () => {
    for (const args of [["schema"], ["schema", "severities"], ["schema", "routing_tests"], ["schema", "drift"]]) {
      const { exit, stdout } = await run(args);
      expect(exit).toBe(0);
      expect(JSON.parse(stdout).$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    }
  });

  test("without a URL, without a token, at another host: nothing is sent", async () => {
    expect((await run(["plan"])).exit).toBe(1);
    expect((await run(["plan", "--url", "http://127.0.0.1:9"])).exit).toBe(6);
    await writeFile(join(folder, "incidentctl.yaml"), "version: 1\nbase_url: https://incidents.example.com\n");
    expect((await run(["plan"], shell)).exit).toBe(1);
  });

  test("an unreachable service is an ordinary error, and the token is not shown", async () => {
    const token = "sk_0123456789abcdefghij";
    const { exit, stdout, stderr } = await run(["plan", "--url", "http://127.0.0.1:9", "--timeout", "1"], {
      INCIDENTCTL_TOKEN: token,
    });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("127.0.0.1:9");
    expect(stderr).not.toContain(token);
  });

  describe("test", () => {
    const sample = (expected: string) =>
      writeFile(
        join(folder, "a.test.yaml"),
        `routing_tests:\n  - { name: disks, fields: { title: disk }, expect: { ${expected} } }\n`,
      );
    beforeEach(() =>
      writeFile(
        join(folder, "rules.yaml"),
        "routing_rules:\n  workspace:\n    - { name: all, outcome: { action: drop } }\n",
      ),
    );

    test("exits with 0 if all routing tests pass, 7 if one fails, 1 if one is invalid", async () => {
      await sample("rule: all, action: drop");
      const passed = await run(["test"]);
      expect(passed).toMatchObject({ exit: 0, stderr: "" });
      expect(passed.stdout).toContain("✓ disks\n");
      await sample("matched: false");
      const failed = await run(["test", "--report", "junit=a.xml"]);
      expect({ exit: failed.exit, stderr: failed.stderr }).toEqual({ exit: 7, stderr: "" });
      expect(await readFile(join(folder, "a.xml"), "utf8")).toContain("<failure ");
      await sample("mached: false");
      const wrong = await run(["test"]);
      expect({ exit: wrong.exit, stdout: wrong.stdout }).toEqual({ exit: 1, stdout: "" });
      expect(wrong.stderr).toMatch(/a\.test\.yaml:2:\d+: error\[E_UNKNOWN_KEY\]/);
    });

    test("runs on the emulator, on the live service, and on both", async () => {
      await sample("matched: false");
      expect((await run(["test", "--live", "--emulator"])).exit).toBe(0);
      const compared = await run(["test", "--compare", "--emulator"]);
      expect(compared.exit).toBe(7);
      expect(compared.stdout).toContain("1 of 1 sample changes destination.");
    });
  });

  test("--emulator does not take the next argument as its value", async () => {
    const { exit, stdout } = await run(["plan", "--emulator", "severities.yaml"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("Plan: ");
    expect(existsSync(join(folder, ".incidentctl", "emulator.db"))).toBe(true);
    expect((await run(["plan", "--emulator=own.db"])).exit).toBe(0);
    expect(existsSync(join(folder, "own.db"))).toBe(true);
  });

  test("the emulator keeps the applied state", async () => {
    expect((await run(["apply", "--emulator", "--yes"])).exit).toBe(0);
    expect((await run(["plan", "--emulator", "--detailed-exitcode"])).exit).toBe(0);
    expect((await run(["drift", "--emulator"])).exit).toBe(0);
  });

  test("a pipe that is closed early is no error", async () => {
    const child = start(["plan", "--emulator", "--verbose"], {});
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (piece) => (stderr += piece));
    const [exit] = await once(child, "exit");
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^GET \/api\/v1\/severities: 200 in \d+ ms\nRequests:\n {2}1 {2}pages of lists\n {2}1 {2}total\n$/,
    );
  });
});

describe("against a service on loopback", () => {
  test("plan, save, apply, no changes, a manual edit, drift, apply again", async () => {
    const planned = await run(["plan", "--out", "change.plan", "--detailed-exitcode"], shell);
    expect(planned.exit).toBe(2);
    expect(planned.stdout.trimEnd().split("\n").at(-1)).toMatch(/^Plan: \d+ to create, .*\. \d+ requests?\.$/);
    expect(planned.stderr).toContain("change.plan");

    const shown = await run(["show", "change.plan"]);
    expect(shown).toEqual({ exit: 0, stdout: planned.stdout, stderr: "" });

    const refused = await run(["apply"], shell);
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain("--yes");

    const applied = await run(["apply", "--plan", "change.plan", "--yes"], shell);
    expect(applied.exit).toBe(0);
    expect(applied.stdout).toContain("Verified");
    expect(applied.stderr).toContain(": done");

    expect((await run(["apply", "--plan", "change.plan", "--yes"], shell)).exit).toBe(5);
    const again = await run(["plan", "--detailed-exitcode"], shell);
    expect(again).toMatchObject({ exit: 0, stderr: "" });
    expect(again.stdout).toMatch(
      /^Plan for .*\n\nNot managed .*\n.* {2}not read\n\nNo changes\. .* files declare\.\n$/,
    );

    await rename("critical", "Sev 1");
    const drifted = await run(["drift"], shell);
    expect(drifted.exit).toBe(2);
    expect(drifted.stdout).toContain('in the files: "Critical"; in the workspace: "Sev 1"');
    expect((await run(["apply", "--yes"], shell)).exit).toBe(0);
    expect((await run(["drift", "--format", "json"], shell)).exit).toBe(0);
  });

  test("an unknown token exits with 6", async () => {
    const { exit, stderr } = await run(["plan"], { ...shell, INCIDENTCTL_TOKEN: "sk_unknown_0123456789" });
    expect(exit).toBe(6);
    expect(stderr).toContain("401");
  });

  test("a managed kind that the token cannot read exits with 6, and the error names the variable to set", async () => {
    await writeFile(join(folder, "agents.yaml"), "agents: []\n");
    const { INCIDENTCTL_ADMIN_TOKEN: _admin, ...ordinary } = shell;
    const { exit, stdout, stderr } = await run(["plan"], ordinary);
    expect({ exit, stdout }).toEqual({ exit: 6, stdout: "" });
    expect(stderr).toContain("agents");
    expect(stderr).toContain("INCIDENTCTL_ADMIN_TOKEN");
  });

  test("colour is only for terminals", async () => {
    expect((await run(["plan", "--verbose"], shell)).stdout).not.toContain("\u001b");
  });
});

test("emulator prints variables for a shell, accepts dialects, and ends on an interrupt", async () => {
  const child = start(
    ["emulator", "--workspace", "bare", "--dialect", "options=replace", "--dialect", "slug=accept"],
    {},
  );
  const variables = await exports(child);
  expect(Object.keys(variables)).toEqual(["INCIDENTCTL_URL", "INCIDENTCTL_TOKEN", "INCIDENTCTL_ADMIN_TOKEN"]);
  expect(variables.INCIDENTCTL_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  child.kill("SIGINT");
  const [exit] = await once(child, "exit");
  expect(exit).toBe(0);
});

test("emulator --control --seed serves a workspace with incidents and prints the key of its control interface", async () => {
  const child = start(["emulator", "--control", "--seed"], {});
  const { INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: token, INCIDENTCTL_CONTROL_KEY: key } = await exports(child, 4);
  const get = async (path: string, bearer = ""): Promise<Response> => {
    return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  };
  expect(await (await get("/api/v1/incidents?per_page=1", token)).json()).toMatchObject({ pagination: { total: 6 } });
  expect((await get("/control/clock", key)).status).toBe(200);
  expect((await get("/control/clock", token)).status).toBe(401);
  child.kill("SIGTERM");
  const [exit] = await once(child, "exit");
  expect(exit).toBe(0);
});

function start(args: readonly string[], env: Record<string, string>): ChildProcessWithoutNullStreams {
  const { PATH = "", HOME = "" } = process.env;
  return spawn(process.execPath, [program, ...args], { cwd: folder, env: { PATH, HOME, ...env } });
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return ended(start(args, env));
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  child.stdin.end();
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => (stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece) => (stderr += piece));
  const [exit] = await once(child, "close");
  return { exit, stdout, stderr };
}

/** The variables that the emulator prints, once it serves. */
async function exports(child: ChildProcessWithoutNullStreams, count = 3): Promise<Record<string, string>> {
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    const found = [...text.matchAll(/^export (\w+)=(.*)\n/gm)].map(([, name = "", value = ""]) => [name, value]);
    if (found.length === count) return Object.fromEntries(found);
  }
  throw new Error("the emulator ended before it served");
}

async function rename(slug: string, name: string): Promise<void> {
  const answer = await fetch(`${shell.INCIDENTCTL_URL}/api/v1/severities/${slug}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${shell.INCIDENTCTL_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  expect(answer.status).toBe(200);
}
