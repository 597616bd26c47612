import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { rehearse } from "../../src/app/rehearse/rehearse-command.ts";
import type { RehearseOptions } from "../../src/app/rehearse/rehearse-definition.ts";
import { type Command, openWorld, type World } from "./world.ts";

const severities = `severities:
  - { slug: critical, name: "<b>Outage</b>" }
  - { slug: major, name: Major, default: true }
  - { slug: minor, name: Minor }
`;
const keys = `api_keys:
  - { name: deploy bot, permissions: { incidents: [read] } }
`;
/** The service refuses an ability that nobody knows. */
const refused = `agents:
  - { slug: bot, name: Bot, grants: [{ ability: moon.fly }] }
`;

let world: World;
afterEach(() => world.close());

const writes = () => world.requests.filter(({ method }) => method !== "GET");

describe("rehearse", () => {
  test("exits with 0 on success, and sends only GET to the live service", async () => {
    world = await openWorld({ "severities.yaml": severities });
    const { exit, stdout } = await world.run(rehearse, { paths: [], report: [] });
    expect(stdout).toContain("Rehearsal: all checks passed.");
    expect(exit).toBe(0);
    expect(writes()).toEqual([]);
  });

  test("exits with 7 on findings, and JSON has them", async () => {
    world = await openWorld({ "agents.yaml": refused });
    const { exit, stdout } = await world.run(rehearse, { paths: [], format: "json" });
    expect(exit).toBe(7);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ held: false });
    expect(report.findings).toMatchObject([{ subject: "operations", address: "agents/bot/grants/moon.fly" }]);
    expect(writes()).toEqual([]);
  });

  test("says outcomes by slugs, before and after", async () => {
    const rule = (severity: string) =>
      `routing_rules:\n  workspace:\n    - outcome: { action: auto_create_incident, severity: ${severity} }\n`;
    world = await openWorld({ "a.yaml": `${severities}${rule("critical")}` });
    expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
    await world.write({ "a.yaml": `${severities}  - { slug: low, name: Low }\n${rule("low")}` });
    const { stdout } = await world.run(rehearse, { paths: [] });
    const [before, after] = ["critical", "low"].map((slug) => `{action: "auto_create_incident", severity: "${slug}"}`);
    expect(stdout).toContain(`: ${before} → ${after}\n`);
    expect(stdout).not.toContain("severity_id");
  });

  test("shows the whole cause of a finding", async () => {
    world = await openWorld({ "agents.yaml": refused });
    const { stdout } = await world.run(rehearse, { paths: [] });
    expect(stdout).toMatch(
      /op-\d agents\/bot\/grants\/moon\.fly: POST .* 404 not_found: Resource not found \(request [0-9a-f-]{36}\)\n/,
    );
  });

  test("succeeds with a fault at every request, including tokens", async () => {
    world = await openWorld({ "keys.yaml": keys });
    const { exit, stdout } = await world.run(rehearse, { paths: [], faults: true, format: "json" });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ held: true, faults: { runs: 5 } });
  });

  test("lists the kinds that the token cannot read, and succeeds without them", async () => {
    world = await openWorld({ "severities.yaml": severities });
    const withoutAdmin: Command<RehearseOptions> = (options, io, console) => {
      delete io.env.INCIDENTCTL_ADMIN_TOKEN;
      return rehearse(options, io, console);
    };
    const { exit, stdout } = await world.run(withoutAdmin, { paths: [] });
    expect(stdout).toMatch(/unread: api_keys cannot be read/);
    expect(stdout).toMatch(/unread: agents cannot be read/);
    expect(exit).toBe(0);
  });

  test("writes one page without a script, in which no text of the files is markup", async () => {
    world = await openWorld({
      "severities.yaml": severities,
      "rules.yaml": `routing_rules:
  workspace:
    - { name: all, conditions: [{ field: "<i>x</i>", operator: contains, value: "<script>" }], outcome: { action: drop } }
`,
    });
    const report = [{ format: "html", path: "out.html" }] as const;
    await world.run(rehearse, { paths: [], report });
    const page = await readFile(join(world.folder, "out.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page).toContain("&lt;script&gt;");
    expect(page).not.toMatch(/<script|<i>|https?:\/\/(?!localhost)/);
  });

  test("refuses an unknown dialect, with exit code 64", async () => {
    world = await openWorld({ "severities.yaml": severities });
    expect((await world.run(rehearse, { paths: [], dialect: ["options=maybe"] })).exit).toBe(64);
  });
});

describe("the alerts of live sources", () => {
  const rule = "outcome: { action: notify_only, notify: { type: channel, channel_id: C0123456789 } }";
  const sources = (...lines: readonly string[]): string =>
    `alert_sources:\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  const rulesOf = (name: string): string => `routing_rules:\n  sources:\n    ${name}: [{ name: all, ${rule} }]\n`;
  const before = sources("{ name: Datadog, provider: datadog }") + rulesOf("Datadog");
  const renamed = sources("{ name: DatadogEU, provider: datadog }") + rulesOf("DatadogEU");
  const lost = /alert_sources\/Datadog: .* from "Datadog" is lost: its endpoint answers 404 after the plan/;

  /** Rehearses these files in a workspace that other files made. */
  async function rehearsed(live: string, files: string, options: Partial<RehearseOptions> = {}) {
    world = await openWorld({ "config.yaml": live });
    expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
    await world.write({ "config.yaml": files });
    return world.run(rehearse, { paths: [], ...options });
  }

  test.each([
    ["with rules", before, renamed],
    ["without rules", sources("{ name: Datadog }"), sources("{ name: DatadogEU }")],
    ["that goes", before, "alert_sources: []\n"],
  ])("are lost when a source %s is not in the files, which is a finding", async (_, live, files) => {
    const { exit, stdout } = await rehearsed(live, files);
    expect(stdout).toMatch(lost);
    expect(stdout).toContain("✗ no alert is lost or misrouted");
    expect(exit).toBe(7);
  });

  test("are lost on purpose with --allow-delete", async () => {
    const { exit, stdout } = await rehearsed(before, renamed, { allowDelete: true });
    expect(stdout).not.toMatch(lost);
    expect(stdout).toContain('from "Datadog": ');
    expect(stdout).toContain("→ 404, no such source");
    expect(exit).toBe(0);
  });

  test("are kept by renamed_from", async () => {
    const named = renamed.replace("provider: datadog", "provider: datadog, renamed_from: Datadog");
    const { exit, stdout } = await rehearsed(before, named);
    expect(stdout).not.toContain("404");
    expect(exit).toBe(0);
  });

  test("are lost on purpose where the files disable the source", async () => {
    const disabled = before.replace("provider: datadog", "provider: datadog, enabled: false");
    const { exit, stdout } = await rehearsed(before, disabled);
    expect(stdout).toContain("→ 404, no such source");
    expect(exit).toBe(0);
  });

  test("stop apply --rehearse before the first write", async () => {
    await rehearsed(before, renamed);
    const { exit, stderr } = await world.run(apply, { paths: [], yes: true, rehearse: true });
    expect(exit).toBe(7);
    expect(stderr).toContain("nothing was written");
  });
});

describe("apply --rehearse", () => {
  test("continues as apply after a success", async () => {
    world = await openWorld({ "severities.yaml": severities });
    const { exit, stderr } = await world.run(apply, { paths: [], yes: true, rehearse: true });
    expect(stderr).toContain("Rehearsal: all checks passed.");
    expect(exit).toBe(0);
    expect(writes().length).toBeGreaterThan(0);
  });

  test("stops with exit 7 before any write on a finding", async () => {
    world = await openWorld({ "agents.yaml": refused });
    const options = { paths: [], yes: true, rehearse: true, secretsOut: "tokens.jsonl" };
    const { exit, stderr } = await world.run(apply, options);
    expect(exit).toBe(7);
    expect(stderr).toContain("not applied, nothing was written");
    expect(writes()).toEqual([]);
  });

  test("is required for flags about the replica", async () => {
    world = await openWorld({ "severities.yaml": severities });
    expect((await world.run(apply, { paths: [], faults: true })).exit).toBe(64);
  });
});
