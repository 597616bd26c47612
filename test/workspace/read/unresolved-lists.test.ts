/** Lists that are read because the plan writes, removes or checks something that only they explain. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { NOTHING_READ } from "../../../src/workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../../src/workspace/match/resolve.ts";
import type { ReadTarget } from "../../../src/workspace/read/observe.ts";
import {
  answeredFields,
  checkingLists,
  listsToProve,
  optionCounts,
  referencedLists,
  removalLists,
  unresolvedLists,
} from "../../../src/workspace/read/what-to-read.ts";
import { configured } from "../../support/plans/configuration.ts";
import { type PlanInput, resolvedOf } from "../../support/plans/make-plan.ts";

type Reads = (resolved: ResolvedWorkspace) => readonly ReadTarget[];

function wanted(reads: Reads, document: Fields, given: PlanInput = {}): readonly string[] {
  const all = reads(resolvedOf(document, given)).map((want) =>
    "every" in want ? `${want.kind} *` : `${want.kind} ${want.scope}`.trim(),
  );
  return [...new Set(all)];
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const select = (slug: string, ...labels: readonly string[]): Fields =>
  named(slug, { field_type: "single_select", options: labels.map((label) => ({ id: label, label })) });

describe("a list that tells what ids of a live resource stand for", () => {
  const field = named("service", { field_type: "catalog", catalog_type_id: "t1" });
  const given: PlanInput = { live: { custom_fields: [field] }, unread: ["catalog_types"] };

  test.each<[string, readonly string[], Fields]>([
    ["is read if the resource changes", ["catalog_types"], { custom_fields: [named("service", { name: "New" })] }],
    [
      "is read if a value that it has none of is declared",
      ["catalog_types"],
      { custom_fields: [{ slug: "service", description: "D" }] },
    ],
    ["is read if the resource is removed", ["catalog_types"], { custom_fields: [] }],
    ["is not read if it stays as it is", [], { custom_fields: [named("service", { field_type: "catalog" })] }],
    ["is not read if nothing manages it", [], { severities: [] }],
  ])("%s", (_title, lists, document) => {
    expect(wanted(unresolvedLists, document, given)).toEqual(lists);
  });

  test("is not read for a resource without ids, whatever changes", () => {
    const live = { custom_fields: [named("service", { field_type: "text" })] };
    const document = { custom_fields: [named("service", { name: "New" })] };
    expect(wanted(unresolvedLists, document, { ...given, live })).toEqual([]);
  });

  test("is read for the rules of a managed list, which may move, and for no others", () => {
    const notify = (target: Fields): Fields => ({ action: "notify_only", notify: { type: "team", ...target } });
    const rules = [{ outcome: notify({ entry_id: "e1" }) }, { outcome: { action: "drop" } }];
    const live = { routing_rules: rules };
    const document = { routing_rules: { workspace: [{ outcome: { action: "drop" } }] } };
    expect(wanted(unresolvedLists, document, { live })).toEqual(["catalog_entries team"]);
    expect(wanted(unresolvedLists, { severities: [] }, { live })).toEqual([]);
  });

  test("is read if it may lead to a resource that is removed", () => {
    const live = {
      catalog_types: [named("rack")],
      "catalog_entries rack": [named("r1")],
      severities: [named("major")],
      routing_rules: [{ outcome: { action: "notify_only", notify: { type: "team", entry_id: "e9" } } }],
    };
    const removed = (document: Fields) => wanted(removalLists, document, { live });
    expect(removed({ catalog_types: [{ slug: "rack", entries: [] }] })).toContain("catalog_entries team");
    expect(removed({ severities: [] })).not.toContain("catalog_entries team");
  });
});

describe("the catalog types", () => {
  const rule = (...fields: readonly string[]): Fields => ({
    conditions: fields.map((field) => ({ field, operator: "is", value: "a" })),
    outcome: { action: "drop" },
  });
  const document = (...rules: readonly Fields[]): Fields => ({ routing_rules: { workspace: rules } });

  test("are read once to check the attributes that rules name", () => {
    const resolved = resolvedOf(document(rule("title"), rule("service.tier"), rule("team.size")));
    expect(checkingLists(resolved)).toEqual([{ kind: "catalog_types", scope: "" }]);
    expect(checkingLists(resolvedOf(document(rule("title"))))).toEqual([]);
  });

  test("are not read to check rules outside a partial run", () => {
    const both = { ...document(rule("service.tier")), severities: [named("major")] };
    const all = configured(both);
    const managed = all.managed.filter(({ kind }) => kind === "severities");
    const part = { ...all, managed, reach: { targets: ["severities"], excludes: [] } };
    expect(checkingLists(resolve(part, kinds, NOTHING_READ))).toEqual([]);
  });
});

describe("the answers of incidents", () => {
  const live = {
    catalog_types: [named("service", { kind: "system" }), named("rack")],
    "catalog_entries service": [named("web")],
    "catalog_entries rack": [named("r1")],
    custom_fields: [select("region", "EU", "US"), select("zone", "A"), named("affected", { catalog_type: "service" })],
  };
  const keys = (document: Fields) => answeredFields(resolvedOf(document, { live })).map(({ key }) => key);
  const fields = (...slugs: readonly string[]): Fields => ({ custom_fields: slugs.map((slug) => ({ slug })) });

  test("are read for a field that is removed or loses an option, once", () => {
    expect(keys(fields("region", "affected"))).toEqual(["zone"]);
    expect(keys({ custom_fields: [{ slug: "region", options: ["EU"] }, { slug: "zone" }] })).toEqual([
      "region",
      "affected",
    ]);
    expect(keys(fields("region", "zone", "affected"))).toEqual([]);
  });

  test("are read for every field if an entry is removed that may be a choice of one", () => {
    const all = live.custom_fields.map(({ slug }) => slug);
    const without = (slug: string): Fields => ({ catalog_types: [{ slug, entries: [] }] });
    expect(keys(without("service")).toSorted()).toEqual(all.toSorted());
    expect(keys({ ...without("service"), custom_fields: [{ slug: "region", options: [] }] }).toSorted()).toEqual(
      all.toSorted(),
    );
    expect(keys({ severities: [] })).toEqual([]);
  });

  test("are not read for a change of a resource that incidents do not answer", () => {
    const status = (stage: string) => named("open", { lifecycle_stage: stage });
    const document = { statuses: [status("closed")] };
    expect(optionCounts(resolvedOf(document, { live: { statuses: [status("active")] } }))).toEqual([]);
  });

  test("are not read for another list than one of options", () => {
    const book = (...steps: readonly string[]): Fields =>
      named("failover", { steps: steps.map((title) => ({ title, label: title })) });
    const resolved = resolvedOf({ runbooks: [book("a")] }, { live: { runbooks: [book("a", "b")] } });
    expect(wanted(removalLists, { runbooks: [book("a")] }, { live: { runbooks: [book("a", "b")] } })).toEqual([]);
    expect(optionCounts(resolved)).toEqual([]);
  });
});

test("the list of a reference is proved complete if any resource has a missing one", () => {
  const on = (slug: string): Fields => ({ condition_field: "severity", operator: "one_of", values: [slug] });
  const document = {
    runbooks: [named("a", { conditions: [on("ghost")] }), named("b", { conditions: [on("major")] })],
  };
  const live = { severities: [named("major")], runbooks: [named("a"), named("b")] };
  expect(wanted(listsToProve, document, { live })).toEqual(["severities"]);
});

test("a reference that several forms may answer is looked for in each of them", () => {
  const region = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
  const document = { forms: { resolve: [{ custom_field: "zone", conditions: [region] }] } };
  expect(wanted(referencedLists, document)).toEqual(expect.arrayContaining(["forms declare", "forms resolve"]));
});
