/** What taking back a run asks for, a line for each list, wish and warning: what the run found, and what is there now. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { field, inverseText, level, named, rule, type UndoCase } from "../../support/plans/make-undo.ts";

const golden = fileURLToPath(new URL("golden/rollback.txt", import.meta.url));

const cases: readonly (readonly [string, ...UndoCase])[] = [
  ["what was made goes", { webhooks: [{ name: "new", url: "u" }] }, {}, { webhooks: [{ name: "new", url: "u" }] }],
  [
    "what was made and changed since stays",
    { webhooks: [{ name: "new", url: "u" }] },
    {},
    { webhooks: [{ name: "new", url: "other" }] },
  ],
  ["what was made is gone since", { webhooks: [{ name: "new", url: "u" }] }, {}, {}],
  [
    "what was made got another field since",
    { runbooks: [named("new")] },
    {},
    { runbooks: [named("new", { summary: "Now." })] },
    { created: { "runbooks/new": [named("new", { summary: "Then." })] } },
  ],
  [
    "a field of a form cannot go",
    { forms: { declare: [{ custom_field: "region", required: true }] } },
    { custom_fields: [field("EU")], "forms declare": [] },
    {
      custom_fields: [field("EU")],
      "forms declare": [{ slug: "region", custom_field: "region", required: true, visible: true, conditions: [] }],
    },
  ],
  [
    "fields that were changed go back, others stay as they are",
    { severities: [level("a", { color: "#fff", description: "New." }), { slug: "b" }] },
    { severities: [level("a"), level("b")] },
    { severities: [level("a", { color: "#fff", description: "New.", name: "Since" }), level("b")] },
  ],
  [
    "a field that somebody has changed since stays",
    { severities: [level("a", { color: "#fff", description: "New." })] },
    { severities: [level("a")] },
    { severities: [level("a", { color: "#eee", description: "New." })] },
  ],
  [
    "a field that is as before again needs nothing",
    { severities: [level("a", { color: "#fff" })] },
    { severities: [level("a")] },
    { severities: [level("a")] },
  ],
  [
    "a field that is not told stays",
    { runbooks: [named("a", { summary: "New." })] },
    { runbooks: [named("a", { summary: "Old." })] },
    { runbooks: [named("a")] },
  ],
  [
    "a secret was not recorded",
    { webhooks: [{ name: "chat", url: "new" }] },
    { webhooks: [{ name: "chat", url: "old" }] },
    { webhooks: [{ name: "chat", url: "new" }] },
    { secret: "webhooks/chat" },
  ],
  [
    "a secret of a renamed webhook was not recorded, which its change says under the name that it gets back",
    { webhooks: [{ name: "board", url: "new", renamed_from: "pager" }] },
    { webhooks: [{ id: "w1", name: "pager", url: "old" }] },
    { webhooks: [{ id: "w1", name: "board", url: "new" }] },
    { secret: "webhooks/board" },
  ],
  [
    "what was changed is gone since",
    { severities: [level("a", { color: "#fff" })] },
    { severities: [level("a")] },
    { severities: [] },
  ],
  [
    "a name goes back",
    { webhooks: [{ name: "new", renamed_from: "old" }, { name: "kept" }] },
    {
      webhooks: [
        { name: "old", url: "u", id: "w1" },
        { name: "kept", url: "k", enabled: false },
      ],
    },
    {
      webhooks: [
        { name: "new", url: "u", id: "w1" },
        { name: "kept", url: "k", enabled: false },
      ],
    },
  ],
  [
    "what was deleted is made again, with what went along",
    { catalog_types: [{ slug: "kept" }], runbooks: [] },
    {
      catalog_types: [named("kept"), named("rack", { attributes: [{ name: "Floor", attribute_type: "text" }] })],
      "catalog_entries rack": [named("r1", { attributes: { floor: "1" } })],
      runbooks: [named("a", { summary: "Do it.", content: null })],
    },
    { catalog_types: [named("kept")] },
  ],
  [
    "what was deleted is there again",
    { runbooks: [] },
    { runbooks: [named("a", { summary: "Old." })] },
    { runbooks: [named("a", { summary: "Since." })] },
  ],
  [
    "what was deleted and lacks what a creation needs is not made again",
    { webhooks: [] },
    { webhooks: [{ name: "chat" }] },
    {},
  ],
  [
    "an attribute that had no value has none again",
    { catalog_types: [{ slug: "rack", entries: [{ slug: "r1", attributes: { tier: "gold" } }] }] },
    {
      catalog_types: [
        named("rack", {
          attributes: [
            { name: "Floor", attribute_type: "text" },
            { name: "Tier", attribute_type: "text" },
          ],
        }),
      ],
      "catalog_entries rack": [named("r1", { attributes: { floor: "1" } })],
    },
    {
      catalog_types: [
        named("rack", {
          attributes: [
            { name: "Floor", attribute_type: "text" },
            { name: "Tier", attribute_type: "text" },
          ],
        }),
      ],
      "catalog_entries rack": [named("r1", { attributes: { floor: "1", tier: "gold" } })],
    },
  ],
  [
    "a resource that was created disabled is removed as any other",
    { severities: [{ slug: "a" }, { slug: "off", name: "off", enabled: false }] },
    { severities: [level("a")] },
    { severities: [level("a"), level("off", { enabled: false })] },
  ],
  ["what held a token gets another one", { agents: [] }, { agents: [named("bot", { description: null })] }, {}],
  [
    "what was disabled instead of deleted is enabled",
    { severities: [{ slug: "a" }] },
    { severities: [level("a"), level("b")] },
    { severities: [level("a"), level("b", { enabled: false })] },
  ],
  [
    "the default goes back to the one that had it",
    { severities: [{ slug: "a" }, { slug: "b", default: true }] },
    { severities: [level("a", { is_default: true }), level("b")] },
    { severities: [level("a"), level("b", { is_default: true })] },
  ],
  [
    "the default goes back to the one before it, which is made again",
    { severities: [{ slug: "b", default: true }] },
    { severities: [level("a", { is_default: true }), level("b")] },
    { severities: [level("b", { is_default: true })] },
  ],
  [
    "the default has moved on since",
    { severities: [{ slug: "a" }, { slug: "b", default: true }, { slug: "c" }] },
    { severities: [level("a", { is_default: true }), level("b"), level("c")] },
    { severities: [level("a"), level("b"), level("c", { is_default: true })] },
  ],
  [
    "an order goes back",
    { severities: [{ slug: "c" }, { slug: "a" }, { slug: "b" }] },
    { severities: [level("a"), level("b"), level("c")] },
    { severities: [level("c"), level("a"), level("b")] },
  ],
  [
    "an order that was changed since stays",
    { severities: [{ slug: "c" }, { slug: "a" }, { slug: "b" }] },
    { severities: [level("a"), level("b"), level("c")] },
    { severities: [level("a"), level("b"), level("d"), level("c"), level("e")] },
  ],
  [
    "a deleted entry goes back to its place",
    { severities: [{ slug: "a" }, { slug: "c" }] },
    { severities: [level("a"), level("b"), level("c")] },
    { severities: [level("a"), level("c")] },
  ],
  [
    "options go back, a renamed one under the label that it has",
    { custom_fields: [{ slug: "region", options: [{ label: "Europe", renamed_from: "EU" }, "US", "MEA"] }] },
    { custom_fields: [field("EU", "US")] },
    { custom_fields: [field("Europe", "US", "MEA")] },
  ],
  [
    "rules go back whole",
    { routing_rules: { workspace: [rule("b"), rule("a")] } },
    { routing_rules: [rule("a"), rule("b")] },
    { routing_rules: [rule("b"), rule("a")] },
  ],
  [
    "rules that are as before need nothing",
    { routing_rules: { workspace: [rule("b")] } },
    { routing_rules: [rule("a")] },
    { routing_rules: [rule("a")] },
  ],
  [
    "rules that were changed since stay",
    { routing_rules: { workspace: [rule("b")] } },
    { routing_rules: [rule("a")] },
    { routing_rules: [rule("c")] },
  ],
  [
    "rules of a run that stopped half-way are of both lists",
    { routing_rules: { workspace: [rule("b"), rule("c")] } },
    { routing_rules: [rule("a")] },
    { routing_rules: [rule("a"), rule("b")] },
    { open: ["op-2", "op-3"] },
  ],
  [
    "what was not done is not taken back",
    { severities: [level("a", { color: "#fff" })], webhooks: [{ name: "chat", url: "u" }] },
    { severities: [level("a")] },
    { severities: [level("a", { color: "#fff" })] },
    { open: ["op-1"] },
  ],
  [
    "what was made with a secret goes, whatever the secret is now",
    { webhooks: [{ name: "new", url: "u" }] },
    {},
    { webhooks: [{ name: "new", url: "other" }] },
    { secret: "webhooks/new" },
  ],
  [
    "what was made and changed since in several fields stays",
    { runbooks: [named("new", { summary: "A", content: "B" })] },
    {},
    { runbooks: [named("new", { summary: "C", content: "D" })] },
  ],
  [
    "what follows from the order is nobody's change",
    { severities: [named("new"), { slug: "a" }] },
    { severities: [level("a", { rank: 1 })] },
    { severities: [level("new", { rank: 7 }), level("a", { rank: 1 })] },
    { created: { "severities/new": [{ rank: 2 }] } },
  ],
  [
    "what was done in part is taken back as far as it was done",
    { custom_fields: [{ slug: "region", name: "Other", options: [{ label: "Europe", renamed_from: "EU" }, "US"] }] },
    { custom_fields: [field("EU", "US")] },
    { custom_fields: [{ ...field("EU", "US"), name: "Other" }] },
    { open: ["op-2"] },
  ],
  [
    "an entry goes back in its own type, and not in another that has one of its name",
    {
      catalog_types: [
        { slug: "rack", entries: [named("r1", { name: "New" })] },
        { slug: "hall", entries: [{ slug: "r1" }] },
      ],
    },
    {
      catalog_types: [named("rack"), named("hall")],
      "catalog_entries rack": [named("r1", { attributes: {} })],
      "catalog_entries hall": [named("r1", { attributes: {}, id: "h1" })],
    },
    {
      catalog_types: [named("rack"), named("hall")],
      "catalog_entries rack": [named("r1", { attributes: {}, name: "New" })],
      "catalog_entries hall": [named("r1", { attributes: {}, id: "h1" })],
    },
  ],
  [
    "rules of a source go back with those of the workspace, each list by itself",
    { routing_rules: { workspace: [rule("b")], sources: { Datadog: [rule("d")] } } },
    {
      alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
      routing_rules: [rule("a")],
      "routing_rules Datadog": [rule("c"), rule("d")],
    },
    {
      alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
      routing_rules: [rule("b")],
      "routing_rules Datadog": [rule("x")],
    },
  ],
  [
    "two have the name of what was changed",
    { webhooks: [{ name: "chat", url: "new" }] },
    { webhooks: [{ name: "chat", url: "old" }] },
    {
      webhooks: [
        { name: "chat", url: "new", id: "w1" },
        { name: "chat", url: "new", id: "w2" },
      ],
    },
  ],
  [
    "a name goes back, and what else was changed does so for itself",
    {
      catalog_types: [
        { slug: "hall", entries: [named("old", { name: "Other" })] },
        { slug: "rack", entries: [named("first", { name: "New" }), { slug: "new", renamed_from: "old" }] },
      ],
      runbooks: [named("old", { summary: "New." })],
    },
    {
      catalog_types: [named("hall"), named("rack")],
      "catalog_entries hall": [named("old", { id: "h1", attributes: {} })],
      "catalog_entries rack": [named("first", { attributes: {} }), named("old", { id: "r1", attributes: {} })],
      runbooks: [named("old", { summary: "Old." })],
    },
    {
      catalog_types: [named("hall"), named("rack")],
      "catalog_entries hall": [named("old", { id: "h1", name: "Other", attributes: {} })],
      "catalog_entries rack": [
        named("first", { name: "New", attributes: {} }),
        named("new", { id: "r1", name: "old", attributes: {} }),
      ],
      runbooks: [named("old", { summary: "New." })],
    },
  ],
  [
    "what was made goes when it is as the service gave it then",
    { severities: [named("new", { color: "#fff" })], runbooks: [named("new")] },
    {},
    {
      severities: [level("new", { color: "#fff", description: "Told." })],
      runbooks: [named("new", { summary: "Told." })],
    },
    {
      created: {
        "severities/new": [{ color: "#FFF", description: "Told." }],
        "runbooks/new": [{ summary: "Told." }],
      },
    },
  ],
  [
    "attributes go back, whatever the service keeps of them",
    { catalog_types: [{ slug: "rack", attributes: [{ name: "Floor", attribute_type: "text" }] }] },
    { catalog_types: [named("rack", { attributes: [] })] },
    {
      catalog_types: [
        named("rack", { attributes: [{ name: "Floor", attribute_type: "text", required: true, role: "tier" }] }),
      ],
    },
  ],
  [
    "what was changed and has been disabled since stays disabled",
    { severities: [level("a", { color: "#fff" })] },
    { severities: [level("a")] },
    { severities: [level("a", { color: "#fff", enabled: false })] },
  ],
  [
    "what was switched on is switched off",
    { forms: { declare: [{ custom_field: "region", required: true }] } },
    {
      custom_fields: [field("EU")],
      "forms declare": [{ slug: "region", custom_field: "region", required: false, visible: true, conditions: [] }],
    },
    {
      custom_fields: [field("EU")],
      "forms declare": [{ slug: "region", custom_field: "region", required: true, visible: true, conditions: [] }],
    },
  ],
  [
    "what was deleted is made again, and what was changed and is gone since is not",
    { severities: [level("a", { color: "#fff" })], runbooks: [] },
    { severities: [level("a")], runbooks: [named("b", { summary: "Old." })] },
    { severities: [] },
  ],
];

test("the undo of a run restores the state before, except where it has been changed since", async () => {
  await expect(inverseText(cases)).toMatchFileSnapshot(golden);
});
