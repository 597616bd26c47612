/** Refusals of form fields. */

import type { Refusal, Request } from "../refusal.ts";

const FORMS = "Configuration resources, rule 5; wire 2.6";
const region: Request = [
  "POST",
  "/custom_fields",
  { name: "Region", field_type: "single_select", option_source: "fixed", options: ["EU", "US"] },
];
const onRegion = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
const onSeverity = (value: string) => ({ condition_field: "severity", operator: "one_of", values: [value] });
const summary = (condition: string): string =>
  `forms:\n  declare:\n    - system_field: summary\n      conditions:\n        - ${condition} # here\n`;
const yamlCondition = (field: string, values: string): string =>
  `{ condition_field: ${field}, operator: one_of, values: [${values}] }`;

export const FORM_FIELDS: readonly Refusal[] = [
  {
    rule: "A change of a form names a field.",
    source: FORMS,
    files: "forms:\n  declare:\n    - visible: true # here\n",
    address: "forms",
    request: ["PATCH", "/forms/declare", { visible: true }],
    status: 400,
    reason: "system_field or custom_field",
    caught: "validate",
    code: "E_XOR",
  },
  {
    rule: "There are exactly four forms.",
    source: "Configuration resources, rule 2",
    files: "forms:\n  close: # here\n    - { system_field: summary, visible: true }\n",
    address: "forms",
    request: ["PATCH", "/forms/close", { system_field: "summary", visible: true }],
    status: 404,
    reason: "Resource not found",
    caught: "validate",
    code: "E_UNKNOWN_KEY",
  },
  {
    rule: "A system field is one that the form offers.",
    source: FORMS,
    files: "forms:\n  declare:\n    - system_field: lead # here\n      visible: true\n",
    address: "forms/declare/lead",
    request: ["PATCH", "/forms/declare", { system_field: "lead", visible: true }],
    status: 422,
    reason: "system_field of the declare form is one of",
    caught: "validate",
    code: "E_FORM_SYSTEM_FIELD",
  },
  {
    rule: "The custom field of a form exists.",
    source: FORMS,
    files: "forms:\n  declare:\n    - custom_field: region # here\n",
    address: "forms/declare/region",
    request: ["PATCH", "/forms/declare", { custom_field: "region", visible: true }],
    status: 422,
    reason: '"region" is no custom field',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "Severity and status cannot be hidden.",
    source: FORMS,
    files: "forms:\n  update:\n    - system_field: status\n      visible: false # here\n",
    address: "forms/update/status",
    request: ["PATCH", "/forms/update", { system_field: "status", visible: false }],
    status: 422,
    reason: "cannot be hidden",
    caught: "validate",
    code: "E_FORM_SYSTEM_FIELD",
  },
  {
    rule: "Severity and status cannot be made optional.",
    source: FORMS,
    files: "forms:\n  declare:\n    - system_field: severity\n      required: false # here\n",
    address: "forms/declare/severity",
    request: ["PATCH", "/forms/declare", { system_field: "severity", required: false }],
    status: 422,
    reason: "cannot be made optional",
    caught: "validate",
    code: "E_FORM_SYSTEM_FIELD",
  },
  {
    rule: "A locked field has no conditions.",
    source: FORMS,
    files: `forms:\n  declare:\n    - system_field: severity\n      conditions: [${yamlCondition("incident_type", "data_issue")}] # here\n`,
    address: "forms/declare/severity",
    request: [
      "PATCH",
      "/forms/declare",
      {
        system_field: "severity",
        conditions: [{ condition_field: "incident_type", operator: "one_of", values: ["data_issue"] }],
      },
    ],
    status: 422,
    reason: "is always asked for and cannot have conditions",
    caught: "validate",
    code: "E_FORM_SYSTEM_FIELD",
  },
  {
    rule: "A locked field has no conditions, also where only the workspace knows that it is locked.",
    source: FORMS,
    files: `forms:\n  resolve:\n    - system_field: status\n      conditions: [${yamlCondition("severity", "minor")}] # here\n`,
    address: "forms/resolve/status",
    request: ["PATCH", "/forms/resolve", { system_field: "status", conditions: [onSeverity("minor")] }],
    status: 422,
    reason: "is always asked for and cannot have conditions",
    caught: "plan",
    code: "E_FORM_SYSTEM_FIELD",
  },
  {
    rule: "A condition of a form reads a custom field that is on this form or an earlier one.",
    source: FORMS,
    files: summary("{ condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }"),
    address: "forms/declare/summary",
    live: { region, later: ["PATCH", "/forms/update", { custom_field: "region", visible: true }] },
    request: ["PATCH", "/forms/declare", { system_field: "summary", conditions: [onRegion] }],
    status: 422,
    reason: 'reads "region", which is on none of the forms declare',
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "A condition of a form reads a custom field that is on this form or an earlier one, also a field that the plan creates.",
    source: FORMS,
    files: `custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [EU] }\n${summary("{ condition_field: custom_field, custom_field: region, operator: one_of, values: [EU] }")}`,
    address: "forms/declare/summary",
    live: { region },
    request: ["PATCH", "/forms/declare", { system_field: "summary", conditions: [onRegion] }],
    status: 422,
    reason: 'reads "region", which is on none of the forms declare',
    caught: "plan",
    code: "E_REF",
  },
];
