import { describe, expect, test } from "vitest";
import { CONFIGURATION } from "./configuration.ts";
import { withEditor } from "./editor.ts";

/** The labels that are proposed at the cursor of a text. */
async function proposed(text: string, file = "config/new.yaml"): Promise<readonly string[]> {
  let labels: readonly string[] = [];
  await withEditor(CONFIGURATION, async (editor) => {
    await editor.open(file, "");
    labels = (await editor.proposals(file, text)).map(({ label }) => label);
  });
  return labels;
}

describe("names of other files are proposed", () => {
  test.each([
    [
      "severities",
      "routing_rules:\n  sources:\n    Shop probes:\n      - outcome: { action: drop, severity: | }\n",
      ["critical", "major"],
    ],
    [
      "teams",
      "routing_rules:\n  workspace:\n    - outcome:\n        notify:\n          type: team\n          team: |\n",
      ["payments", "ledger"],
    ],
    ["fields", "forms:\n  declare:\n    - custom_field: |\n", ["region", "shops"]],
    [
      "labels of options",
      "forms:\n  declare:\n    - custom_field: shops\n      conditions:\n        - { condition_field: custom_field, custom_field: region, operator: one_of, values: [Euro|] }\n",
      ["Europe", "North America"],
    ],
    ["sources", "routing_rules:\n  sources:\n    |\n", ["Datadog", "Shop probes"]],
    ["types of entries", "catalog_entries:\n  te|: []\n", ["team"]],
  ])("%s", async (_, text, labels) => {
    expect(await proposed(text)).toEqual(expect.arrayContaining(labels));
  });
});

describe("words of the language are proposed", () => {
  test.each([
    ["kinds", "sev|", ["severities", "webhooks"]],
    ["fields of a resource", "severities:\n  - slug: a\n    na|\n", ["name", "color"]],
    ["fields of a first line", "severities:\n  - |\n", ["slug", "name"]],
    ["fields in brackets", "severities:\n  - { slug: a, | }\n", ["name", "color"]],
    [
      "fields of a mapping in a resource",
      "routing_rules:\n  workspace:\n    - outcome: { ac| }\n",
      ["action", "severity"],
    ],
    ["values of a field", "alert_sources:\n  - { name: a, provider: | }\n", ["datadog", "grafana"]],
    ["values in brackets that are still open", "alert_sources:\n  - { name: a, provider: |", ["datadog", "grafana"]],
    [
      "the same above other lines, in a quote",
      'alert_sources:\n  - { name: "it\'s [1]", provider: "gra|\n  - { name: b }\nseverities: []\n',
      ["grafana"],
    ],
    [
      "fields in two brackets that are still open",
      "routing_rules:\n  workspace:\n    - { conditions: [{ |\n    - outcome: { action: drop }\n",
      ["field", "operator"],
    ],
    ["true and false", "severities:\n  - { slug: a, default: | }\n", ["true", "false"]],
  ])("%s", async (_, text, labels) => {
    expect(await proposed(text)).toEqual(expect.arrayContaining(labels));
  });

  test("without those that are there", async () => {
    expect(await proposed("severities:\n  - slug: a\n    name: b\n    |\n")).not.toContain("name");
  });

  test("and nothing in a comment, in a substitution and in free text", async () => {
    expect(await proposed("severities: # |\n")).toEqual([]);
    expect(await proposed("severities:\n  - { slug: a, name: '${var:|}' }\n")).toEqual([]);
    expect(await proposed("severities:\n  - { slug: a, name: Out| }\n")).toEqual([]);
  });
});

test("a proposal replaces the word around the cursor, in its quotes", async () => {
  await withEditor(CONFIGURATION, async (editor) => {
    const file = "config/new.yaml";
    await editor.open(file, "");
    const rule = (severity: string) => `routing_rules:\n  workspace:\n    - outcome: { severity: ${severity} }\n`;
    for (const [typed, wanted] of [
      ["cri|t", "critical"],
      ['"|"', '"critical"'],
      ["|", "critical"],
    ] as const) {
      const [first] = (await editor.proposals(file, rule(typed))).filter(({ label }) => label === "critical");
      expect(first && editor.taken(file, first)).toBe(rule(wanted));
    }
    const [key] = (await editor.proposals(file, "severities:\n  - slug: a\n    na|\n")).filter(
      ({ label }) => label === "name",
    );
    expect(key && editor.taken(file, key)).toBe("severities:\n  - slug: a\n    name: \n");
  });
});
