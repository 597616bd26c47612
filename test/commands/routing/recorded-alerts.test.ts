import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { test as runTests } from "../../../src/app/plan/test-command.ts";
import type { Replay } from "../../../src/preview/recorded-alerts/replay.ts";
import { recordedAlertsSchema } from "../../../src/view/plan/schema.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";
import { closed, described } from "../../support/schemas/plan-schema.ts";
import { openTestWorld, type World } from "../world.ts";

const rules = `routing_rules:
  workspace:
    - { name: rest, outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } } }
  sources:
    Datadog:
      - name: staging
        conditions: [{ field: environment, operator: is_one_of, value: [staging] }]
        outcome: { action: drop }
      - name: billing pages
        conditions: [{ field: service, operator: is_one_of, value: [billing] }]
        outcome: { action: auto_create_incident, severity: critical }
`;
const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "severities.yaml":
    "severities:\n  - { slug: critical, name: Critical }\n  - { slug: minor, name: Minor, default: true }\n",
  "sources.yaml": "alert_sources:\n  - { name: Datadog, provider: datadog }\n  - { name: Grafana }\n",
  "rules.yaml": rules,
};
const edited = rules.replace("value: [billing]", "value: [payments]");
const recorded = [
  { source: "Datadog", service: "billing", environment: "production" },
  { source: "Datadog", service: "billing", environment: "staging" },
  { source: "Grafana", service: "billing" },
  { service: "billing", attempts: 3, again: true, note: null },
]
  .map((alert) => JSON.stringify(alert))
  .join("\n");
const alerts = "alerts.jsonl";
const paths: readonly string[] = [];

async function opened(
  changed: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
): Promise<World> {
  const world = await openTestWorld({ ...files, [alerts]: recorded, ...changed });
  Object.assign(world.io.env, env);
  return world;
}

async function applied(
  changed: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
): Promise<World> {
  const world = await opened(changed, env);
  const { exit, stderr } = await world.run(apply, { paths, yes: true, allowDelete: true });
  expect(exit, stderr).toBe(0);
  world.requests.splice(0);
  return world;
}

async function replay(world: World, options: object = {}): Promise<Replay> {
  const { exit, stdout, stderr } = await world.run(runTests, { paths, alerts, format: "json", ...options });
  expect(exit, stderr).toBe(0);
  const report = JSON.parse(stdout);
  expect(isReport(report), JSON.stringify(isReport.errors)).toBe(true);
  return report.recorded_alerts;
}

/** Whether the schema describes all of a report. */
const isReport = compiled(closed(recordedAlertsSchema()));

describe("with a service", () => {
  test("each alert that changes is shown by its two rules, and nothing but GET is sent", async () => {
    const world = await applied();
    await world.write({ "rules.yaml": edited });
    const { exit, stdout } = await world.run(runTests, { paths, alerts });
    expect(exit).toBe(0);
    expect(stdout).toContain(`1 alert: another outcome
    rule 2 (no name in the configuration) of Datadog, auto_create_incident, severity critical
 →  no rule matches
    line 1
`);
    expect(stdout).toContain("4 recorded alerts of alerts.jsonl: 1 gets another outcome.\n");
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    const { outcomes, changed } = await replay(world);
    expect(changed).toBe(1);
    expect(outcomes).toContainEqual({ outcome: "notify_only", before: 2, after: 2 });
    expect(outcomes).toContainEqual({ outcome: "no rule matches", before: 0, after: 1 });
  });

  test("nothing changes after an apply", async () => {
    expect(await replay(await applied())).toMatchObject({ changed: 0, rerouted: 0, undecided: 0, changes: [] });
  });

  test("rules that the files do not manage count as they are live", async () => {
    const world = await applied();
    await world.write({ "rules.yaml": edited.replace(/ {4}Datadog:[\s\S]*/, "    Grafana: []\n") });
    expect(await replay(world)).toMatchObject({ changed: 0, undecided: 0 });
  });

  test("an alert is lost if its source goes, and follows it to a new name", async () => {
    const world = await applied();
    await world.write({
      "sources.yaml": "alert_sources:\n  - { name: Datadog, enabled: false }\n  - { name: Grafana }\n",
    });
    const lost = await replay(world);
    expect(lost.changed).toBe(2);
    expect(lost.changes.map(({ after }) => after)).toEqual([{ result: "lost" }, { result: "lost" }]);
    await world.write({
      "sources.yaml": "alert_sources:\n  - { name: DD, renamed_from: Datadog }\n  - { name: Grafana }\n",
      "rules.yaml": rules.replace("    Datadog:", "    DD:"),
    });
    expect(await replay(world)).toMatchObject({ changed: 0, rerouted: 0, undecided: 0 });
  });

  test("the same outcome from another rule is counted by itself, and a new name of a rule is no change", async () => {
    const world = await applied();
    const double =
      "    - { name: first, conditions: [{ field: service, operator: is_empty }], outcome: { action: drop } }\n";
    await world.write({
      "rules.yaml": rules.replace("name: rest", "name: other").replace("  sources:", `${double}  sources:`),
    });
    expect(await replay(world)).toMatchObject({ changed: 0, rerouted: 0 });
    const other = "- { name: bills, conditions: [{ field: service, operator: is_one_of, value: [billing] }]";
    const same = `    ${other}, outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } } }\n`;
    await world.write({ "rules.yaml": rules.replace("    - { name: rest", `${same}    - { name: rest`) });
    expect(await replay(world)).toMatchObject({ changed: 0, rerouted: 2 });
  });

  test("a rule that the plan edits is no other rule, with a name or without", async () => {
    const own = "    - { name: bills, conditions: [{ field: service, operator: is_one_of, value: [billing] }]";
    const outcome = "outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } }";
    const unnamed = (value: string) =>
      `    - { conditions: [{ field: title, operator: contains, value: ${value} }], ${outcome} }\n`;
    const withRules = (services: string, title: string) => ({
      "rules.yaml": rules.replace(
        "    - { name: rest",
        `${own.replace("[billing]", services)}, ${outcome} }\n${unnamed(title)}    - { name: rest`,
      ),
    });
    const world = await applied({
      ...withRules("[billing]", "disk"),
      [alerts]: '{ "service": "billing" }\n{ "service": "other", "title": "disk full" }\n',
    });
    await world.write(withRules("[billing, pay]", "isk"));
    expect(await replay(world)).toMatchObject({ changed: 0, rerouted: 0, changes: [] });
  });

  test("what depends on a value of the environment is undecided and counted, and no format shows the value", async () => {
    const secret = { "rules.yaml": rules.replace("value: [staging]", `value: ["\${env:PLACE}"]`) };
    const world = await applied(secret, { PLACE: "staging" });
    await world.write({ "rules.yaml": (secret["rules.yaml"] ?? "").replace("value: [billing]", "value: [payments]") });
    const result = await replay(world);
    expect(result).toMatchObject({ changed: 0, undecided: 2 });
    const [first] = result.outcomes.filter(({ outcome }) => outcome === "undecided");
    expect(first).toEqual({ outcome: "undecided", before: 2, after: 2 });
    const { stdout } = await world.run(runTests, { paths, alerts, verbose: true });
    expect(stdout).toContain("a value comes from the environment, and is not evaluated offline");
  });

  test.each([
    ["an outcome", "channel_id: C1", `channel_id: "\${env:PLACE}"`, "channel_id: C2", "C0SECRET99"],
    ["a condition", "value: [staging]", `value: ["\${env:PLACE}"]`, "value: [production]", "qa"],
  ])("%s that held a value of the environment until now does not tell it", async (_part, plain, taken, next, value) => {
    const other = rules.replace("value: [billing]", `value: ["\${env:OTHER}"]`);
    const reports = [value, "C0OTHER1"].map(async (PLACE) => {
      const world = await applied({ "rules.yaml": other.replace(plain, taken) }, { PLACE, OTHER: "x" });
      await world.write({ "rules.yaml": other.replace(plain, next) });
      const { exit, stdout, stderr } = await world.run(runTests, { paths, alerts, format: "json" });
      expect(exit, stderr).toBe(0);
      return stdout.replaceAll(/"file":.*/g, "");
    });
    const [one, two] = await Promise.all(reports);
    expect(one).toEqual(two);
  });

  test("the report is the same for every value of the environment, also for one that is a word of other outcomes", async () => {
    const dropping = rules.replace(
      "{ action: notify_only, notify: { type: channel, channel_id: C1 } }",
      "{ action: drop }",
    );
    const secret = { "rules.yaml": dropping.replace("value: [staging]", `value: ["\${env:PLACE}"]`) };
    const reports = ["drop", "x"].map(async (PLACE) => replay(await applied(secret, { PLACE })));
    const [one, other] = await Promise.all(reports);
    expect(one?.outcomes.map(({ outcome }) => outcome)).toContain("drop");
    expect(other).toEqual(one);
  });
});

describe("beside a plan", () => {
  test("the number of alerts that change is in every format, and the plan holds no alert", async () => {
    const world = await applied();
    await world.write({ "rules.yaml": edited });
    const shown = async (format: "text" | "json" | "markdown" | "html") => {
      const { exit, stdout, stderr } = await world.run(plan, { paths, alerts, format });
      expect(exit, stderr).toBe(0);
      return stdout;
    };
    const document = JSON.parse(await shown("json"));
    expect(document.recorded_alerts).toMatchObject({
      file: alerts,
      alerts: 4,
      changed: 1,
      changes: [{ effect: "changed", alerts: 1, before: { result: "rule", place: 2 }, after: { result: "no_rule" } }],
    });
    expect(Object.keys(document.recorded_alerts.changes[0])).toEqual(["effect", "before", "after", "alerts"]);
    expect(() => described(document)).not.toThrow();
    expect(await shown("text")).toContain("Recorded alerts of alerts.jsonl\n  4 alerts");
    for (const format of ["text", "markdown", "html"] as const) {
      const text = await shown(format);
      expect(text).toContain("1 gets another outcome");
      expect(text).toContain("no rule matches");
      expect(text).not.toContain("production");
    }
  });

  test("the fingerprint and the requests are those of the plan without them, and a saved plan is applied", async () => {
    const world = await applied();
    await world.write({ "rules.yaml": edited });
    const [without, beside] = await Promise.all(
      [{}, { alerts }].map(async (more) => {
        const { stdout } = await world.run(plan, { paths, format: "json", ...more });
        return JSON.parse(stdout);
      }),
    );
    expect(beside.seal.fingerprint).toBe(without.seal.fingerprint);
    expect(beside.operations).toEqual(without.operations);
    expect((await world.run(plan, { paths, alerts, out: "a.plan" })).exit).toBe(0);
    const ended = await world.run(apply, { paths, plan: "a.plan", yes: true });
    expect(ended.exit, ended.stderr).toBe(0);
  });
});

describe("without a service", () => {
  const offline = { offline: true };

  test("the files are compared with their base", async () => {
    const [old, world] = [await opened(), await opened({ "rules.yaml": edited })];
    const options = { paths, alerts, ...offline, base: old.folder };
    const { stdout, exit, stderr } = await world.run(runTests, options);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(`Before: the files of the base, "${old.folder}". After: the files. No service was read.`);
    expect(stdout).toContain(
      'no service was read, so these sources are taken to have no rules of their own: "Grafana" (1 alert',
    );
    expect(stdout).toContain("4 recorded alerts of alerts.jsonl: 1 gets another outcome.");
    expect(world.requests).toEqual([]);
  });

  test("without a base the outcomes of the files are counted", async () => {
    const result = await replay(await opened(), { ...offline, base: "none" });
    expect(result.before).toBeUndefined();
    expect(result.outcomes).toContainEqual({ outcome: "notify_only", after: 2 });
  });

  test("rules and catalog entries that are not known are undecided and never guessed", async () => {
    const tier = "[{ field: service.tier, operator: is_empty }]";
    const world = await opened({
      "rules.yaml": rules
        .replace(/ {2}workspace:\n.*\n/, "")
        .replace("[{ field: service, operator: is_one_of, value: [billing] }]", tier),
    });
    const { outcomes } = await replay(world, { ...offline, base: "none" });
    expect(outcomes).toEqual([
      { outcome: "drop", after: 1 },
      { outcome: "undecided", after: 3 },
    ]);
  });
});

describe("wrong input", () => {
  const ok = '{"title":"a"}';

  test.each<readonly [title: string, content: string | Uint8Array, message: string]>([
    ["a line that is not JSON", `${ok}\n{"title":`, "alerts.jsonl:2:1: error[E_ALERT]: the line is not JSON"],
    ["a list", `${ok}\n\n[1]`, "alerts.jsonl:3:1: error[E_ALERT]: the line is not a JSON object"],
    ["a text", '"a"', "alerts.jsonl:1:1: error[E_ALERT]: the line is not a JSON object"],
    [
      "an object in an object",
      '{"labels":{"a":"b"}}',
      'alerts.jsonl:1:1: error[E_TYPE]: "labels" is an object; routing compares text',
    ],
    ["deep nesting", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, '"a" is a list; routing compares text'],
    ["a source that is not a name", '{"source":1}', 'error[E_TYPE]: "source" must be the name of an alert source'],
    ["a number that loses digits", '{"id":12345678901234567890}', 'the number in "id" loses digits'],
    ["an empty file", "", 'error[E_ALERT]: "alerts.jsonl" has no alerts'],
    ["empty lines", "\n \r\n", 'error[E_ALERT]: "alerts.jsonl" has no alerts'],
    [
      "a huge line",
      `${ok}\n{"title":"${"x".repeat(3_000_000)}"}`,
      "alerts.jsonl:2:1: error[E_TOO_LARGE]: the line has more than 1,048,576 bytes",
    ],
    ["a compressed file", gzipSync(ok), "the file is compressed with gzip"],
    ["UTF-16", Buffer.from(`\ufeff${ok}`, "utf16le"), "the file is encoded as UTF-16"],
    [
      "bytes that are no text",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      "error[E_UTF8]: the line is not valid UTF-8",
    ],
  ])("%s is an error with its line", async (_title, content, message) => {
    const world = await opened();
    await writeFile(join(world.folder, alerts), content);
    const { exit, stdout, stderr } = await world.run(runTests, { paths, alerts, offline: true });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("a missing file and a directory are errors", async () => {
    const world = await opened();
    const run = async (file: string) => (await world.run(runTests, { paths, alerts: file, offline: true })).stderr;
    expect(await run("none.jsonl")).toContain(
      'the recorded alerts "none.jsonl" cannot be read: the file does not exist',
    );
    expect(await run(".")).toContain("it is a directory");
  });

  test("a byte order mark, CRLF and no last line feed are allowed", async () => {
    const world = await opened({ [alerts]: `\ufeff${ok}\r\n${ok}` });
    expect(await replay(world, { offline: true })).toMatchObject({ alerts: 2 });
  });

  test("a source that nothing names is lost on both sides, and named with its line", async () => {
    const world = await opened({ [alerts]: `${ok}\n{"source":"Datadgo\\u001b[31m"}` });
    const { exit, stdout } = await world.run(runTests, { paths, alerts, offline: true });
    expect(exit).toBe(0);
    expect(stdout).toContain('note: there is no alert source "Datadgo\\u001b[31m" (1 alert, the first at line 2)');
  });

  test.each([
    [{ live: true }, "--alerts and --live exclude each other"],
    [{ format: "junit" }, "recorded alerts have no junit report"],
    [{ compare: true, base: "HEAD" }, "--compare and --base exclude each other"],
  ])("%j is a usage error", async (options, message) => {
    const ended = await (await opened()).run(runTests, { paths, alerts, ...(options as object) });
    expect(ended.exit).toBe(64);
    expect(ended.stderr).toContain(message);
  });
});
