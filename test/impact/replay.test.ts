import { describe, expect, test } from "vitest";
import { type Choice, type Condition, conditionsIn, type FormField, type Moment } from "../../src/impact/form.ts";
import type { PastIncident } from "../../src/impact/incident.ts";
import { rankChanges } from "../../src/impact/ranks.ts";
import { effectOn, replay } from "../../src/impact/replay.ts";

const options: readonly Choice[] = [
  { key: "1", label: "EU" },
  { key: "2", label: "US" },
];

/** A workspace with the custom fields region (choices) and note (text), the former on the form unless said otherwise. */
function moment(form: readonly FormField[] = [field("region")], changed: Partial<Moment> = {}): Moment {
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

function field(slug: string, changed: Partial<FormField> = {}): FormField {
  return { slug, custom: true, required: false, conditions: [], ...changed };
}

function withRegion(choices: readonly Choice[], type = "single_select"): Moment {
  return moment([field("region")], { fields: new Map([["region", { type, choices }]]) });
}

function incident(changed: Partial<PastIncident> = {}): PastIncident {
  return {
    source: "datadog",
    severity: "minor",
    type: null,
    system: { name: true, severity: true, incident_type: false, summary: true },
    custom: new Map(),
    ...changed,
  };
}

function holding(...words: readonly string[]): PastIncident {
  return incident({ custom: new Map([["region", words.map((word) => [word])]]) });
}

function condition(reads: string, operator: string, values: readonly string[], customField?: string): Condition {
  return { reads, operator, values, customField };
}

/** The effect in short: `required region` for a certain refusal, the same with a question mark for a possible one. */
function told(past: PastIncident, after: Moment, before: Moment = moment()): string | readonly string[] {
  const effect = effectOn(past, before, after);
  if (effect === "already") return "already";
  return effect.map(({ code, subject, certain }) => `${code} ${subject}${certain ? "" : "?"}`);
}

describe("what the plan changes for one incident", () => {
  const needed = (conditions: FormField["conditions"]) => moment([field("region", { required: true, conditions })]);
  const asking = (slug: string, changed: Partial<Moment> = {}) =>
    moment([field("region"), field(slug, { custom: false, required: true })], changed);

  test.each<[string, PastIncident, Moment, readonly string[]]>([
    ["nothing changes", incident(), moment(), []],
    ["a required field without an answer", incident(), needed([]), ["required region"]],
    ["a required field with an answer", holding("EU"), needed([]), []],
    ["a condition that holds", incident(), needed([condition("severity", "one_of", ["minor"])]), ["required region"]],
    ["a condition that does not", incident(), needed([condition("severity", "one_of", ["critical"])]), []],
    ["the negation of one", incident(), needed([condition("severity", "not_one_of", ["minor"])]), []],
    [
      "one condition of two that does not hold",
      incident({ severity: undefined }),
      needed([condition("severity", "one_of", ["minor"]), condition("incident_type", "one_of", ["outage"])]),
      [],
    ],
    [
      "a severity that is not known",
      incident({ severity: undefined }),
      needed([condition("severity", "one_of", ["minor"])]),
      ["required region?"],
    ],
    ["conditions that are not told", incident(), needed(undefined), ["required region?"]],
    [
      "no type, where it must not be one of some",
      incident(),
      needed([condition("incident_type", "not_one_of", ["outage"])]),
      ["required region?"],
    ],
    [
      "an operator that nobody knows",
      incident(),
      needed([condition("severity", "above", ["minor"])]),
      ["required region?"],
    ],
    [
      "a condition on a custom field that is not told",
      incident(),
      needed([condition("custom_field", "one_of", ["EU"])]),
      ["required region?"],
    ],
    ["a type where none is set", incident(), asking("incident_type"), ["required incident_type"]],
    [
      "a type where there is none to choose",
      incident(),
      asking("incident_type", { types: new Set() }),
      ["required incident_type?"],
    ],
    ["a summary that is there", incident(), asking("summary"), []],
    ["a visibility that may not have been said", incident(), asking("visibility"), ["required visibility?"]],
    ["a field that leaves the form", holding("EU"), moment([]), ["field region"]],
    ["a field that leaves the form unanswered", incident(), moment([]), []],
    ["a field that goes altogether", holding("EU"), moment([], { fields: new Map() }), ["field region?"]],
    ["an option that goes", holding("EU"), withRegion(options.slice(1)), ["option region"]],
    [
      "an option that may stay",
      holding("EU"),
      withRegion([{ key: "1", label: "EU", leaving: true }]),
      ["option region?"],
    ],
    ["another option that goes", holding("US"), withRegion(options.slice(1)), []],
    ["an option of two", holding("EU", "US"), withRegion(options.slice(1)), ["option region"]],
    [
      "an option with another label",
      holding("EU"),
      withRegion([{ key: "1", label: "Europe" }]),
      ["option_renamed region?"],
    ],
    ["the same option told by its id", holding("1"), withRegion([{ key: "1", label: "Europe" }]), []],
    ["another type of answer", holding("EU"), withRegion(options, "text"), ["field_type region?"]],
    ["a severity that goes", incident(), moment(undefined, { severities: new Set(["critical"]) }), ["severity minor"]],
    [
      "a type that goes",
      incident({ type: "outage" }),
      moment(undefined, { types: new Set() }),
      ["incident_type outage"],
    ],
  ])("%s", (_what, past, after, expected) => {
    expect(told(past, after)).toEqual(expected);
  });

  test("conditions on a custom field see the choice, by whatever name", () => {
    const form = (value: string) => [
      field("region"),
      field("note", { required: true, conditions: [condition("custom_field", "one_of", [value], "region")] }),
    ];
    const before = moment([field("region"), field("note")]);
    expect(told(holding("EU"), moment(form("EU")), before)).toEqual(["required note"]);
    expect(told(holding("EU"), moment(form("1")), before)).toEqual(["required note"]);
    expect(told(holding("US"), moment(form("EU")), before)).toEqual([]);
    expect(told(incident(), moment(form("EU")), before)).toEqual([]);
  });

  test("what would be refused today as well is no effect", () => {
    const strict = moment([field("region", { required: true })]);
    const stricter = moment([field("region", { required: true }), field("note", { required: true })]);
    expect(told(incident(), stricter, strict)).toBe("already");
    expect(told(holding("Mars"), moment([]))).toBe("already");
  });

  test("what was possible before is never certain afterwards", () => {
    const when = (conditions: FormField["conditions"]) => moment([field("region", { required: true, conditions })]);
    expect(told(incident(), when([]), when(undefined))).toEqual(["required region?"]);
    expect(told(incident(), when(undefined), when(undefined))).toEqual([]);
  });

  test("a value that today's form does not ask for may be sent or not", () => {
    const after = moment([field("region", { required: true })]);
    expect(told(holding("EU"), after, moment([]))).toEqual(["required region?"]);
    expect(told(holding("Mars"), moment([]), moment([]))).toEqual([]);
  });
});

test("incidents are counted once, and once under each of their reasons, by source", () => {
  const after = moment([field("region", { required: true })], { severities: new Set(["critical"]) });
  const all = [
    incident(),
    incident({ severity: "critical" }),
    incident({ source: "grafana", severity: "critical", custom: new Map([["region", [["EU"]]]]) }),
    incident({ source: "pingdom" }),
  ];
  expect(replay(all, moment(), after)).toEqual({
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

test("ranks carry the number of incidents that hold the severity", () => {
  const ranks = [
    { severity: "critical", before: 2, after: 3 },
    { severity: "minor", before: 1, after: null },
  ];
  expect(rankChanges(ranks, [incident(), incident()]).map(({ incidents }) => incidents)).toEqual([0, 2]);
});

test("conditions that are no list are not known", () => {
  expect(conditionsIn(3)).toBeUndefined();
  expect(conditionsIn([{ condition_field: "severity", operator: "one_of", values: ["minor"] }])).toEqual([
    { reads: "severity", customField: undefined, operator: "one_of", values: ["minor"] },
  ]);
});
