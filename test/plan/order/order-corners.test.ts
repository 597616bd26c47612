/** What waits for what, where little differs from another case: what exists already, what goes, what is only disabled. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { order, planned } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const reference = (slug: string, other: string): Fields =>
  named(slug, { attributes: [{ name: "To", attribute_type: "reference", reference_type: other }] });

test("a new resource does not wait for the change of one that exists", () => {
  const document = { catalog_types: [reference("a", "b"), named("b", { name: "New" })] };
  expect(order(document, { live: { catalog_types: [named("b")] } })).toEqual([
    "POST catalog_types/a",
    "PATCH catalog_types/b",
  ]);
});

test("what an agent may do from now on waits until it is disabled, and what it may do no more is taken without that", () => {
  const document = { agents: [named("bot", { enabled: false, grants: [{ ability: "incidents.read" }] })] };
  const live = { agents: [named("bot")], "grants bot": [{ ability: "runbooks.read" }] };
  expect(order(document, { live })).toEqual([
    "PATCH agents/bot",
    "POST agents/bot/grants/incidents.read after PATCH agents/bot",
    "DELETE agents/bot/grants/runbooks.read",
  ]);
});

test("the target of an entry goes after the type with which the service deletes that entry", () => {
  const entry = (slug: string, ...targets: readonly string[]) =>
    named(slug, { id: slug, references: targets.map((target_entry_id) => ({ key: "to", target_entry_id })) });
  const live = {
    catalog_types: [named("team"), { ...reference("rack", "team") }],
    "catalog_entries team": [entry("web"), entry("core")],
    "catalog_entries rack": [entry("r1", "web")],
  };
  const document = { catalog_types: [{ slug: "team", entries: [{ slug: "core" }] }] };
  expect(order(document, { live })).toEqual([
    "DELETE catalog_types/rack",
    "DELETE catalog_types/team/entries/web after DELETE catalog_types/rack",
  ]);
});

test("the positions of a managed list, and what follows from them, are those after all its requests", () => {
  const live = {
    severities: ["a", "b", "c"].map((slug) => named(slug, { rank: 3 })),
    statuses: [named("open", { lifecycle_stage: "active" })],
  };
  const document = { severities: [named("c"), named("new"), named("a")] };
  const { operations, changes, derived } = planned(document, { live });
  expect({
    sent: operations.map(({ method, address, body }) => [method, address, body?.position]),
    changes: changes.map(({ address, fields, neighbours }) => [
      address,
      fields.filter(({ path }) => path === "/position").map(({ before, after }) => [before, after]),
      neighbours,
    ]),
    derived: derived.map(({ address, path, before, after }) => [address, path, before, after]),
  }).toEqual({
    sent: [
      ["PATCH", "severities/c", 1],
      ["POST", "severities/new", 2],
      ["DELETE", "severities/b", undefined],
    ],
    changes: [
      ["severities/c", [[3, 1]], { after: "new" }],
      ["severities/new", [[null, 2]], { before: "c", after: "a" }],
      ["severities/b", [], undefined],
    ],
    derived: [
      ["severities/new", "/rank", null, 2],
      ["severities/a", "/rank", 3, 1],
    ],
  });
});
