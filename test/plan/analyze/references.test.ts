import type { Fields } from "../../../src/core/json.ts";
import { routing, rule, tables } from "./analyzed.ts";

tables("A005", [
  ["required and visible", { forms: { declare: [{ custom_field: "a", required: true, visible: true }] } }, []],
  ["hidden and optional", { forms: { declare: [{ custom_field: "a", required: false, visible: false }] } }, []],
  [
    "required and hidden",
    { forms: { declare: [{ custom_field: "a", required: true, visible: false }] } },
    ["error forms/declare/a: forms/declare/a is required and hidden"],
  ],
  [
    "required, and hidden live",
    { forms: { declare: [{ custom_field: "a", required: true }] } },
    ["error forms/declare/a: forms/declare/a is required and hidden"],
    { live: { forms: { declare: [{ custom_field: "a", visible: false }] } } },
  ],
  [
    "conditions that exclude each other",
    {
      forms: {
        resolve: [
          {
            custom_field: "a",
            required: true,
            conditions: [
              { condition_field: "severity", operator: "one_of", values: ["x", "y"] },
              { condition_field: "severity", operator: "not_one_of", values: ["x", "y", "z"] },
            ],
          },
        ],
      },
    },
    [
      "warning forms/resolve/a: forms/resolve/a is required, but its conditions can never hold: no severity satisfies them",
    ],
  ],
  [
    "conditions that leave something",
    {
      forms: {
        resolve: [
          {
            custom_field: "a",
            required: true,
            conditions: [
              { condition_field: "incident_type", operator: "one_of", values: ["x", "y"] },
              { condition_field: "incident_type", operator: "one_of", values: ["y"] },
            ],
          },
        ],
      },
    },
    [],
  ],
  [
    "a condition on a field that is hidden wherever it could have been asked",
    {
      forms: {
        declare: [{ custom_field: "b", visible: false }],
        resolve: [
          {
            custom_field: "a",
            required: true,
            conditions: [{ condition_field: "custom_field", custom_field: "b", operator: "one_of", values: ["x"] }],
          },
        ],
      },
    },
    [
      "warning forms/resolve/a: forms/resolve/a is required, but its conditions can never hold: custom_fields/b is hidden on this form and on those before it",
    ],
  ],
  [
    "a condition on the cancel form on a field that only the resolve form asks for",
    {
      forms: {
        declare: [{ custom_field: "b", visible: false }],
        resolve: [{ custom_field: "b", visible: true }],
        cancel: [
          {
            custom_field: "a",
            required: true,
            conditions: [{ condition_field: "custom_field", custom_field: "b", operator: "one_of", values: ["x"] }],
          },
        ],
      },
    },
    [
      "warning forms/cancel/a: forms/cancel/a is required, but its conditions can never hold: custom_fields/b is hidden on this form and on those before it",
    ],
  ],
]);

tables("A006", [
  ["an enabled severity", referencing({ severities: [{ slug: "x" }] }), []],
  ["the severities were not read", referencing({}), []],
  [
    "a disabled severity",
    referencing({ severities: [{ slug: "x", enabled: false }] }),
    ["warning routing_rules/workspace/1: routing_rules/workspace/1 references severities/x, which is disabled"],
  ],
  [
    "a severity that is disabled live",
    referencing({}),
    ["warning routing_rules/workspace/1: routing_rules/workspace/1 references severities/x, which is disabled"],
    { live: { severities: [{ slug: "x", enabled: false }] } },
  ],
  [
    "a severity that is enabled again",
    referencing({ severities: [{ slug: "x" }] }),
    [],
    { live: { severities: [{ slug: "x", enabled: false }] } },
  ],
  [
    "a severity that does not exist",
    referencing({ severities: [] }),
    ["warning routing_rules/workspace/1: routing_rules/workspace/1 references severities/x, which does not exist"],
  ],
  [
    "an option that does not exist",
    {
      custom_fields: [{ slug: "b", options: ["X"] }],
      runbooks: [
        {
          slug: "r",
          conditions: [{ condition_field: "custom_field", custom_field: "b", operator: "one_of", values: ["X", "Y"] }],
        },
      ],
    },
    ['warning runbooks/r: custom_fields/b has no option "Y"'],
  ],
  ["a built-in catalog type", { catalog_types: [], custom_fields: [{ slug: "b", catalog_type: "team" }] }, []],
  [
    "the source that the rules belong to",
    { alert_sources: [{ name: "S", enabled: false }], ...routing("S", rule("a")) },
    [],
  ],
]);

tables("A010", [
  ["optional", { forms: { declare: [{ custom_field: "a", required: false }] } }, []],
  ["required on another form", { forms: { resolve: [{ custom_field: "a", required: true }] } }, []],
  ["a system field", { forms: { declare: [{ system_field: "name", required: true }] } }, []],
  [
    "required",
    { forms: { declare: [{ custom_field: "a", required: true }] } },
    ["warning forms/declare/a: declarations through the API fail without a"],
  ],
  [
    "required under a condition",
    {
      forms: {
        declare: [
          {
            custom_field: "a",
            required: true,
            conditions: [{ condition_field: "severity", operator: "one_of", values: ["x"] }],
          },
        ],
      },
    },
    ["note forms/declare/a: declarations through the API fail without a if its conditions hold"],
  ],
  [
    "required already",
    { forms: { declare: [{ custom_field: "a", required: true }] } },
    [],
    { live: { forms: { declare: [{ custom_field: "a", required: true, visible: true }] } } },
  ],
  [
    "optional until now",
    { forms: { declare: [{ custom_field: "a", required: true }] } },
    ["warning forms/declare/a: declarations through the API fail without a"],
    { live: { forms: { declare: [{ custom_field: "a", required: false }] } } },
  ],
]);

function referencing(document: Fields): Fields {
  return {
    ...document,
    routing_rules: { workspace: [{ outcome: { action: "auto_create_incident", severity: "x" } }] },
  };
}
