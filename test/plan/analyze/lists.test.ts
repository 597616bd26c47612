import type { Fields } from "../../../src/core/json.ts";
import { type Surroundings, tables } from "./analyzed.ts";

const status = (slug: string, lifecycle_stage: string, more: Fields = {}): Fields => ({
  slug,
  lifecycle_stage,
  ...more,
});
const STAGES: readonly Fields[] = ["triage", "active", "closed"].map((stage) => status(stage, stage));
const FULL: readonly Fields[] = [...STAGES, status("canceled", "canceled")];
const keep: Surroundings = { settings: { removal: { default: "keep", kinds: {} } } };

tables("A001", [
  ["every stage has a status", { statuses: FULL }, []],
  ["statuses are not managed", { severities: [] }, []],
  ["a stage is missing", { statuses: STAGES }, ["error statuses: no status is declared for the stage canceled"]],
  [
    "the only status of a stage is disabled",
    { statuses: [...STAGES, status("canceled", "canceled", { enabled: false })] },
    ["error statuses/canceled: every status of the stage canceled is disabled"],
  ],
  ["undeclared statuses are preserved and were not read", { statuses: STAGES }, [], keep],
  ["a preserved status is in the stage", { statuses: STAGES }, [], { ...keep, live: { statuses: FULL } }],
  [
    "a preserved status of the stage is disabled",
    { statuses: STAGES },
    ["error statuses: no status is declared for the stage canceled"],
    { ...keep, live: { statuses: [status("canceled", "canceled", { enabled: false })] } },
  ],
  ["a stage is not declared", { statuses: [...STAGES, { slug: "canceled" }] }, []],
  [
    "a stage is left to the service, which knows it",
    { statuses: [...STAGES, { slug: "canceled" }] },
    [],
    { live: { statuses: FULL } },
  ],
]);

tables("A002", [
  ["one default", { severities: [{ slug: "a", default: true }, { slug: "b" }] }, []],
  ["an empty list", { severities: [] }, []],
  ["no default", { severities: [{ slug: "a" }] }, ["warning severities: none of the severities is the default"]],
  [
    "no default among statuses",
    { statuses: [{ slug: "a" }] },
    ["warning statuses: none of the statuses is the default"],
  ],
  ["types have no default", { incident_types: [{ slug: "a" }] }, []],
  [
    "two defaults",
    {
      severities: [
        { slug: "a", default: true },
        { slug: "b", default: true },
      ],
    },
    ["warning severities/b: severities/b and severities/a are both the default"],
  ],
  [
    "the live default stays",
    { severities: [{ slug: "a" }] },
    [],
    { live: { severities: [{ slug: "a", default: true }] } },
  ],
  [
    "the live default hands over",
    { severities: [{ slug: "a" }, { slug: "b", default: true }] },
    [],
    { live: { severities: [{ slug: "a", default: true }] } },
  ],
  [
    "the live default is removed",
    { severities: [{ slug: "a" }] },
    ["warning severities: none of the severities is the default"],
    { live: { severities: [{ slug: "b", default: true }] } },
  ],
]);

tables("A009", [
  [
    "different names",
    {
      severities: [
        { slug: "a", name: "A" },
        { slug: "b", name: "B" },
      ],
    },
    [],
  ],
  [
    "names that differ in case and blanks",
    {
      severities: [
        { slug: "a", name: "Not  good" },
        { slug: "b", name: "not Good" },
      ],
    },
    ['warning severities/b: severities/b is named "not Good" and severities/a "Not  good"'],
  ],
  ["one name in two kinds", { severities: [{ slug: "a", name: "A" }], statuses: [{ slug: "a", name: "A" }] }, []],
  [
    "pinned twins",
    {
      webhooks: [
        { ...hook("a"), id: "1" },
        { ...hook("a"), id: "2" },
      ],
    },
    [],
  ],
  [
    "the name of a preserved resource",
    { severities: [{ slug: "a", name: "A" }] },
    ['warning severities/a: severities/a is named "A" and severities/b "a"'],
    { ...keep, live: { severities: [{ slug: "b", name: "a" }] } },
  ],
  [
    "the name of a live one that goes",
    { severities: [{ slug: "a", name: "A" }] },
    [],
    { live: { severities: [{ slug: "b", name: "a" }] } },
  ],
]);

tables("A011", [
  ["an active default", { statuses: [status("a", "active", { default: true })] }, []],
  [
    "a closed default",
    { statuses: [status("a", "closed", { default: true })] },
    ["error statuses/a: statuses/a is the default, but its stage is closed"],
  ],
  [
    "a disabled default",
    { severities: [{ slug: "a", default: true, enabled: false }] },
    ["error severities/a: severities/a is the default and disabled"],
  ],
  [
    "the live default is to be disabled",
    { statuses: [status("a", "active", { enabled: false })] },
    ["error statuses/a: statuses/a is the default and disabled"],
    { live: { statuses: [status("a", "active", { default: true })] } },
  ],
  [
    "the live default is disabled, and another takes over",
    { statuses: [status("a", "active", { enabled: false }), status("b", "active", { default: true })] },
    [],
    { live: { statuses: [status("a", "active", { default: true })] } },
  ],
]);

tables("A013", [
  [
    "different colors",
    {
      severities: [
        { slug: "a", color: "#aaaaaa" },
        { slug: "b", color: "#bbbbbb" },
      ],
    },
    [],
  ],
  [
    "one color, written in two ways",
    {
      severities: [
        { slug: "a", color: "#ABC" },
        { slug: "b", color: "#aabbcc" },
      ],
    },
    ["note severities/b: severities/b has the color of severities/a"],
  ],
  [
    "one of them is disabled",
    {
      severities: [
        { slug: "a", color: "#ABC" },
        { slug: "b", color: "#ABC", enabled: false },
      ],
    },
    [],
  ],
  [
    "one color in two kinds",
    { severities: [{ slug: "a", color: "#ABC" }], statuses: [{ slug: "a", color: "#ABC" }] },
    [],
  ],
]);

tables("A014", [
  ["different labels", { custom_fields: [{ slug: "f", options: ["EU", "US"] }] }, []],
  [
    "labels that differ in case and blanks",
    { custom_fields: [{ slug: "f", options: ["North  America", { label: "North america" }] }] },
    ['warning custom_fields/f: the options "North  America" and "North america" of custom_fields/f look the same'],
  ],
  [
    "options of an attribute",
    { catalog_types: [{ slug: "t", attributes: [{ name: "x", options: ["a", "A "] }] }] },
    ['warning catalog_types/t: the options "a" and "A " of catalog_types/t look the same'],
  ],
]);

function hook(name: string, url = `https://${name}.example/`, ...subscribed_events: readonly string[]): Fields {
  return { name, url, subscribed_events };
}
