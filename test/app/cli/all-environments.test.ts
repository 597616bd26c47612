/** `--all-environments`, typed on the command line, with a service for each environment. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import type { Io } from "../../../src/core/io.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type Files, inDirectory } from "../../config/loading.ts";

const FILES = {
  "incidentctl.yaml": `
version: 1
config: [config/]
vars: {outage: Outage}
environments:
  staging: {base_url: "http://localhost:4011"}
  eu-west: {base_url: "http://localhost:4012", vars: {outage: Critical}}
`,
  "config/severities.yaml": `severities:
  - { slug: critical, name: "\${var:outage}" }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
`,
};

interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Services that were asked, with the token. */
  readonly asked: readonly string[];
  /** The environment variables after the command. */
  readonly env: Io["env"];
}

let staging: Emulator;
let europe: Emulator;
beforeEach(() => {
  staging = createEmulator();
  europe = createEmulator();
});
afterEach(() => {
  staging.close();
  europe.close();
});

const tokens = () => ({
  INCIDENTCTL_TOKEN_STAGING: staging.serviceToken,
  INCIDENTCTL_TOKEN_EU_WEST: europe.serviceToken,
});

/** Runs a command line in a folder. Without variables, each environment has its token. */
async function typed(
  folder: string,
  args: readonly string[],
  variables: Record<string, string> = tokens(),
): Promise<Ended> {
  const text = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    terminal: false,
    write: (piece: string) => {
      text[name] += piece;
    },
  });
  const asked = new Set<string>();
  const env: Io["env"] = { ...variables };
  const exit = await runCommandLine(args, {
    stdout: output("stdout"),
    stderr: output("stderr"),
    env,
    cwd: folder,
    now: () => new Date("2026-11-21T08:00:00Z"),
    fetch: async (input, init) => {
      const { port } = new URL(input);
      asked.add(`${port} ${init.headers.authorization}`);
      return (port === "4011" ? staging : europe).fetch(new Request(input, init));
    },
    interruption: () => new AbortController().signal,
  });
  return { exit, ...text, asked: [...asked], env };
}

/** Runs one command line with these files, or the usual ones. */
function once(args: readonly string[], variables?: Record<string, string>, files: Files = FILES): Promise<Ended> {
  return inDirectory(files, (folder) => typed(folder, args, variables));
}

describe("plan --all-environments", () => {
  it("plans each environment with its own token, in the order of the settings, and sums up", async () => {
    const { exit, stdout, stderr, asked } = await once(["plan", "--all-environments"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(asked).toEqual([`4011 Bearer ${staging.serviceToken}`, `4012 Bearer ${europe.serviceToken}`]);
    const headings = stdout.split("\n").filter((line) => /^(?:Environment|plan):/.test(line));
    expect(headings).toEqual(["Environment: staging", "Environment: eu-west", "plan: 2 environments"]);
    expect(stdout).toContain('name "Critical" → "Outage"');
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
      "  staging  Plan: 0 to create, 1 to update, 0 to move, 0 to disable, 0 to delete. 2 requests. No change needs attention.",
      "  eu-west  No changes. The workspace matches what the files declare.",
    ]);
  });

  it("exits with the worst code, and an error in one environment does not stop the others", async () => {
    const { INCIDENTCTL_TOKEN_STAGING: token } = tokens();
    const one = await once(["plan", "--all-environments", "--detailed-exitcode"], { INCIDENTCTL_TOKEN_STAGING: token });
    expect(one.exit).toBe(6);
    expect(one.stdout).toContain('name "Critical" → "Outage"');
    expect(one.stdout).toContain("plan: 2 environments, 1 with an error");
    expect(one.stdout).toContain("  eu-west  error: there is no token: set INCIDENTCTL_TOKEN_EU_WEST");
    expect(one.stderr).toBe('environment "eu-west":\nerror: there is no token: set INCIDENTCTL_TOKEN_EU_WEST\n');
    const changes = await once(["plan", "--all-environments", "--detailed-exitcode"]);
    expect(changes.exit).toBe(2);
    const files = { ...FILES, "config/severities.yaml": "severities: [{ slug: minor, name: Minor, default: true }]\n" };
    const blocked = await once(
      ["plan", "--all-environments", "--fail-on", "blocked", "--detailed-exitcode"],
      tokens(),
      files,
    );
    expect(blocked.exit).toBe(3);
    const broken = FILES["incidentctl.yaml"].replace("vars: {outage: Critical}", "overlays: [missing.yaml]");
    const wrong = await once(["plan", "--all-environments"], tokens(), { ...FILES, "incidentctl.yaml": broken });
    expect(wrong.exit).toBe(1);
    expect(wrong.stdout).toContain("  eu-west  error: the configuration has 1 error");
  });

  it("uses no other token, and leaves none in the environment", async () => {
    const { exit, asked, env } = await once(["plan", "--all-environments"], {
      INCIDENTCTL_TOKEN: staging.serviceToken,
      INCIDENTCTL_ADMIN_TOKEN: staging.adminToken,
      INCIDENTCTL_TOKEN_EU_WEST: "",
    });
    expect({ exit, asked, env }).toEqual({ exit: 6, asked: [], env: {} });
  });

  it("reads kinds of administrators with the administrator's token of the environment", async () => {
    const files = { ...FILES, "config/agents.yaml": "agents: []\n" };
    const without = await once(["plan", "--all-environments"], tokens(), files);
    expect(without.exit).toBe(6);
    expect(without.stdout + without.stderr).toContain("set INCIDENTCTL_ADMIN_TOKEN_STAGING");
    const all = {
      ...tokens(),
      INCIDENTCTL_ADMIN_TOKEN_STAGING: staging.adminToken,
      INCIDENTCTL_ADMIN_TOKEN_EU_WEST: europe.adminToken,
    };
    expect((await once(["plan", "--all-environments"], all, files)).exit).toBe(0);
  });

  it("plans without an environment where the settings name none", async () => {
    const settings = 'version: 1\nconfig: [config/]\nbase_url: "http://localhost:4011"\nvars: {outage: Outage}\n';
    const { exit, stdout } = await once(
      ["plan", "--all-environments"],
      { INCIDENTCTL_TOKEN: staging.serviceToken },
      { ...FILES, "incidentctl.yaml": settings },
    );
    expect(exit).toBe(0);
    expect(stdout).toContain("plan: 1 environment\n  (none)  Plan: 0 to create, 1 to update");
  });

  it("prints one JSON document, with the plan of each environment as plan prints it", async () => {
    await inDirectory(FILES, async (folder) => {
      const { INCIDENTCTL_TOKEN_STAGING: token } = tokens();
      const all = await typed(folder, ["plan", "--all-environments", "--format", "json"], {
        INCIDENTCTL_TOKEN_STAGING: token,
      });
      const single = await typed(folder, ["plan", "-e", "staging", "--format", "json"], { INCIDENTCTL_TOKEN: token });
      expect(all.exit).toBe(6);
      const document = JSON.parse(all.stdout);
      expect(document).toEqual({
        format_version: 1,
        command: "plan",
        exit_code: 6,
        environments: [
          {
            environment: "staging",
            exit_code: 0,
            verdict: expect.stringMatching(/^Plan: /),
            report: expect.anything(),
          },
          {
            environment: "eu-west",
            exit_code: 6,
            verdict: "there is no token: set INCIDENTCTL_TOKEN_EU_WEST",
            report: {
              format_version: 1,
              command: "plan",
              exit_code: 6,
              error: { message: "there is no token: set INCIDENTCTL_TOKEN_EU_WEST" },
              diagnostics: [],
            },
          },
        ],
      });
      expect({ ...document.environments[0].report, seal: null }).toEqual({ ...JSON.parse(single.stdout), seal: null });
    });
  });

  it("writes reports: one of all environments, or one of each where the path has {env}", async () => {
    await inDirectory(FILES, async (folder) => {
      const reports = ["--report", "markdown=all.md", "--report", "json=one-{env}.json", "--report", "html={env}.html"];
      const { exit, stderr } = await typed(folder, ["plan", "--all-environments", ...reports, "--out", "{env}.plan"]);
      expect(exit, stderr).toBe(0);
      const read = (name: string) => readFileSync(join(folder, name), "utf8");
      expect(read("all.md")).toMatch(
        /^<!-- incidentctl plan all environments -->\n### incidentctl plan: 2 environments\n/,
      );
      expect(read("all.md")).toContain("| `staging` | Plan: 0 to create, 1 to update");
      expect(read("all.md")).toContain("No changes.");
      expect(JSON.parse(read("one-staging.json")).target.environment).toBe("staging");
      expect(JSON.parse(read("one-eu-west.json")).summary.update).toBe(0);
      expect(read("eu-west.html")).toContain("<html");
      expect(stderr).toContain("incidentctl apply --plan staging.plan --env staging");
      expect(read("eu-west.plan")).toContain("eu-west");
    });
  });

  it.each<readonly [problem: string, args: readonly string[], variables: Record<string, string>]>([
    ["--env is for one environment", ["-e", "staging"], {}],
    ["--env is for one environment", ["-e", ""], {}],
    ["--url is for one environment", ["--url", "http://localhost:4011"], {}],
    ["--emulator is for one environment", ["--emulator"], {}],
    ["INCIDENTCTL_URL names one service", [], { INCIDENTCTL_URL: "http://localhost:4011" }],
    ["--out change-{env}.plan", ["--out", "a.plan"], {}],
    ["--report html=PATH with {env} in it", ["--format", "html"], {}],
    ["--report html=PATH with {env} in it", ["--report", "html=a.html"], {}],
    ["both name", ["--report", "json=a.json", "--report", "markdown=a.json"], {}],
    ["belongs to the configuration", ["--report", "json={env}.yaml"], {}],
  ])("is a usage error: %s", async (problem, args, variables) => {
    const { exit, stdout, stderr, asked } = await once(["plan", "--all-environments", ...args], {
      ...tokens(),
      ...variables,
    });
    expect({ exit, asked }, stderr).toEqual({ exit: 64, asked: [] });
    expect(stdout + stderr).toContain(problem);
  });

  it("ignores INCIDENTCTL_ENVIRONMENT and an empty INCIDENTCTL_URL", async () => {
    const variables = { ...tokens(), INCIDENTCTL_ENVIRONMENT: "nowhere", INCIDENTCTL_URL: "" };
    expect((await once(["plan", "--all-environments"], variables)).exit).toBe(0);
  });

  it.each([
    ["a-b: {}\n  A_B: {}", [], '"a-b" and "A_B" would both read INCIDENTCTL_TOKEN_A_B'],
    ["../up: {}", ["--out", "{env}.plan"], '"../up" cannot be a part of a file name'],
  ])("refuses environments %j with %j", async (environments, args, problem) => {
    const settings = `version: 1\nenvironments:\n  ${environments}\n`;
    const files = { ...FILES, "incidentctl.yaml": settings };
    const { exit, stderr, asked } = await once(["plan", "--all-environments", ...args], tokens(), files);
    expect({ exit, asked }).toEqual({ exit: 1, asked: [] });
    expect(stderr).toContain(problem);
  });

  it("never prints a token, and refuses one among the arguments", async () => {
    const { exit, stderr } = await once(["plan", "--all-environments", `--target=severities/${staging.serviceToken}`]);
    expect(exit).toBe(64);
    expect(stderr).not.toContain(staging.serviceToken);
  });
});

describe("drift --all-environments", () => {
  it("exits with 2 if one environment differs, and says which", async () => {
    const { exit, stdout } = await once(["drift", "--all-environments"]);
    expect(exit).toBe(2);
    expect(stdout).toContain("drift: 2 environments\n  staging  Drift: 1 differs.");
    expect(stdout).toContain("  eu-west  No drift. The workspace matches what the files declare.");
  });

  it("is no flag of drift accept", async () => {
    const accept = ["accept", "severities/critical", "--until", "2026-12-31", "--because", "x"];
    const { exit, stderr } = await once(["drift", "--all-environments", ...accept]);
    expect({ exit, stderr }).toEqual({
      exit: 64,
      stderr: expect.stringMatching(
        /^error: drift accept has no --all-environments\n +for example: incidentctl drift accept /,
      ),
    });
  });
});

describe("validate --all-environments", () => {
  it("needs no token, and reports the errors of each environment", async () => {
    const fine = await once(["validate", "--all-environments"], {});
    expect({ exit: fine.exit, asked: fine.asked }).toEqual({ exit: 0, asked: [] });
    expect(fine.stdout).toContain("validate: 2 environments\n  staging  The configuration is valid");
    const settings = FILES["incidentctl.yaml"].replace("vars: {outage: Outage}\n", "");
    const wrong = await once(["validate", "--all-environments"], {}, { ...FILES, "incidentctl.yaml": settings });
    expect(wrong.exit).toBe(1);
    expect(wrong.stderr).toContain('environment "staging":\nconfig/severities.yaml:2:29: error[E_VAR]');
    expect(wrong.stdout).toContain("  staging  error: the configuration has 1 error");
    expect(wrong.stdout).toContain("  eu-west  The configuration is valid");
  });

  it("prints one JSON document, and the findings of an environment with errors", async () => {
    const settings = FILES["incidentctl.yaml"].replace("vars: {outage: Outage}\n", "");
    const files = { ...FILES, "incidentctl.yaml": settings };
    const { exit, stdout } = await once(["validate", "--all-environments", "--format", "json"], {}, files);
    expect(exit).toBe(1);
    const { environments } = JSON.parse(stdout);
    expect(environments).toMatchObject([
      { environment: "staging", exit_code: 1, report: { diagnostics: [{ code: "E_VAR" }] } },
      { environment: "eu-west", exit_code: 0, report: { diagnostics: [] } },
    ]);
  });

  it("takes SARIF only in a file for each environment", async () => {
    expect((await once(["validate", "--all-environments", "--format", "sarif"], {})).exit).toBe(64);
    await inDirectory(FILES, async (folder) => {
      writeFileSync(join(folder, "config/more.yaml"), "webhooks: [{ name: a, url: 'https://a.example' }]\n");
      const { exit } = await typed(folder, ["validate", "--all-environments", "--report", "sarif={env}.sarif"], {});
      expect(exit).toBe(0);
      expect(JSON.parse(readFileSync(join(folder, "staging.sarif"), "utf8")).version).toBe("2.1.0");
    });
  });

  it("is a usage error with INCIDENTCTL_URL, and an error with settings that cannot be read", async () => {
    const url = await once(["validate", "--all-environments"], { INCIDENTCTL_URL: "http://localhost:4011" });
    expect(url.exit).toBe(64);
    const broken = await once(["validate", "--all-environments"], {}, { ...FILES, "incidentctl.yaml": "version: 2\n" });
    expect(broken.exit).toBe(1);
    expect(broken.stderr).toContain("incidentctl.yaml:1:10: error[E_VALUE]");
  });
});
