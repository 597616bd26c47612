import { describe, expect, it } from "vitest";
import { loadRoutingTests, type RoutingTest } from "../../../src/config/resources/routing-tests.ts";
import { checkDeclaredReferences, checkLiveReferences } from "../../../src/config/rules/routing-tests.ts";
import { type Diagnostic, InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { Findings } from "../../../src/core/findings.ts";
import { brief, type Files, inDirectory, loadDirectory } from "../loading.ts";

const configuration = `severities:
  - { slug: critical, name: Critical }
alert_sources:
  - { name: Datadog }
  - { name: Grafana }
routing_rules:
  workspace:
    - { name: everything else, outcome: { action: drop } }
  sources:
    Datadog:
      - name: billing pages
        conditions: [{ field: service, operator: is_one_of, value: [billing] }]
        outcome: { action: auto_create_incident, severity: critical }
`;

function loaded(files: Files): Promise<readonly RoutingTest[]> {
  return inDirectory({ "a.yaml": configuration, ...files }, async (directory) => {
    const loadedConfiguration = await loadDirectory(directory, { env: { PIN: "471147" } });
    return loadRoutingTests([directory], loadedConfiguration, {
      cwd: directory,
      check: (tests, findings) => checkDeclaredReferences(tests, loadedConfiguration, findings),
    });
  });
}

async function wrong(files: Files | string): Promise<readonly Diagnostic[]> {
  const all = typeof files === "string" ? { "a.test.yaml": files } : files;
  try {
    await loaded(all);
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.diagnostics;
    throw error;
  }
  return [];
}

const one = (rest: string) => `routing_tests:\n  - ${rest}\n`;

it("reads the tests of every file below the directory, in path order, with their fields", async () => {
  const tests = await loaded({
    "b.test.yaml": one("{ name: second, fields: {}, expect: { matched: false } }"),
    "a/b.test.yml": one(
      "{ name: first, source: Datadog, fields: { service: billing }, expect: { rule: billing pages }, forbid: [{ action: drop }] }",
    ),
  });
  expect(tests.map(({ name, at }) => [name, at.file])).toEqual([
    ["first", "a/b.test.yml"],
    ["second", "b.test.yaml"],
  ]);
  const [first, second] = tests;
  expect(first).toMatchObject({
    source: "Datadog",
    fields: { service: "billing" },
    expect: { rule: "billing pages" },
    forbid: [{ action: "drop" }],
  });
  expect(second).not.toHaveProperty("source");
});

it("takes numbers and truth values for the texts that they are written as, and only those", async () => {
  const [test] = await loaded({
    "a.test.yaml": one(
      '{ name: a, fields: { count: 5, up: false, share: 0.5, quoted: "1.0" }, expect: { matched: true } }',
    ),
  });
  expect(test?.fields).toEqual({ count: "5", up: "false", share: "0.5", quoted: "1.0" });
  const [found] = await wrong(one("{ name: a, fields: { version: 1.0 }, expect: { matched: true } }"));
  expect(found).toMatchObject({ code: "E_TYPE", help: 'Quote it: "1.0".' });
});

it("puts in variables of the settings", async () => {
  const files = {
    "incidentctl.yaml": "version: 1\nvars: { service: billing }\n",
    "a.test.yaml": one(`{ name: a, fields: { service: "\${var:service}" }, expect: { matched: true } }`),
  };
  expect((await loaded(files))[0]?.fields).toEqual({ service: "billing" });
});

it.each([`\${env:PIN}`, `x \${env:PIN} y`, `\${env:NOT_SET}`, `\${var:pin}`])(
  "refuses %s, since the result of a test would tell the value",
  async (text) => {
    const found = await wrong({
      "incidentctl.yaml": `version: 1\nvars: { pin: "\${env:PIN}" }\n`,
      "a.test.yaml": one(`{ name: a, fields: { service: "${text}" }, expect: { matched: true } }`),
    });
    expect(found).toMatchObject([{ code: "E_ENV", message: "a value from the environment cannot be used here" }]);
    expect(JSON.stringify(found)).not.toContain("471147");
  },
);

describe("reports all errors at once, with their positions", () => {
  it.each<readonly [what: string, text: string, code: string, help: string | undefined]>([
    [
      "an unknown key",
      "{ name: a, fields: {}, expects: { matched: true } }",
      "E_UNKNOWN_KEY",
      'Did you mean "expect"?',
    ],
    ["no name", "{ fields: {}, expect: { matched: true } }", "E_REQUIRED", undefined],
    ["no fields", "{ name: a, expect: { matched: true } }", "E_REQUIRED", undefined],
    ["nothing expected", "{ name: a, fields: {} }", "E_REQUIRED", undefined],
    ["an empty expectation", "{ name: a, fields: {}, expect: {} }", "E_REQUIRED", expect.stringContaining("rule")],
    ["an empty list of what is forbidden", "{ name: a, fields: {}, forbid: [] }", "E_EMPTY_LIST", undefined],
    ["a contradiction", "{ name: a, fields: {}, expect: { matched: false, action: drop } }", "E_XOR", undefined],
    ["a null", "{ name: a, fields: { service: null }, expect: { matched: true } }", "E_NULL", expect.anything()],
    ["a list", "{ name: a, fields: { service: [a] }, expect: { matched: true } }", "E_TYPE", undefined],
    [
      "an unknown action",
      "{ name: a, fields: {}, expect: { action: dorp } }",
      "E_ENUM",
      'Did you mean "drop"? Allowed: auto_create_incident, attach_to_incident, notify_only and drop.',
    ],
    [
      "an unknown severity",
      "{ name: a, fields: {}, expect: { severity: critica } }",
      "E_REF",
      'Did you mean "critical"?',
    ],
    [
      "an unknown source",
      "{ name: a, source: Datdog, fields: {}, expect: { matched: true } }",
      "E_REF",
      'Did you mean "Datadog"?',
    ],
    [
      "an unknown rule",
      "{ name: a, source: Datadog, fields: {}, expect: { rule: billing page } }",
      "E_REF",
      'Did you mean "billing pages"?',
    ],
    [
      "a rule of another scope",
      "{ name: a, fields: {}, forbid: [{ rule: billing pages }] }",
      "E_REF",
      expect.stringContaining("everything else"),
    ],
  ])("%s", async (_what, text, code, help) => {
    const [found, ...others] = await wrong(one(text));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code, at: { file: "a.test.yaml", line: 2 } });
    expect(found?.help).toEqual(help);
  });

  it("two tests of one name", async () => {
    const [found] = await wrong({
      "a.test.yaml": one("{ name: a, fields: {}, expect: { matched: true } }"),
      "b.test.yaml": one("{ name: a, fields: {}, expect: { matched: true } }"),
    });
    expect(found).toMatchObject({
      code: "E_DUP_OBJECT",
      at: { file: "b.test.yaml" },
      related: [{ at: { file: "a.test.yaml" } }],
    });
  });

  it("no test at all, and a file that declares something", async () => {
    expect((await wrong({})).map(brief)).toEqual(["E_EMPTY"]);
    expect((await wrong("severities: []\n")).map(({ code }) => code)).toEqual(["E_REQUIRED", "E_UNKNOWN_KEY"]);
  });

  it("errors of several files", async () => {
    const found = await wrong({
      "a.test.yaml": one("{ name: a, fields: {}, expect: { rule: x } }"),
      "b.test.yaml": "routing_tests:\n  - { name: b }\n  - { name: c, fields: {}, expect: { matchd: true } }\n",
    });
    expect(found.map(({ at }) => `${at?.file}:${at?.line}`)).toEqual([
      "a.test.yaml:2",
      "b.test.yaml:2",
      "b.test.yaml:3",
    ]);
  });
});

it("checks references to unmanaged resources against the live ones", async () => {
  const files = {
    "a.yaml": "routing_rules: { workspace: [{ name: all, outcome: { action: drop } }] }\n",
    "a.test.yaml": one("{ name: a, source: Nagios, fields: {}, expect: { severity: minor } }"),
  };
  await inDirectory(files, async (directory) => {
    const declared = await loadDirectory(directory);
    const tests = loadRoutingTests([directory], declared, { cwd: directory, check: () => {} });
    const findings = new Findings();
    checkLiveReferences(tests, declared, (kind) => (kind === "severities" ? ["minor"] : ["Datadog"]), findings);
    expect(findings.list("error").map(({ message }) => message)).toEqual(['there is no alert source "Nagios"']);
  });
});
