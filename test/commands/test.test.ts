import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { test as runTests } from "../../src/app/plan/test-command.ts";
import type { TestOptions } from "../../src/app/plan/test-definition.ts";
import type { Json } from "../../src/core/json.ts";
import { type Command, type Ended, openTestWorld, type World } from "./world.ts";

const rules = `routing_rules:
  workspace:
    - { name: everything else, outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } } }
  sources:
    Datadog:
      - name: staging
        conditions: [{ field: environment, operator: is_one_of, value: [staging] }]
        outcome: { action: drop }
      - name: billing pages
        conditions:
          - { field: service, operator: is_one_of, value: [billing] }
          - { field: title, operator: contains, value: refused }
        outcome: { action: auto_create_incident, severity: critical }
`;
const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n",
  "severities.yaml":
    "severities:\n  - { slug: critical, name: Critical }\n  - { slug: major, name: Major }\n  - { slug: minor, name: Minor, default: true }\n",
  "sources.yaml": "alert_sources:\n  - { name: Datadog, provider: datadog }\n  - { name: Grafana }\n",
  "rules.yaml": rules,
  "routing.test.yaml": `routing_tests:
  - name: billing opens an incident
    source: Datadog
    fields: { service: billing, title: card refused }
    expect: { rule: billing pages, action: auto_create_incident, severity: critical }
  - name: staging pages nobody
    source: Datadog
    fields: { service: billing, title: card refused, environment: staging }
    expect: { action: drop }
    forbid: [{ action: auto_create_incident }]
  - name: Grafana has no rules of its own
    source: Grafana
    fields: { title: disk }
    expect: { rule: everything else }
  - name: nobody decides
    source: Datadog
    fields: { title: disk }
    expect: { matched: false }
`,
};
const paths: readonly string[] = [];

async function opened(
  changed: Readonly<Record<string, string>> = {},
  options: Parameters<typeof openTestWorld>[1] = {},
): Promise<World> {
  const world = await openTestWorld({ ...files, ...changed }, options);
  return world;
}

/** A world in which the files are applied. */
async function applied(
  changed: Readonly<Record<string, string>> = {},
  options: Parameters<typeof openTestWorld>[1] = {},
): Promise<World> {
  const world = await opened(changed, options);
  const { exit, stderr } = await world.run(apply, { paths, yes: true, allowDelete: true });
  expect(exit, stderr).toBe(0);
  world.requests.splice(0);
  return world;
}

/** The command without a token in the environment, as on a machine that knows no service. */
const offline: Command<TestOptions> = (options, io, console) => {
  delete io.env.INCIDENTCTL_TOKEN;
  return runTests(options, io, console);
};

/** The command on a network that changes what the dry run answers. */
function onNetwork(change: (body: Json) => Json): Command<TestOptions> {
  return (options, io, console) => {
    const fetch: typeof io.fetch = async (input, init) => {
      const answer = await io.fetch(input, init);
      if (!input.endsWith("/routing/evaluate") || !answer.ok) return answer;
      return Response.json(change((await answer.json()) as Json), { status: answer.status });
    };
    return runTests(options, { ...io, fetch }, console);
  };
}

const RULE_OF_BILLING = 'rule "billing pages" of Datadog, auto_create_incident, severity critical';

function marks({ stdout }: Ended): string {
  return stdout
    .split("\n")
    .flatMap((line) => /^[✓✗?](?= )/.exec(line)?.[0] ?? [])
    .join("");
}

describe("offline", () => {
  test("the declared rules are evaluated offline, and the report says that it is uncalibrated", async () => {
    const world = await opened();
    const ended = await world.run(offline, { paths });
    expect(ended).toMatchObject({ exit: 0, stderr: "" });
    expect(marks(ended)).toBe("✓✓✓✓");
    expect(ended.stdout).toContain("Uncalibrated: no service is given");
    expect(ended.stdout.trimEnd().split("\n").at(-1)).toBe("4 routing tests: 4 passed, 0 failed.");
    expect(world.requests).toEqual([]);
  });

  test("a failed test is shown with the actual result and the reason, and exits with 7", async () => {
    const world = await opened({ "rules.yaml": rules.replace("value: [staging]", "value: [development]") });
    const ended = await world.run(offline, { paths });
    expect(ended.exit, ended.stderr).toBe(7);
    expect(marks(ended)).toBe("✓✗✓✓");
    for (const line of [
      '    because   action is "auto_create_incident", not "drop"',
      '    because   action "auto_create_incident" is forbidden',
      `    actual    ${RULE_OF_BILLING}`,
      '        ✗ environment is_one_of ["development"] ("staging")',
      '        ✓ title contains "refused" ("card refused")',
    ]) {
      expect(ended.stdout).toContain(`${line}\n`);
    }
  });

  test("a Ruby expression without an equivalent is undecided", async () => {
    const ruby = rules.replace("operator: contains, value: refused", 'operator: matches_regex, value: "(?>re)fused"');
    const ended = await (await opened({ "rules.yaml": ruby })).run(offline, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "?✓✓✓" });
    expect(ended.stdout).toContain("because   JavaScript has no equivalent of this Ruby regular expression");
  });

  test("rules that the configuration does not have are undecided", async () => {
    const world = await opened({
      "rules.yaml": "routing_rules:\n  sources:\n    Datadog: []\n",
      "routing.test.yaml": "routing_tests:\n  - { name: a, fields: {}, expect: { matched: false } }\n",
    });
    const ended = await world.run(offline, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "?" });
  });

  test.each([
    [
      "a rule",
      `      - name: billing pages\n        conditions: [{ field: title, operator: matches_regex, value: "\${env:PIN}" }]`,
    ],
    [
      "a catalog entry",
      `      - name: billing pages\n        conditions: [{ field: service.pin, operator: starts_with, value: "4" }]`,
    ],
  ])("a value from the environment in %s is not evaluated, since the result would tell it", async (_where, rule) => {
    const world = await opened({
      "rules.yaml": `routing_rules:\n  sources:\n    Datadog:\n${rule}\n        outcome: { action: drop }\n`,
      "catalog.yaml": `catalog_types:
  - slug: service
    name: Service
    attributes: [{ name: Pin, attribute_type: text }]
    entries: [{ slug: billing, name: billing, attributes: { pin: "\${env:PIN}" } }]
`,
      "routing.test.yaml": `routing_tests:
  - { name: guess, source: Datadog, fields: { title: "4711", service: billing }, expect: { rule: billing pages } }
`,
    });
    world.io.env.PIN = "4711";
    const ended = await world.run(offline, { paths });
    expect(ended.exit, ended.stderr).toBe(7);
    expect(marks(ended)).toBe("?");
    expect(ended.stdout).toContain("a value comes from the environment, and is not evaluated offline");
  });

  test("a service that cannot be reached leaves it uncalibrated", async () => {
    const unplugged: Command<TestOptions> = (options, io, console) =>
      runTests(
        options,
        {
          ...io,
          fetch: () => Promise.reject(Object.assign(new Error("no"), { code: "ENETUNREACH", syscall: "connect" })),
        },
        console,
      );
    const ended = await (await opened()).run(unplugged, { paths, rate: 100_000 });
    expect(ended.exit).toBe(0);
    expect(ended.stdout).toContain("Uncalibrated: cannot connect to");
  });
});

describe("calibrated", () => {
  test("an operator on which the service agrees is trusted, and only reads and dry runs are sent", async () => {
    const world = await applied();
    const ended = await world.run(runTests, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 0, marks: "✓✓✓✓" });
    expect(ended.stdout).toContain(
      "Calibrated: on these samples the service agrees with the offline evaluation for contains, is_one_of.",
    );
    const writes = world.requests.filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(
      Array(4).fill("POST /api/v1/routing/evaluate"),
    );
  });

  test("a test that needs an operator on which the service disagrees is untrusted, and the others are not", async () => {
    const lies = onNetwork((body) =>
      JSON.parse(JSON.stringify(body), (_name, value) =>
        value?.operator === "contains" ? { ...value, matched: !value.matched } : value,
      ),
    );
    const ended = await (await applied()).run(lies, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "?✓✓✓" });
    expect(ended.stdout).toContain("because   the service evaluates contains differently, on field title\n");
    expect(ended.stdout).toContain("for is_one_of. It differs for contains.");
    expect(ended.stdout).toContain("4 routing tests: 3 passed, 0 failed, 1 untrusted.");
  });

  test("an operator that the live rules never use is untrusted", async () => {
    const world = await applied();
    await world.write({
      "rules.yaml": rules
        .replace("operator: contains", "operator: starts_with")
        .replace("value: refused", "value: card"),
    });
    const ended = await world.run(runTests, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "?✓✓✓" });
    expect(ended.stdout).toContain("because   the live rules never use starts_with on these samples");
  });

  test("a source that does not fall back in the service is untrusted", async () => {
    const world = await applied({}, { dialects: { fallback: "sticky" } });
    await world.send("POST", "/api/v1/routing_rules?source=Grafana", { outcome: { action: "drop" } });
    await world.send("DELETE", "/api/v1/routing_rules/1?source=Grafana");
    const ended = await world.run(runTests, { paths });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "✓✓?✓" });
    expect(ended.stdout).toContain('the service does not let "Grafana" fall back');
  });

  test("a source and a severity that neither the configuration nor the service has are errors", async () => {
    const world = await applied();
    const text = "routing_tests:\n  - { name: a, source: Nagios, fields: {}, expect: { severity: low } }\n";
    await world.write({ "severities.yaml": "", "sources.yaml": "", "routing.test.yaml": text });
    await world.write({ "rules.yaml": "routing_rules:\n  workspace: []\n" });
    for (const name of ["severities.yaml", "sources.yaml"]) await world.write({ [name]: "incident_types: []\n" });
    const { exit, stderr } = await world.run(runTests, { paths });
    expect(exit).toBe(1);
    expect(stderr).toContain('routing.test.yaml:2:24: error[E_REF]: there is no alert source "Nagios"');
    expect(stderr).toContain('there is no severity "low"');
  });
});

describe("live", () => {
  test("the service evaluates its own rules, which have their names in the configuration", async () => {
    const world = await applied();
    const ended = await world.run(runTests, { paths, live: true });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 0, marks: "✓✓✓✓" });
    await world.send("PATCH", "/api/v1/routing_rules/2?source=Datadog", { enabled: false });
    const changed = await world.run(runTests, { paths, live: true });
    expect({ exit: changed.exit, marks: marks(changed) }).toEqual({ exit: 7, marks: "✗✓✓✓" });
    expect(changed.stdout).toContain("    actual    no rule matches\n");
    expect(changed.stdout).toContain("rule 2 is disabled");
  });

  test("before the first apply there are no rules, and sources are missing", async () => {
    const world = await opened();
    const ended = await world.run(runTests, { paths, live: true });
    expect({ exit: ended.exit, marks: marks(ended) }).toEqual({ exit: 7, marks: "✗✗✗✗" });
    expect(ended.stdout).toContain('the workspace has no alert source "Datadog"');
  });

  test("warnings of the service about roles are shown", async () => {
    const warns = onNetwork((body) => ({ ...(body as object), role_warnings: ["no attribute has the role manager"] }));
    const { stdout, exit } = await (await applied()).run(warns, { paths, live: true });
    expect(exit).toBe(0);
    expect(stdout.match(/warning: no attribute has the role manager/g)).toHaveLength(1);
  });

  test("a response without a match is an error", async () => {
    const { exit, stderr } = await (await applied()).run(
      onNetwork(() => ({ ok: true })),
      { paths, live: true },
    );
    expect(exit).toBe(1);
    expect(stderr).toContain("POST /api/v1/routing/evaluate");
  });
});

describe("compared", () => {
  test("samples that change destination are shown with both, and only a failed test is an error", async () => {
    const world = await applied();
    const same = await world.run(runTests, { paths, compare: true });
    expect(same.exit).toBe(0);
    expect(same.stdout).toContain("4 passed, 0 failed. 0 of 4 samples change destination.");
    await world.write({
      "rules.yaml": rules.replace("severity: critical", "severity: major"),
      "routing.test.yaml": files["routing.test.yaml"].replace(", severity: critical", ""),
    });
    const moved = await world.run(runTests, { paths, compare: true });
    expect(moved.exit).toBe(0);
    expect(moved.stdout).toContain(
      `    moves  ${RULE_OF_BILLING}\n        →  ${RULE_OF_BILLING.replace("critical", "major")}\n`,
    );
    expect(moved.stdout).toContain("1 of 4 samples changes destination.");
    await world.write({ "routing.test.yaml": files["routing.test.yaml"] });
    expect((await world.run(runTests, { paths, compare: true })).exit).toBe(7);
  });

  test("a source that the service does not have yet has no live destination", async () => {
    const world = await applied();
    await world.write({
      "sources.yaml": `${files["sources.yaml"]}  - { name: Probes }\n`,
      "routing.test.yaml":
        "routing_tests:\n  - { name: probe, source: Probes, fields: {}, expect: { rule: everything else } }\n",
    });
    const { exit, stdout } = await world.run(runTests, { paths, compare: true });
    expect(exit).toBe(0);
    expect(stdout).toContain('    new  rule "everything else" of the workspace, notify_only\n');
    expect(stdout).toContain("0 of 1 sample change destination.");
  });
});

describe("reports", () => {
  test("JSON on stdout and JUnit in a file have the same results", async () => {
    const world = await opened({ "rules.yaml": rules.replace("[staging]", "[development]") });
    const report = [{ format: "junit", path: "junit.xml" }] as const;
    const { exit, stdout } = await world.run(offline, { paths, format: "json", report });
    expect(exit).toBe(7);
    const run = JSON.parse(stdout);
    expect(run).toMatchObject({
      format_version: 1,
      mode: "offline",
      summary: { tests: 4, passed: 3, failed: 1, untrusted: 0 },
      trust: { calibrated: false },
    });
    expect(run.tests[1]).toMatchObject({
      status: "failed",
      at: { file: "routing.test.yaml", line: 6, column: 5 },
      actual: { matched: true, scope: "Datadog", place: 2, rule: "billing pages" },
    });
    const xml = await readFile(join(world.folder, "junit.xml"), "utf8");
    expect(xml).toContain('<testsuites name="routing tests (offline)" tests="4" failures="1" errors="0" skipped="0">');
    expect(xml).toContain(
      '<testcase name="staging pages nobody" classname="Datadog" file="routing.test.yaml" line="6">\n<failure ',
    );
  });

  test("no name of a test breaks the XML", async () => {
    const world = await opened({
      "routing.test.yaml":
        'routing_tests:\n  - { name: "<&> ]]>", fields: { title: disk }, expect: { matched: false } }\n',
    });
    const { exit, stdout } = await world.run(offline, { paths, format: "junit" });
    expect(exit).toBe(7);
    expect(stdout).toContain('name="&lt;&amp;&gt; ]]&gt;"');
    expect(stdout).toContain("matched is true, not false");
  });
});

describe("paths", () => {
  test("a test file runs with the configuration beside or above it", async () => {
    const world = await opened({
      "tests/more.test.yaml": "routing_tests:\n  - { name: a, fields: {}, expect: { rule: everything else } }\n",
    });
    const one = await world.run(offline, { paths: ["tests/more.test.yaml"] });
    expect(one).toMatchObject({ exit: 0, stderr: "" });
    expect(one.stdout).toContain("1 routing test: 1 passed");
    const all = await world.run(offline, { paths });
    expect(all.stdout).toContain("5 routing tests: 5 passed");
    const named = await world.run(offline, {
      paths: ["rules.yaml", "severities.yaml", "sources.yaml", "tests/more.test.yaml"],
    });
    expect(named.stdout).toContain("1 routing test: 1 passed");
  });

  test("a configuration without tests passes and says so, since a hook runs before the first one is written", async () => {
    const world = await openTestWorld({
      "incidentctl.yaml": files["incidentctl.yaml"],
      "severities.yaml": files["severities.yaml"],
    });
    const ended = await world.run(offline, { paths: [] });
    expect(ended).toMatchObject({ exit: 0, stdout: expect.stringContaining("0 routing tests: 0 passed") });
    expect(ended.stderr).toContain("there is no routing test (*.test.yaml)");
    // The first one that it shows is one.
    await world.write({ "routing.test.yaml": `${ended.stderr.split("\n")[1]?.trim()}\n` });
    expect((await world.run(offline, { paths: [] })).stdout).toContain("1 routing test");
  });

  test("no tests in a named path, or several modes at once, are an error", async () => {
    const world = await opened();
    expect((await world.run(runTests, { paths, live: true, compare: true })).exit).toBe(64);
    expect((await world.run(offline, { paths, live: true })).exit).toBe(6);
    await world.write({ "types/types.yaml": "incident_types: []\n" });
    const none = await world.run(offline, { paths: ["types"] });
    expect(none.exit).toBe(1);
    expect(none.stderr).toContain("there is no routing test (*.test.yaml)");
    expect((await world.run(validate, { paths })).exit).toBe(0);
  });
});
