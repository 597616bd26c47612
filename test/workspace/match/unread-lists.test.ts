/** What is known of lists that were not read, or not in full. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { DEFAULT_WORKSPACE, NOTHING_READ } from "../../../src/workspace/match/observation.ts";
import { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { configured } from "../../support/plans/configuration.ts";
import { stateOf } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });

test("built-in resources of a default workspace are known if nothing is read, and no others", () => {
  const known = (observation: typeof NOTHING_READ) =>
    ["service", "toString", "rack"].map(
      (slug) => new ResolvedState(kinds, configured({}), observation).fields("catalog_types", slug) !== undefined,
    );
  expect(known(DEFAULT_WORKSPACE)).toEqual([true, false, false]);
  expect(known(NOTHING_READ)).toEqual([false, false, false]);
  expect(new ResolvedState(kinds, configured({}), DEFAULT_WORKSPACE).fields("moons", "service")).toBeUndefined();
});

test("a resource names each list once that tells what its ids stand for, unless that was read", () => {
  const notify = (entry_id: string): Fields => ({ type: "team", entry_id });
  const invite = (...ids: readonly string[]): Fields => ({ action: "attach_to_incident", invite: ids.map(notify) });
  const rules = [
    { outcome: invite("e1", "e2") },
    { outcome: { ...invite("e1"), severity_id: "s9" } },
    { outcome: { action: "drop" } },
  ];
  const unresolved = (unread: readonly string[], more = {}) =>
    stateOf({}, { live: { routing_rules: rules, ...more }, unread })
      .live("routing_rules")
      ?.map((rule) => rule.unresolved?.map(({ kind, scope }) => `${kind} ${scope}`.trim()));
  const teams = "catalog_entries team";
  expect(unresolved(["severities"])).toEqual([[teams], expect.arrayContaining(["severities", teams]), []]);
  expect(unresolved([])).toEqual([[teams], [teams], []]);
  expect(unresolved([], { "catalog_entries team": [] })).toEqual([[], [], []]);
  expect(unresolved([], { "catalog_entries rack": [] })).toEqual([[teams], [teams], []]);
});

test("an id that belongs to nothing stands for itself, unless it is declared as a key", () => {
  const rules = [{ outcome: { action: "attach_to_incident", severity_id: "s9" } }];
  const state = stateOf({ severities: [named("s9")] }, { live: { routing_rules: rules } });
  const other = stateOf({}, { live: { routing_rules: rules } });
  expect(other.id("severities", "s9")).toBe("s9");
  expect(other.id("statuses", "s9")).not.toBe("s9");
  expect(state.id("severities", "s9")).not.toBe("s9");
});

test("what an apply has disabled is disabled, although the service does not return it", () => {
  const rows = { severities: [named("a"), named("b")], runbooks: [named("a")], catalog_types: [named("rack")] };
  const lists = Object.entries(rows).map(([kind, rows]) => ({ kind, scope: "", rows }));
  const disabled = new Set(["severities/a", "catalog_types/rack"]);
  const state = new ResolvedState(kinds, configured({}), { lists, unread: [], disabled });
  const fields = (kind: string) => state.live(kind)?.map((one) => one.fields);
  expect(fields("severities")).toEqual([{ ...named("a"), enabled: false }, named("b")]);
  expect(fields("runbooks")).toEqual([named("a")]);
  expect(Object.keys(fields("catalog_types")?.[0] ?? {}).sort()).toEqual(["name", "slug"]);
});

test("rules of which the service returns conditions of none lack them, and others do not", () => {
  const lacks = (...rows: readonly Fields[]) => {
    const state = stateOf({}, { live: { routing_rules: rows } });
    return ["routing_rules", "severities"].map((name) => {
      const kind = state.kinds.get(name);
      return kind !== undefined && state.lacksConditions(kind);
    });
  };
  const outcome = { action: "drop" };
  expect(lacks({ outcome }, { outcome })).toEqual([true, false]);
  expect(lacks({ outcome }, { outcome, conditions: [] })).toEqual([false, false]);
  expect(lacks()).toEqual([false, false]);
});

test("an entry of a source has the declared key in its own type, and is known by no other type's", () => {
  const origin = { source: "csv", external_id: "1" };
  const type = (slug: string, ...entries: readonly Fields[]) => named(slug, { entries });
  const document = { catalog_types: [type("rack", named("new", origin)), type("hall")] };
  const live = {
    catalog_types: [named("rack"), named("hall")],
    "catalog_entries rack": [named("old", { ...origin, id: "r1" })],
    "catalog_entries hall": [named("old", { ...origin, id: "h1" })],
  };
  const state = stateOf(document, { live });
  expect(["r1", "h1"].map((id) => state.key("catalog_entries", id))).toEqual(["new", "old"]);
  expect(state.all("catalog_entries").map(({ address }) => address)).toEqual([
    "catalog_types/rack/entries/new",
    "catalog_types/hall/entries/old",
  ]);
});
