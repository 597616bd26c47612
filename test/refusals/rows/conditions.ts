/** Refusals of conditions of forms and runbooks. */

import type { Fields } from "../../../src/core/json.ts";
import type { Refusal, Request } from "../refusal.ts";

const CONDITIONS = "wire 4";
const region: Request = [
  "POST",
  "/custom_fields",
  { name: "Region", field_type: "single_select", option_source: "fixed", options: ["EU", "US"] },
];
const notes: Request = ["POST", "/custom_fields", { name: "Notes", field_type: "text", option_source: "none" }];
const disabled: Request = ["PATCH", "/severities/major", { enabled: false }];
const onRegion = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
const onSeverity = (value: string) => ({ condition_field: "severity", operator: "one_of", values: [value] });
const summary = (condition: string): string =>
  `forms:\n  declare:\n    - system_field: summary\n      conditions:\n        - ${condition} # here\n`;
const runbook = (condition: string): string =>
  `runbooks:\n  - slug: first\n    name: First\n    conditions:\n      - ${condition} # here\n`;
const book = (more: Fields): Request => ["POST", "/runbooks", { name: "First", ...more }];
const yamlCondition = (field: string, values: string): string =>
  `{ condition_field: ${field}, operator: one_of, values: [${values}] }`;

export const CONDITION_VALUES: readonly Refusal[] = [
  {
    rule: "A condition compares the severity, the incident type or a custom field.",
    source: CONDITIONS,
    files: summary(yamlCondition("status", "resolved")),
    address: "forms/declare/summary",
    request: [
      "PATCH",
      "/forms/declare",
      { system_field: "summary", conditions: [{ condition_field: "status", operator: "one_of", values: ["x"] }] },
    ],
    status: 422,
    reason: "condition_field must be one of",
    caught: "validate",
    code: "E_ENUM",
  },
  {
    rule: "The operator of a condition is one_of or not_one_of.",
    source: CONDITIONS,
    files: runbook("{ condition_field: severity, operator: is, values: [minor] }"),
    address: "runbooks/first",
    request: book({ conditions: [{ ...onSeverity("minor"), operator: "is" }] }),
    status: 422,
    reason: "operator must be one of",
    caught: "validate",
    code: "E_ENUM",
  },
  {
    rule: "A condition has a value.",
    source: CONDITIONS,
    files: runbook(yamlCondition("severity", "")),
    address: "runbooks/first",
    request: book({ conditions: [{ ...onSeverity("minor"), values: [] }] }),
    status: 422,
    reason: "can't be empty",
    caught: "validate",
    code: "E_EMPTY_LIST",
  },
  {
    rule: "A condition states its field, operator and values.",
    source: CONDITIONS,
    files: runbook("{ condition_field: severity }"),
    address: "runbooks/first",
    request: book({ conditions: [{ condition_field: "severity" }] }),
    status: 422,
    reason: "operator is missing",
    caught: "validate",
    code: "E_REQUIRED",
  },
  {
    rule: "A condition states what it compares.",
    source: CONDITIONS,
    files: runbook("{ operator: one_of }"),
    address: "runbooks/first",
    request: book({ conditions: [{ operator: "one_of" }] }),
    status: 422,
    reason: "condition_field is missing",
    caught: "validate",
    code: "E_REQUIRED",
  },
  {
    rule: "Only a condition on a custom field names one.",
    source: CONDITIONS,
    files: runbook("{ condition_field: severity, custom_field: region, operator: one_of, values: [minor] }"),
    address: "runbooks/first",
    live: { region },
    request: book({ conditions: [{ ...onSeverity("minor"), custom_field: "region" }] }),
    status: 422,
    reason: "takes no custom_field: it reads the severity",
    caught: "validate",
    code: "E_CONDITION",
  },
  {
    rule: "A condition on a custom field names one.",
    source: CONDITIONS,
    files: runbook(yamlCondition("custom_field", "EU")),
    address: "runbooks/first",
    request: book({ conditions: [{ condition_field: "custom_field", operator: "one_of", values: ["EU"] }] }),
    status: 422,
    reason: "needs custom_field",
    caught: "validate",
    code: "E_REQUIRED",
  },
  {
    rule: "The custom field of a condition exists.",
    source: CONDITIONS,
    files: runbook("{ condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }"),
    address: "runbooks/first",
    request: book({ conditions: [onRegion] }),
    status: 422,
    reason: 'names an unknown custom field "region"',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "The custom field of a condition has choices.",
    source: CONDITIONS,
    files: `custom_fields:\n  - { slug: notes, name: Notes, field_type: text }\n${runbook("{ condition_field: custom_field, custom_field: notes, operator: one_of, values: [x] }")}`,
    address: "runbooks/first",
    live: { notes },
    request: book({ conditions: [{ ...onRegion, custom_field: "notes" }] }),
    status: 422,
    reason: "which has no choices to compare with",
    caught: "validate",
    code: "E_CONDITION",
  },
  {
    rule: "The custom field of a condition has choices, also where only the workspace knows its type.",
    source: CONDITIONS,
    files: runbook("{ condition_field: custom_field, custom_field: notes, operator: one_of, values: [x] }"),
    address: "runbooks/first",
    live: { notes },
    request: book({ conditions: [{ ...onRegion, custom_field: "notes" }] }),
    status: 422,
    reason: "which has no choices to compare with",
    caught: "plan",
    code: "E_CONDITION",
  },
  {
    rule: "The value of a condition is an option of its custom field.",
    source: CONDITIONS,
    files: runbook("{ condition_field: custom_field, custom_field: region, operator: one_of, values: [Asia] }"),
    address: "runbooks/first",
    live: { region },
    request: book({ conditions: [{ ...onRegion, values: ["Asia"] }] }),
    status: 422,
    reason: '"Asia" is no choice of Region',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "The value of a condition is a severity or an incident type that exists.",
    source: CONDITIONS,
    files: summary(yamlCondition("incident_type", "fire")),
    address: "forms/declare/summary",
    request: [
      "PATCH",
      "/forms/declare",
      {
        system_field: "summary",
        conditions: [{ condition_field: "incident_type", operator: "one_of", values: ["fire"] }],
      },
    ],
    status: 422,
    reason: '"fire" is no incident type',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "The value of a new condition is enabled.",
    source: CONDITIONS,
    files: summary(yamlCondition("severity", "major")),
    address: "forms/declare/summary",
    live: { disabled },
    request: ["PATCH", "/forms/declare", { system_field: "summary", conditions: [onSeverity("major")] }],
    status: 422,
    reason: '"major" is no severity',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "The value of a new condition is enabled, also one that the plan creates.",
    source: CONDITIONS,
    files: `incident_types:\n  - { slug: data_issue }\n  - { slug: fire, name: Fire, enabled: false }\n${runbook(yamlCondition("incident_type", "fire"))}`,
    address: "runbooks/first",
    live: { fire: ["POST", "/incident_types", { name: "Fire", enabled: false }] },
    request: book({ conditions: [{ condition_field: "incident_type", operator: "one_of", values: ["fire"] }] }),
    status: 422,
    reason: '"fire" is no incident type',
    caught: "plan",
    code: "E_REF",
  },
];
