import { describe, expect, test } from "vitest";
import { rankChanges } from "../../../src/preview/impact/declare-form.ts";
import {
  type DeclarationRules,
  type DeclareFormField,
  type FormChoice,
  type FormCondition,
  readConditions,
} from "../../../src/preview/impact/form.ts";
import type { PastIncident } from "../../../src/preview/impact/past-incident.ts";
import { effectOn, replay } from "../../../src/preview/impact/replay.ts";

const options: readonly FormChoice[] = [
  { key: "1", label: "EU" },
  { key: "2", label: "US" },
];

/** Rules of a workspace with the custom fields region (choices) and note (text); the form has region. */
function rules(
  form: readonly DeclareFormField[] = [field("region")],
  changed: Partial<DeclarationRules> = {},
): DeclarationRules {
  return {
    form,
    fields: new Map([
      ["region", { type: "single_select", choices: options }],
      ["note", { type: "text", choices: undefined }],
    ]),
    severities: new Set(["critical", "minor"]),
    types: new Set(["outage"]),
    ...changed,
  };
}

function field(slug: string, changed: Partial<DeclareFormField> = {}): DeclareFormField {
  return { slug, isCustom: true, isRequired: false, conditions: [], ...changed };
}

function withRegion(choices: readonly FormChoice[], type = "single_select"): DeclarationRules {
  return rules([field("region")], { fields: new Map([["region", { type, choices }]]) });
}

function incident(changed: Partial<PastIncident> = {}): PastIncident {
  return {
    source: "datadog",
    severity: "minor",
    type: null,
    systemAnswers: { name: true, severity: true, incident_type: false, summary: true },
    customAnswers: new Map(),
    ...changed,
  };
}

function withValue(...words: readonly string[]): PastIncident {
  return incident({ customAnswers: new Map([["region", words.map((word) => [word])]]) });
}

function condition(reads: string, operator: string, values: readonly string[], customField?: string): FormCondition {
  return { reads, operator, values, customField };
}

/** The effect in short: `required region` for a certain refusal, with a question mark for a possible one. */
function effectText(
  past: PastIncident,
  after: DeclarationRules,
  before: DeclarationRules = rules(),
): string | readonly string[] {
  const effect = effectOn(past, before, after);
  if (effect === "already") return "already";
  return effect.map(({ code, subject, isCertain }) => `${code} ${subject}${isCertain ? "" : "?"}`);
}

describe("the effect on one incident", () => {
  const needed = (conditions: DeclareFormField["conditions"]) =>
    rules([field("region", { isRequired: true, conditions })]);
  const asking = (slug: string, changed: Partial<DeclarationRules> = {}) =>
    rules([field("region"), field(slug, { isCustom: false, isRequired: true })], changed);

  test.each<[string, PastIncident, DeclarationRules, readonly string[]]>([
    ["nothing changes", incident(), rules(), []],
    ["a required field without a value", incident(), needed([]), ["required region"]],
    ["a required field with a value", withValue("EU"), needed([]), []],
    ["a condition that holds", incident(), needed([condition("severity", "one_of", ["minor"])]), ["required region"]],
    ["a condition that does not", incident(), needed([condition("severity", "one_of", ["critical"])]), []],
    ["the negation of one that holds", incident(), needed([condition("severity", "not_one_of", ["minor"])]), []],
    [
      "one condition of two that does not hold",
      incident({ severity: undefined }),
      needed([condition("severity", "one_of", ["minor"]), condition("incident_type", "one_of", ["outage"])]),
      [],
    ],
    [
      "an unknown severity",
      incident({ severity: undefined }),
      needed([condition("severity", "one_of", ["minor"])]),
      ["required region?"],
    ],
    ["conditions that the service does not return", incident(), needed(undefined), ["required region?"]],
    [
      "no type, and a condition that excludes types",
      incident(),
      needed([condition("incident_type", "not_one_of", ["outage"])]),
      ["required region?"],
    ],
    ["an unknown operator", incident(), needed([condition("severity", "above", ["minor"])]), ["required region?"]],
    [
      "a condition on a custom field that the service does not return",
      incident(),
      needed([condition("custom_field", "one_of", ["EU"])]),
      ["required region?"],
    ],
    ["a required type without a value", incident(), asking("incident_type"), ["required incident_type"]],
    [
      "a required type when no type is enabled",
      incident(),
      asking("incident_type", { types: new Set() }),
      ["required incident_type?"],
    ],
    ["a required summary with a value", incident(), asking("summary"), []],
    ["a required visibility that may not have been sent", incident(), asking("visibility"), ["required visibility?"]],
    ["a field that is removed from the form", withValue("EU"), rules([]), ["field region"]],
    ["a field without a value that is removed from the form", incident(), rules([]), []],
    ["a deleted field", withValue("EU"), rules([], { fields: new Map() }), ["field region?"]],
    ["a deleted option", withValue("EU"), withRegion(options.slice(1)), ["option region"]],
    [
      "a deleted option that the service may keep",
      withValue("EU"),
      withRegion([{ key: "1", label: "EU", isLeaving: true }]),
      ["option region?"],
    ],
    ["another deleted option", withValue("US"), withRegion(options.slice(1)), []],
    ["one of two options deleted", withValue("EU", "US"), withRegion(options.slice(1)), ["option region"]],
    ["a renamed option", withValue("EU"), withRegion([{ key: "1", label: "Europe" }]), ["option_renamed region?"]],
    ["a renamed option, sent by its id", withValue("1"), withRegion([{ key: "1", label: "Europe" }]), []],
    ["another field type", withValue("EU"), withRegion(options, "text"), ["field_type region?"]],
    ["a deleted severity", incident(), rules(undefined, { severities: new Set(["critical"]) }), ["severity minor"]],
    ["a deleted type", incident({ type: "outage" }), rules(undefined, { types: new Set() }), ["incident_type outage"]],
  ])("%s", (_what, past, after, expected) => {
    expect(effectText(past, after)).toEqual(expected);
  });

  test("conditions on a custom field match a choice by its label and its id", () => {
    const form = (value: string) => [
      field("region"),
      field("note", { isRequired: true, conditions: [condition("custom_field", "one_of", [value], "region")] }),
    ];
    const before = rules([field("region"), field("note")]);
    expect(effectText(withValue("EU"), rules(form("EU")), before)).toEqual(["required note"]);
    expect(effectText(withValue("EU"), rules(form("1")), before)).toEqual(["required note"]);
    expect(effectText(withValue("US"), rules(form("EU")), before)).toEqual([]);
    expect(effectText(incident(), rules(form("EU")), before)).toEqual([]);
  });

  test("an incident that would be refused today as well is not affected", () => {
    const strict = rules([field("region", { isRequired: true })]);
    const stricter = rules([field("region", { isRequired: true }), field("note", { isRequired: true })]);
    expect(effectText(incident(), stricter, strict)).toBe("already");
    expect(effectText(withValue("Mars"), rules([]))).toBe("already");
  });

  test("a refusal that is possible today is never certain afterwards", () => {
    const when = (conditions: DeclareFormField["conditions"]) =>
      rules([field("region", { isRequired: true, conditions })]);
    expect(effectText(incident(), when([]), when(undefined))).toEqual(["required region?"]);
    expect(effectText(incident(), when(undefined), when(undefined))).toEqual([]);
  });

  test("a value that today's form does not ask for may not be sent", () => {
    const after = rules([field("region", { isRequired: true })]);
    expect(effectText(withValue("EU"), after, rules([]))).toEqual(["required region?"]);
    expect(effectText(withValue("Mars"), rules([]), rules([]))).toEqual([]);
  });
});

test("an incident counts once in its source, and once under each of its reasons", () => {
  const after = rules([field("region", { isRequired: true })], { severities: new Set(["critical"]) });
  const all = [
    incident(),
    incident({ severity: "critical" }),
    incident({ source: "grafana", severity: "critical", customAnswers: new Map([["region", [["EU"]]]]) }),
    incident({ source: "pingdom" }),
  ];
  expect(replay(all, rules(), after)).toEqual({
    incidents: 4,
    refused: 3,
    possibly: 0,
    already: 0,
    sources: [
      {
        source: "datadog",
        incidents: 2,
        refused: 2,
        possibly: 0,
        already: 0,
        reasons: [
          { code: "required", subject: "region", refused: 2, possibly: 0 },
          { code: "severity", subject: "minor", refused: 1, possibly: 0 },
        ],
      },
      {
        source: "pingdom",
        incidents: 1,
        refused: 1,
        possibly: 0,
        already: 0,
        reasons: [
          { code: "severity", subject: "minor", refused: 1, possibly: 0 },
          { code: "required", subject: "region", refused: 1, possibly: 0 },
        ],
      },
      { source: "grafana", incidents: 1, refused: 0, possibly: 0, already: 0, reasons: [] },
    ],
  });
});

test("ranks have the number of incidents with the severity", () => {
  const ranks = [
    { severity: "critical", before: 2, after: 3 },
    { severity: "minor", before: 1, after: null },
  ];
  expect(rankChanges(ranks, [incident(), incident()]).map(({ incidents }) => incidents)).toEqual([0, 2]);
});

test("conditions that are not a list are unknown", () => {
  expect(readConditions(3)).toBeUndefined();
  expect(readConditions([{ condition_field: "severity", operator: "one_of", values: ["minor"] }])).toEqual([
    { reads: "severity", customField: undefined, operator: "one_of", values: ["minor"] },
  ]);
});
