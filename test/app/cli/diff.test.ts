/** `diff -e A -e B`, typed on the command line, without a service. */

import { describe, expect, it } from "vitest";
import { command, type Ended } from "../../bad-input/run.ts";
import { type Files, inDirectory } from "../../config/loading.ts";

const FILES = {
  "incidentctl.yaml": `
version: 1
config: [config/]
vars: {channel: C1}
environments:
  staging: {base_url: "https://staging.example.com", vars: {channel: C2}, overlays: [envs/staging.yaml]}
  production: {base_url: "https://incidents.example.com"}
  twin: {base_url: "https://twin.example.com"}
`,
  "config/all.yaml": `severities:
  - { slug: critical, name: Critical, description: "pages \${var:channel}" }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
alert_sources:
  - { name: Datadog, provider: datadog }
webhooks:
  - { name: page, url: "https://hooks.example.com/\${env:HOOK}" }
routing_rules:
  workspace:
    - { name: drills, conditions: [{ field: a, operator: contains, value: x }], outcome: { action: drop } }
    - { name: rest, outcome: { action: notify_only, notify: { type: channel, channel_id: C9 } } }
`,
  "envs/staging.yaml": `severities:
  - { slug: minor, enabled: true }
  - { slug: drill, name: Drill, $before: critical }
  - { slug: major, $after: minor }
webhooks:
  - { name: page, url: "https://hooks.example.com/\${env:OTHER_HOOK}" }
routing_rules:
  workspace:
    - { name: rest, outcome: { action: notify_only, notify: { type: channel, channel_id: C9 } } }
runbooks: []
`,
};

const SECRETS = { HOOK: "hushhush-production", OTHER_HOOK: "hushhush-staging" };

function diff(
  args: readonly string[],
  env: Record<string, string | undefined> = SECRETS,
  files: Files = FILES,
): Promise<Ended> {
  return inDirectory(files, (folder) =>
    command(["diff", ...args], folder, undefined, { ...env, INCIDENTCTL_TOKEN: undefined }),
  );
}

describe("diff", () => {
  it("shows resources, fields, order and lists that differ, sends nothing, and exits with 2", async () => {
    const { exit, stdout, stderr, requests } = await diff(["-e", "production", "-e", "staging"]);
    expect({ exit, requests, stderr }).toEqual({ exit: 2, requests: [], stderr: "" });
    expect(stdout).toBe(`production (https://incidents.example.com) → staging (https://staging.example.com)

severities
  + severities/drill  only in staging
      slug  "drill"
      name  "Drill"
  ~ severities/critical  description "pages C1" → "pages C2"
  > severities/minor  at another position

routing_rules
  - routing_rules/workspace/1  "drills"; only in production
      name            "drills"
      conditions      [{field: "a", operator: "contains", value: "x"}]
      outcome/action  "drop"

webhooks
  ~ webhooks/page  url (secret) → (secret)

Managed in staging only: runbooks

Diff: 2 differ, 1 at another position, 1 only in production, 1 only in staging, 1 managed in one only.
`);
  });

  it("has no differences between environments that differ only in their address", async () => {
    const { exit, stdout } = await diff(["-e", "production", "-e", "twin"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("No differences. production and twin have the same configuration.\n");
    expect((await diff(["-e", "production", "-e", ""])).exit).toBe(0);
  });

  it("compares with the settings without an environment, whatever INCIDENTCTL_ENVIRONMENT says", async () => {
    const { exit, stdout } = await diff(["-e", "", "--env=staging"], { ...SECRETS, INCIDENTCTL_ENVIRONMENT: "twin" });
    expect(exit).toBe(2);
    expect(stdout).toContain("the base → staging (https://staging.example.com)");
  });

  it("prints JSON with the same differences, and never a value of the environment", async () => {
    const { exit, stdout } = await diff(["-e", "production", "-e", "staging", "--format", "json"]);
    expect(exit).toBe(2);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      format_version: 1,
      before: { environment: "production", base_url: "https://incidents.example.com", managed_only: [] },
      after: { environment: "staging", base_url: "https://staging.example.com", managed_only: ["runbooks"] },
      summary: { create: 1, update: 2, move: 1, delete: 1 },
    });
    const page = document.changes.find(({ address }: { address: string }) => address === "webhooks/page");
    expect(page).toEqual({
      address: "webhooks/page",
      kind: "webhooks",
      action: "update",
      fields: [{ path: "/url", before: "(secret)", after: "(secret)", secret: true }],
      source: { file: "config/all.yaml", line: 8, column: 5 },
    });
    expect(stdout).not.toContain("hushhush");
  });

  it("masks short values of the environment as well", async () => {
    const { stdout, stderr } = await diff(["-e", "production", "-e", "staging"], { HOOK: "x7", OTHER_HOOK: "y8" });
    expect(stdout + stderr).not.toMatch(/x7|y8/);
    expect((await diff(["-e", "production", "-e", "staging"], { HOOK: "x7", OTHER_HOOK: "x7" })).stdout).not.toContain(
      "url",
    );
  });

  it("shows a field that one environment omits, and no default as a difference", async () => {
    const files = {
      ...FILES,
      "envs/staging.yaml": 'severities:\n  - { slug: minor, color: "#112233", enabled: true }\n',
    };
    const { stdout } = await diff(["-e", "production", "-e", "staging"], SECRETS, files);
    expect(stdout).toContain('color "(not declared)" → "#112233"');
    expect(stdout).not.toContain("enabled");
  });

  it.each<readonly [problem: string, args: readonly string[]]>([
    ["diff compares two environments", []],
    ["diff compares two environments", ["-e", "staging"]],
    ["diff compares two environments", ["-e", "staging", "-e", "twin", "-e", "production"]],
    ["both environments are the same", ["-e", "staging", "-e", "staging"]],
    ['there is no environment "stagin"', ["-e", "stagin", "-e", "production"]],
    ["results have no format", ["-e", "staging", "-e", "production", "--format", "html"]],
    ["--format can only be given once", ["-e", "staging", "-e", "production", "--format", "json", "--format", "text"]],
  ])("is a usage error: %s with %j", async (problem, args) => {
    const { exit, stdout, stderr } = await diff(args);
    expect({ exit, stdout }, stderr).toEqual({ exit: 64, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it("is an error with files that cannot be loaded, and a second --env stays an error of other commands", async () => {
    const broken = { ...FILES, "envs/staging.yaml": "severities: 1\n" };
    expect((await diff(["-e", "production", "-e", "staging"], SECRETS, broken)).exit).toBe(1);
    expect((await diff(["-e", "production", "-e", "staging"], { HOOK: "x" })).stderr).toContain("OTHER_HOOK");
    const ended = await inDirectory(FILES, (folder) => command(["plan", "-e", "staging", "-e", "twin"], folder));
    expect({ exit: ended.exit, stderr: ended.stderr }).toEqual({
      exit: 64,
      stderr: expect.stringMatching(/^error: --env can only be given once\n +for example: incidentctl plan /),
    });
  });
});
