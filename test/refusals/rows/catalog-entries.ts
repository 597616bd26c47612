/** Refusals of catalog entries and their values. */

import type { Fields } from "../../../src/core/json.ts";
import type { Refusal, Request } from "../refusal.ts";

const ENTRIES = "wire 2.8, entries";
const type = (...attributes: readonly Fields[]): Request => ["POST", "/catalog/types", { name: "Squad", attributes }];
const squad = (...attributes: readonly string[]): string =>
  `catalog_types:\n  - slug: squad\n    name: Squad\n    attributes:\n${attributes.map((one) => `      - { ${one} }`).join("\n")} # here\n`;
const entry = (attributes: Fields, name = "Red"): Request => [
  "POST",
  "/catalog/types/squad/entries",
  { name, attributes },
];
const red = (values: string): string =>
  `catalog_types:\n  - slug: squad\n    entries:\n      - slug: red\n        name: Red\n        attributes: { ${values} } # here\n`;
const service = (values: string): string =>
  `catalog_types:\n  - slug: service\n    entries:\n      - slug: web\n        name: Web\n        attributes: { ${values} } # here\n`;
const web = (attributes: Fields): Request => ["POST", "/catalog/types/service/entries", { name: "Web", attributes }];
const size = { name: "Size", attribute_type: "number" };

export const CATALOG_ENTRIES: readonly Refusal[] = [
  {
    rule: "A catalog entry needs a name when it is created.",
    source: ENTRIES,
    files: "catalog_types:\n  - slug: team\n    entries:\n      - { slug: red } # here\n",
    address: "catalog_types/team/entries/red",
    request: ["POST", "/catalog/types/team/entries", {}],
    status: 400,
    reason: "name",
    caught: "plan",
    code: "E_REQUIRED",
  },
  {
    rule: "The name of a catalog entry is not blank.",
    source: ENTRIES,
    files: 'catalog_types:\n  - slug: team\n    entries:\n      - slug: red\n        name: " " # here\n',
    address: "catalog_types/team/entries/red",
    request: ["POST", "/catalog/types/team/entries", { name: " " }],
    status: 422,
    reason: "name can't be blank",
    caught: "validate",
    code: "E_EMPTY_STRING",
  },
  {
    rule: "The name of a catalog entry gives a slug.",
    source: ENTRIES,
    files: 'catalog_types:\n  - slug: team\n    entries:\n      - { slug: _, name: "&" } # here\n',
    address: "catalog_types/team/entries/_",
    request: ["POST", "/catalog/types/team/entries", { name: "&" }],
    status: 422,
    reason: "slug can't be blank",
    caught: "left out",
  },
  {
    rule: "No two entries of a type have one slug.",
    source: ENTRIES,
    files: "catalog_types:\n  - slug: team\n    entries:\n      - { slug: red }\n      - { slug: red } # here\n",
    address: "catalog_types/team/entries/red",
    live: { red: ["POST", "/catalog/types/team/entries", { name: "Red" }] },
    request: ["POST", "/catalog/types/team/entries", { name: "Red" }],
    status: 422,
    reason: "slug has already been taken",
    caught: "validate",
    code: "E_DUP_OBJECT",
  },
  {
    rule: "The values of an entry are those of attributes of its type.",
    source: ENTRIES,
    warning: "A015",
    files: service("teir: Critical"),
    address: "catalog_types/service/entries/web",
    request: web({ teir: "Critical" }),
    status: 422,
    reason: "attributes.teir is no attribute of Service",
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "The value of a select is one of its options.",
    source: ENTRIES,
    warning: "A015",
    files: service("tier: '1'"),
    address: "catalog_types/service/entries/web",
    request: web({ tier: "1" }),
    status: 422,
    reason: "attributes.tier must be one of",
    caught: "plan",
    code: "E_ENUM",
  },
  {
    rule: "The value of a number is a number.",
    source: ENTRIES,
    files: `${squad("name: Size, attribute_type: number").replace(" # here", "")}${"    entries:\n      - slug: red\n        name: Red\n        attributes: { size: big } # here\n"}`,
    address: "catalog_types/squad/entries/red",
    live: { squad: type(size) },
    request: entry({ size: "big" }),
    status: 422,
    reason: "attributes.size must be a number",
    caught: "validate",
    code: "E_TYPE",
  },
  {
    rule: "The value of an attribute has its type.",
    source: ENTRIES,
    warning: "A015",
    files: service("description: 5"),
    address: "catalog_types/service/entries/web",
    request: web({ description: 5 }),
    status: 422,
    reason: "attributes.description must be text",
    caught: "plan",
    code: "E_TYPE",
  },
  {
    rule: "A required attribute has a value when an entry is created.",
    source: ENTRIES,
    files: red(""),
    address: "catalog_types/squad/entries/red",
    live: { squad: type({ ...size, required: true }) },
    request: entry({}),
    status: 422,
    reason: "attributes.size can't be blank",
    caught: "plan",
    code: "E_REQUIRED",
  },
  {
    rule: "A required attribute keeps a value.",
    source: ENTRIES,
    files: red("size: ''"),
    address: "catalog_types/squad/entries/red",
    live: {
      squad: type({ name: "Size", attribute_type: "text", required: true }),
      red: entry({ size: "S" }),
    },
    request: ["PATCH", "/catalog/entries/{red.id}", { attributes: { size: "" } }],
    status: 422,
    reason: "attributes.size can't be blank",
    caught: "plan",
    code: "E_REQUIRED",
  },
  {
    rule: "The target of a reference exists.",
    source: ENTRIES,
    warning: "A015",
    files: service("owner_team: datas").replace(
      "catalog_types:\n",
      "catalog_types:\n  - { slug: team, entries: [] }\n",
    ),
    address: "catalog_types/team/entries/datas",
    request: web({ owner_team: "datas" }),
    status: 422,
    reason: "is not the id of an entry that it can refer to",
    caught: "plan",
    code: "E_REF",
  },
  {
    rule: "A person exists in the workspace.",
    source: ENTRIES,
    files:
      "catalog_types:\n  - slug: team\n    entries:\n      - { slug: red, name: Red, attributes: { manager: U404 } } # here\n",
    address: "catalog_types/team/entries/red",
    request: ["POST", "/catalog/types/team/entries", { name: "Red", attributes: { manager: "U404" } }],
    status: 404,
    reason: "Resource not found",
    caught: "service",
    why: "The interface has no list of the people of a workspace.",
  },
  {
    rule: "An entry has both a source and an external id, or neither.",
    source: ENTRIES,
    files:
      "catalog_types:\n  - slug: team\n    entries:\n      - { slug: red, name: Red, extra: { source: cmdb } } # here\n",
    address: "catalog_types/team/entries/red",
    request: ["POST", "/catalog/types/team/entries", { name: "Red", source: "cmdb" }],
    status: 422,
    reason: "external_id can't be blank",
    caught: "service",
    why: "Fields under extra are sent as they are written.",
  },
  {
    rule: "An entry that something points at is not deleted.",
    source: "Disabled entries, rule 3",
    files: "catalog_types:\n  - { slug: team, entries: [] }\n",
    address: "catalog_types/team/entries/red",
    live: {
      red: ["POST", "/catalog/types/team/entries", { name: "Red" }],
      web: web({ owner_team: "{red.id}" }),
    },
    request: ["DELETE", "/catalog/entries/{red.id}"],
    status: 422,
    reason: "is in use by 1 catalog entry(s) and cannot be deleted",
    caught: "left out",
  },
];
