import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/plan/analyze/analyzer.ts";
import { rules } from "../../../src/plan/analyze/index.ts";
import { sarif } from "../../../src/view/findings/sarif.ts";

const text = { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } };
const whole = { type: "integer", minimum: 1 };
const level = { enum: ["none", "note", "warning", "error"] };
const location = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 0 },
    message: text,
    logicalLocations: {
      type: "array",
      items: { type: "object", properties: { fullyQualifiedName: { type: "string" } } },
    },
    physicalLocation: {
      type: "object",
      required: ["artifactLocation"],
      properties: {
        artifactLocation: {
          type: "object",
          properties: { uri: { type: "string", pattern: "^[^/\\s\\\\][^\\s\\\\]*$" }, uriBaseId: { type: "string" } },
          additionalProperties: false,
        },
        region: {
          type: "object",
          properties: { startLine: whole, startColumn: whole, endColumn: whole },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
const rule = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    shortDescription: text,
    fullDescription: text,
    help: { ...text, properties: { ...text.properties, markdown: { type: "string" } }, additionalProperties: false },
    defaultConfiguration: { type: "object", properties: { level }, additionalProperties: false },
  },
  additionalProperties: false,
};
const result = {
  type: "object",
  required: ["message"],
  properties: {
    ruleId: { type: "string" },
    ruleIndex: { type: "integer", minimum: -1 },
    level,
    message: text,
    locations: { type: "array", items: location },
    relatedLocations: { type: "array", uniqueItems: true, items: location },
    suppressions: {
      type: "array",
      uniqueItems: true,
      items: {
        type: "object",
        required: ["kind"],
        properties: {
          kind: { enum: ["inSource", "external"] },
          status: { enum: ["accepted", "underReview", "rejected"] },
          justification: { type: "string" },
          location,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** What the schema of SARIF 2.1.0 demands of the parts that we write. */
const SCHEMA = {
  type: "object",
  required: ["version", "runs"],
  properties: {
    $schema: { type: "string", pattern: "sarif-schema-2\\.1\\.0\\.json$" },
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      items: {
        type: "object",
        required: ["tool"],
        properties: {
          tool: {
            type: "object",
            required: ["driver"],
            properties: {
              driver: {
                type: "object",
                required: ["name"],
                properties: {
                  name: { type: "string" },
                  semanticVersion: { type: "string" },
                  rules: { type: "array", uniqueItems: true, items: rule },
                },
                additionalProperties: false,
              },
            },
            additionalProperties: false,
          },
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          originalUriBaseIds: { type: "object", additionalProperties: { type: "object" } },
          results: { type: "array", items: result },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const at = { file: "config/über rules.yaml", line: 3, column: 5, length: 4 };
const FINDINGS: readonly Finding[] = [
  {
    severity: "warning",
    code: "A004",
    message: "an alert is dropped",
    help: "End the list.",
    at,
    address: "routing_rules/S",
  },
  {
    severity: "error",
    code: "E_REF",
    message: "there is no severity",
    related: [{ message: "listed here", at: { file: "a.yaml", line: 1, column: 1 } }],
  },
  {
    severity: "note",
    code: "A013",
    message: "one color",
    at: { file: "a.yaml", line: 9, column: 1 },
    waived: { until: "2026-12-31", reason: "it is meant", at: { file: "a.yaml", line: 8, column: 3, length: 20 } },
  },
];

test("the report is valid SARIF 2.1.0", () => {
  const check = new Ajv2020({ allErrors: true, strict: false }).compile(SCHEMA);
  for (const findings of [FINDINGS, []]) {
    check(JSON.parse(sarif(findings, rules, { name: "incidentctl", version: "1.2.3" })));
    expect(check.errors ?? []).toEqual([]);
  }
});

test("results have their rule and their place below the root, and waived ones are suppressed", () => {
  const [run] = JSON.parse(sarif(FINDINGS, rules, { name: "incidentctl", version: "1.2.3" })).runs;
  const [dropped, unknown, colored] = run.results;
  for (const one of run.results) expect(run.tool.driver.rules[one.ruleIndex].id).toBe(one.ruleId);
  expect(run.tool.driver.rules.map(({ id }: { readonly id: string }) => id)).toEqual([
    ...rules.map(({ id }) => id),
    "E_REF",
  ]);
  expect(dropped).toMatchObject({
    level: "warning",
    message: { text: "An alert is dropped. End the list." },
    suppressions: [],
  });
  expect(dropped.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "config/%C3%BCber%20rules.yaml", uriBaseId: "ROOT" },
    region: { startLine: 3, startColumn: 5, endColumn: 9 },
  });
  expect(unknown.locations).toEqual([]);
  expect(unknown.relatedLocations).toHaveLength(1);
  expect(colored.suppressions).toMatchObject([
    { kind: "inSource", status: "accepted", justification: "it is meant (until 2026-12-31)" },
  ]);
});
