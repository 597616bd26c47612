/** The requests of plans in which several things meet, a line for each. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { type PlanInput, planned } from "../support/plans/make-plan.ts";

const golden = fileURLToPath(new URL("golden/requests.txt", import.meta.url));

function lines(document: Fields, given: PlanInput): readonly string[] {
  const { changes, operations, warnings } = planned(document, given);
  return [
    ...changes.map(({ action, address, reason, risk }) => `${action} ${address}: ${reason} (${risk})`),
    ...operations.map(({ id: _id, ...operation }) => JSON.stringify(operation)),
    ...warnings.map(({ code, message }) => `${code} ${message}`),
  ];
}

const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });
const rule = (note: string, more: Fields = {}): Fields => ({
  conditions: [when(note)],
  outcome: { action: "drop", note },
  enabled: true,
  ...more,
});
const source = (name: string, more: Fields = {}): Fields => ({ name, endpoint_path: name.toLowerCase(), ...more });
const declares = (note: string): Fields => rule(note, { outcome: { action: "auto_create_incident", severity: "new" } });
const chosen = (...options: readonly string[]): Fields => ({
  slug: "region",
  name: "Region",
  field_type: "single_select",
  option_source: "fixed",
  options: options.map((label) => ({ id: `id-${label}`, label })),
});
const pointing = (slug: string, ...types: readonly string[]): Fields => ({
  slug,
  name: slug,
  attributes: types.map((type) => ({ name: `To ${type}`, attribute_type: "reference", reference_type: type })),
});

const cases: readonly (readonly [string, Fields, PlanInput])[] = [
  [
    "rules of renamed sources are found under the former names",
    {
      severities: [{ slug: "fresh", renamed_from: "one" }],
      alert_sources: [
        { name: "First", renamed_from: "one" },
        { name: "Second", renamed_from: "two" },
        { name: "three" },
      ],
      routing_rules: {
        workspace: [rule("w")],
        sources: { First: [rule("b")], Second: [rule("c")], three: [rule("d")] },
      },
    },
    {
      live: {
        severities: [{ slug: "fresh", name: "fresh" }],
        alert_sources: [source("one"), source("two"), source("three")],
        routing_rules: [rule("w")],
        "routing_rules one": [rule("a")],
        "routing_rules two": [rule("c")],
        "routing_rules three": [rule("d"), rule("e")],
      },
    },
  ],
  [
    "rules that mention a new entry leave what is not known yet out of what is looked at",
    {
      severities: [{ slug: "new", name: "New" }],
      routing_rules: { workspace: [declares("x"), declares("c"), rule("b"), declares("a")] },
    },
    { live: { routing_rules: [rule("a"), rule("b"), rule("c")] } },
  ],
  [
    "rules change their outcome in place, and their conditions",
    {
      severities: [{ slug: "new", name: "New" }],
      routing_rules: { workspace: [declares("a"), rule("b", { enabled: false }), rule("x"), rule("d")] },
    },
    { live: { routing_rules: [rule("a"), rule("b"), rule("c"), rule("d"), rule("e")] } },
  ],
  [
    "a source that gets its first rules holds every alert meanwhile, and one that loses its last ones",
    {
      alert_sources: [{ name: "Gains" }, { name: "Loses" }],
      routing_rules: { workspace: [rule("w")], sources: { Gains: [rule("a"), rule("b"), rule("c")], Loses: [] } },
    },
    {
      live: {
        alert_sources: [source("Gains"), source("Loses")],
        routing_rules: [rule("w")],
        "routing_rules Gains": [],
        "routing_rules Loses": [rule("a"), rule("b")],
      },
      settings: { holdingOutcome: { action: "drop" } },
    },
  ],
  [
    "options that stay although they are not listed keep their order among the others",
    { custom_fields: [{ slug: "region", options: ["F", "A", { label: "New", renamed_from: "C" }, "Z"] }] },
    {
      live: { custom_fields: [chosen("A", "B", "C", "D", "E", "F", "G")] },
      chosen: { region: { B: 1, D: 2, E: 3, G: 0 } },
    },
  ],
  [
    "options are renamed, swapped and dropped at once",
    {
      custom_fields: [
        {
          slug: "region",
          options: [{ label: "B", renamed_from: "A" }, { label: "A", renamed_from: "B" }, { label: "Here" }, "D"],
        },
      ],
    },
    { live: { custom_fields: [chosen("A", "B", "Here", "C")] } },
  ],
  [
    "new types that mention each other in a long circle, a live one, themselves and nothing",
    {
      catalog_types: [
        pointing("a", "b", "live", "a"),
        pointing("b", "c"),
        pointing("c", "a", "d"),
        pointing("d"),
        pointing("live", "a"),
      ],
    },
    { live: { catalog_types: [pointing("live")] } },
  ],
  [
    "new entries that mention each other across their types",
    {
      catalog_types: [
        {
          ...pointing("rack", "hall", "rack"),
          entries: [
            { slug: "r1", name: "R1", attributes: { to_hall: "h1", to_rack: "r2" } },
            { slug: "r2", name: "R2", attributes: { to_rack: "r1" } },
          ],
        },
        { ...pointing("hall"), entries: [{ slug: "h1", name: "H1" }] },
      ],
    },
    {},
  ],
  [
    "what goes is let go of first, by entries of its own kind as well",
    {
      severities: [{ slug: "kept", default: true }],
      catalog_types: [pointing("rack"), pointing("team")],
      custom_fields: [{ slug: "region", options: ["A"] }],
      runbooks: [{ slug: "drain", conditions: [] }],
    },
    {
      live: {
        severities: [
          { slug: "old", name: "Old", is_default: true },
          { slug: "kept", name: "Kept", is_default: false },
        ],
        catalog_types: [pointing("rack", "hall"), pointing("hall", "yard"), pointing("yard"), pointing("team")],
        "catalog_entries hall": [{ slug: "h1", name: "H1", references: [{ key: "to_yard", target_entry_id: "y1" }] }],
        "catalog_entries yard": [{ slug: "y1", name: "Y1", id: "y1" }],
        custom_fields: [chosen("A", "B")],
        runbooks: [
          {
            slug: "drain",
            name: "Drain",
            conditions: [
              { condition_field: "severity", operator: "one_of", values: ["old"] },
              { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["B"] },
            ],
          },
        ],
      },
    },
  ],
  [
    "secrets are put in wherever they lie, and only where there is something",
    {
      runbooks: [
        {
          slug: "drain",
          name: "Drain",
          summary: "hidden",
          steps: [
            { title: "One", instruction: "plain" },
            { title: "Two", instruction: "hidden", tool: "http", arguments: { "a/b~c": "hidden", d: ["e", "hidden"] } },
          ],
        },
        { slug: "fill", name: "Fill", summary: "hidden", content: "plain" },
      ],
      webhooks: [{ name: "chat", url: "hidden" }],
    },
    {
      live: { runbooks: [{ slug: "drain", name: "Drain", steps: [] }], webhooks: [{ name: "chat", url: "old" }] },
      secrets: {
        "runbooks/drain": [
          "/summary",
          "/steps/1/instruction",
          "/steps/1/arguments/a~1b~0c",
          "/steps/1/arguments/d/1",
          "/gone/1",
        ],
        "runbooks/fill": ["/summary"],
        "webhooks/chat": ["/url"],
      },
      lastApplied: { hashes: {}, resend: true },
    },
  ],
  [
    "fields, places and switches change together",
    {
      severities: [
        { slug: "c", name: "C", description: "New.", color: "#fff" },
        { slug: "a", name: "New" },
        { slug: "b", enabled: false },
        { slug: "d", enabled: true, name: "Back" },
        { slug: "e", name: "E" },
      ],
      webhooks: [{ name: "chat", url: "other", enabled: false }],
    },
    {
      live: {
        severities: ["a", "b", "c", "d", "e"].map((slug) => ({
          slug,
          name: slug.toUpperCase(),
          description: null,
          color: "#000",
          is_default: slug === "a",
          enabled: slug !== "d" && slug !== "e",
        })),
        webhooks: [{ name: "chat", url: "one" }],
      },
    },
  ],
];

test("requests are in an order in which each can be executed", async () => {
  const text = cases.map(([title, document, given]) =>
    [title, ...lines(document, given).map((line) => `  ${line}`)].join("\n"),
  );
  await expect(`${text.join("\n")}\n`).toMatchFileSnapshot(golden);
});
