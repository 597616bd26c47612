/** Taking back a run where little differs from another case: what was kept, who comes first, whose mark, which list. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { field, inverse, inverseText, level, named, rule, type UndoCase } from "../../support/plans/make-undo.ts";

const golden = fileURLToPath(new URL("golden/rollback-corners.txt", import.meta.url));

const orders = (...slugs: readonly string[]) => ({ severities: slugs.map((slug) => ({ slug })) });
const levels = (...slugs: readonly string[]) => ({ severities: slugs.map((slug) => level(slug)) });
const rules = (...channels: readonly string[]) => ({ routing_rules: { workspace: channels.map(rule) } });
const standing = (...channels: readonly string[]) => ({ routing_rules: channels.map(rule) });

const entries: readonly (readonly [string, ...UndoCase])[] = [
  [
    "of an entry that was not recorded as it was, nothing is taken back",
    { runbooks: [named("a", { name: "New" }), named("b", { name: "New" })] },
    { runbooks: [named("a"), named("b")] },
    { runbooks: [named("a", { name: "New" }), named("b", { name: "New" })] },
    { forgotten: "runbooks/a" },
  ],
  [
    "a field that held another's slug makes nobody that other",
    { runbooks: [named("b", { name: "New b" }), named("c", { name: "New c" })] },
    { runbooks: [named("b"), named("c", { name: "b" })] },
    { runbooks: [named("b", { name: "New b" }), named("c", { name: "New c" })] },
  ],
  [
    "a former name is that of an entry of the same kind",
    { severities: [named("old", { name: "New" })], webhooks: [{ name: "new", renamed_from: "old" }] },
    { severities: [level("old")], webhooks: [{ name: "old", url: "u", id: "w1" }] },
    { severities: [level("old", { name: "New" })], webhooks: [{ name: "new", url: "u", id: "w1" }] },
  ],
  [
    "a former name is that of an entry of the same type",
    {
      catalog_types: [
        { slug: "hall", entries: [named("old", { name: "Hall anew" })] },
        { slug: "rack", entries: [{ slug: "new", name: "Rack anew", renamed_from: "old" }] },
      ],
    },
    {
      catalog_types: [named("hall"), named("rack")],
      "catalog_entries hall": [named("old", { id: "h1", name: "Hall" })],
      "catalog_entries rack": [named("old", { id: "r1", name: "Rack" })],
    },
    {
      catalog_types: [named("hall"), named("rack")],
      "catalog_entries hall": [named("old", { id: "h1", name: "Hall anew" })],
      "catalog_entries rack": [named("new", { id: "r1", name: "Rack anew" })],
    },
  ],
  [
    "a field that is told only now stays",
    { runbooks: [named("a", { summary: "New." })] },
    { runbooks: [named("a")] },
    { runbooks: [named("a", { summary: "New." })] },
  ],
  [
    "an option that was taken away comes back under its label",
    { custom_fields: [{ slug: "region", options: ["EU"] }] },
    { custom_fields: [field("EU", "US")] },
    { custom_fields: [field("EU")] },
  ],
  [
    "what went along with a type is not made again in another of its slug",
    { catalog_types: [] },
    { catalog_types: [named("rack")], "catalog_entries rack": [named("r1", { attributes: {} })] },
    { catalog_types: [named("rack")], "catalog_entries rack": [] },
  ],
  [
    "what went along and by a request of its own is made again once",
    { agents: [] },
    { agents: [named("bot")], "grants bot": [{ ability: "incidents_read" }] },
    { agents: [] },
  ],
  [
    "types that let go of each other come back whole, their entries as well",
    { catalog_types: [] },
    {
      catalog_types: ["hall", "rack"].map((slug, at) => {
        const other = slug === "hall" ? "rack" : "hall";
        const attribute = { name: "Beside", attribute_type: "reference", reference_type: other };
        return { ...named(slug, { id: `t${at}` }), attribute_definitions: [attribute] };
      }),
      "catalog_entries hall": [named("h", { id: "h1", references: [{ key: "beside", target_entry_id: "r1" }] })],
      "catalog_entries rack": [named("r", { id: "r1", references: [{ key: "beside", target_entry_id: "h1" }] })],
    },
    { catalog_types: [] },
  ],
  [
    "several things that were not recorded are all named",
    { custom_fields: [] },
    { custom_fields: [{ slug: "region" }] },
    { custom_fields: [] },
  ],
  [
    "what the service tells nothing of is left out of what is made again",
    { custom_fields: [] },
    { custom_fields: [{ ...field("EU"), description: null }] },
    { custom_fields: [] },
  ],
  [
    "entries of two types come back each in its own",
    {
      catalog_types: [
        { slug: "hall", entries: [] },
        { slug: "rack", entries: [] },
      ],
    },
    {
      catalog_types: [named("hall"), named("rack")],
      "catalog_entries hall": [named("h1", { attributes: {} })],
      "catalog_entries rack": [named("r1", { attributes: {} })],
    },
    { catalog_types: [named("hall"), named("rack")], "catalog_entries hall": [], "catalog_entries rack": [] },
  ],
];

const marks: readonly (readonly [string, ...UndoCase])[] = [
  [
    "the mark goes back with whatever else was changed",
    { severities: [{ slug: "a" }, { slug: "b", name: "New", default: true }] },
    { severities: [level("a", { is_default: true }), level("b")] },
    { severities: [level("a"), level("b", { name: "New", is_default: true })] },
  ],
  [
    "what was switched on is no mark, whoever has the mark since",
    { severities: [{ slug: "a" }, { slug: "b", enabled: true }] },
    { severities: [level("a", { is_default: true }), level("b", { enabled: false })] },
    { severities: [level("a"), level("b", { is_default: true })] },
  ],
  [
    "the marks of two lists go back each in its own",
    {
      severities: [{ slug: "a" }, { slug: "b", default: true }],
      statuses: [
        { slug: "c", lifecycle_stage: "triage" },
        { slug: "d", lifecycle_stage: "triage", default: true },
      ],
    },
    {
      severities: [level("a", { is_default: true }), level("b")],
      statuses: [
        level("c", { is_default: true, lifecycle_stage: "triage" }),
        level("d", { lifecycle_stage: "triage" }),
      ],
    },
    {
      severities: [level("a"), level("b", { is_default: true })],
      statuses: [
        level("c", { lifecycle_stage: "triage" }),
        level("d", { is_default: true, lifecycle_stage: "triage" }),
      ],
    },
  ],
  [
    "a mark that nobody had before stays",
    { severities: [{ slug: "a" }, { slug: "b", default: true }] },
    levels("a", "b"),
    { severities: [level("a"), level("b", { is_default: true })] },
  ],
  [
    "whoever got the mark is gone since",
    { severities: [{ slug: "a" }, { slug: "b", default: true }] },
    { severities: [level("a", { is_default: true }), level("b")] },
    { severities: [level("a", { is_default: true })] },
  ],
];

const lists: readonly (readonly [string, ...UndoCase])[] = [
  [
    "several places go back in the order that there was",
    orders("d", "c", "a"),
    levels("a", "b", "c", "d"),
    levels("d", "c", "a"),
  ],
  [
    "what was made and stays keeps its place",
    { severities: [{ slug: "a" }, named("new", { color: "#fff" }), { slug: "b" }], runbooks: [] },
    { ...levels("a", "b"), runbooks: [named("r", { summary: "" })] },
    { severities: [level("a", { color: "#111" }), level("new", { color: "#eee" }), level("b")] },
  ],
  [
    "what was made and stays is not put back where it never was, while another goes back",
    { severities: [{ slug: "b" }, { slug: "a" }, named("new", { color: "#fff" })] },
    levels("a", "b"),
    { severities: [level("b"), level("a"), level("new", { color: "#eee" })] },
  ],
  ["what was moved is gone since", orders("c", "a", "b"), levels("a", "b", "c"), levels("a", "b")],
  [
    "a place goes back when what was to come before it does",
    orders("a", "c", "b"),
    levels("a", "b", "c"),
    levels("a", "c", "x", "b"),
  ],
  [
    "a place goes back when what was to come after it does",
    orders("a", "c", "b"),
    levels("a", "b", "c"),
    levels("a", "x", "c", "b"),
  ],
  ["a place at the top goes back", orders("b", "a", "c"), levels("a", "b", "c"), levels("b", "x", "a", "c")],
  ["a place at the end goes back", orders("b", "c", "a"), levels("a", "b", "c"), levels("b", "c", "x", "a")],
];

const ranks: readonly (readonly [string, ...UndoCase])[] = [
  ["a rule that was taken away comes back", rules("a"), standing("a", "b"), standing("a")],
  ["a rule at the end that was changed goes back", rules("a", "c"), standing("a", "b"), standing("a", "c")],
  [
    "rules that say no more than they must go back",
    { routing_rules: { workspace: [{ outcome: rule("b").outcome ?? null }] } },
    standing("a"),
    standing("b"),
  ],
  [
    "what a rule is called makes no difference",
    { routing_rules: { workspace: [{ name: "Ours", ...rule("b") }] } },
    standing("a"),
    standing("b"),
  ],
  [
    "rules that were done whole and then cut down stay, whatever else was not done",
    { ...rules("b", "c"), runbooks: [named("a", { name: "New" })] },
    { ...standing("a"), runbooks: [named("a")] },
    { ...standing("b"), runbooks: [named("a")] },
    { open: ["op-1"] },
  ],
  [
    "rules of a run that stopped half-way stay with one of somebody else's",
    rules("b", "c"),
    standing("a"),
    standing("a", "b", "x"),
    { open: ["op-2", "op-3"] },
  ],
  [
    "a rule that was switched off since is another one",
    rules("b"),
    standing("a"),
    { routing_rules: [{ ...rule("b"), enabled: false }] },
  ],
];

test("the undo of resources, defaults, positions and rules restores the state before, and nothing else", async () => {
  await expect(inverseText([...entries, ...marks, ...lists, ...ranks])).toMatchFileSnapshot(golden);
});

test("a run that changed an unknown kind cannot be undone", () => {
  expect(() => inverse({ runbooks: [] }, { runbooks: [named("a")] }, {}, { otherwise: "gadgets" })).toThrow(
    'there is no kind "gadgets"',
  );
});
