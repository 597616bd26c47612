/** What is not read for a plan where little differs from what would be: another kind's scopes, another list, a narrower run. */

import { describe, expect, test } from "vitest";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { NOTHING_READ } from "../../../src/workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../../src/workspace/match/resolve.ts";
import type { ReadTarget } from "../../../src/workspace/read/observe.ts";
import {
  childLists,
  listsToProve,
  needsDetail,
  rankedScopeLists,
  referencedLists,
  removalLists,
} from "../../../src/workspace/read/what-to-read.ts";
import { configured } from "../../support/plans/configuration.ts";
import { type PlanInput, resolvedOf } from "../../support/plans/make-plan.ts";

type Reads = (resolved: ResolvedWorkspace) => readonly ReadTarget[];

/** The collections that are wanted by a run that may change what `reach` says: `kind`, or `kind scope`. */
function wanted(reads: Reads, document: Fields, given: PlanInput = {}, reach?: Configuration["reach"]) {
  const all = reads(resolvedOf(document, { ...given, ...(reach === undefined ? {} : { reach }) }));
  return all.map((want) => ("every" in want ? `${want.kind} *` : `${want.kind} ${want.scope}`.trim()));
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const text = (name: string): Fields => ({ name, attribute_type: "text" });
const on = (field: string, ...values: readonly string[]): Fields => ({
  condition_field: field,
  operator: "one_of",
  values,
});
const drop = { outcome: { action: "drop" } };

describe("a partial run", () => {
  const document = {
    runbooks: [
      named("a", { conditions: [on("severity", "major")], summary: "A." }),
      named("b", { conditions: [on("incident_type", "outage")], summary: "B." }),
    ],
  };
  const onlyA = { targets: ["runbooks/a"], excludes: [] };

  test("reads what its part references", () => {
    expect(wanted(referencedLists, document)).toEqual(["severities", "incident_types"]);
    expect(wanted(referencedLists, document, {}, onlyA)).toEqual(["severities"]);
  });

  test("reads no single resources outside its part", () => {
    const asks = needsDetail({ ...configured(document), reach: onlyA });
    const kind = kinds.find(({ name }) => name === "runbooks");
    if (kind === undefined) throw new Error("there are runbooks");
    expect(["a", "b"].map((slug) => asks(kind, named(slug)))).toEqual([true, false]);
  });
});

test("nested resources of two kinds have parents of their own", () => {
  const document = {
    agents: [named("bot", { grants: [{ ability: "incidents_read" }] })],
    catalog_types: [named("rack", { entries: [named("r1")] })],
  };
  expect(wanted(referencedLists, document).toSorted()).toEqual(["agents", "catalog_types"]);
});

describe("the fallback of a scope", () => {
  test("is read for rules only: entries of a type have none", () => {
    const document = { catalog_types: [named("rack", { entries: [named("r1"), named("r2")] })] };
    expect(wanted(rankedScopeLists, document, { live: { catalog_types: [named("rack")] } })).toEqual([]);
  });

  test("is not read if the sources could not be read", () => {
    const sources = [{ name: "New", renamed_from: "Old" }];
    const document = { routing_rules: { sources: { New: [drop, drop] } } };
    expect(wanted(rankedScopeLists, document, { unread: ["alert_sources"] })).toEqual([]);
    const renamed = { ...document, alert_sources: sources };
    const configuration = { ...configured(renamed), managed: configured(document).managed };
    expect(rankedScopeLists(resolve(configuration, kinds, NOTHING_READ))).toEqual([]);
  });
});

describe("a possible user of a removed attribute", () => {
  const type = (...names: readonly string[]): Fields => named("rack", { attributes: names.map(text) });

  test("is not read if every attribute stays, even a single one", () => {
    expect(
      wanted(childLists, { catalog_types: [type("Floor")] }, { live: { catalog_types: [type("Floor")] } }),
    ).toEqual([]);
  });

  test("is not a referrer of the type, which loses only an attribute", () => {
    const live = { catalog_types: [type("Floor", "Room")] };
    expect(wanted(removalLists, { catalog_types: [type("Floor")] }, { live })).toEqual([]);
  });
});

test("a ranked list is always proved complete", () => {
  const document = { routing_rules: { workspace: [drop] } };
  expect(wanted(listsToProve, document, { live: { routing_rules: [drop] } })).toEqual(["routing_rules"]);
});

test("a row is found by any of its key fields", () => {
  const kind = kinds.find(({ name }) => name === "forms");
  if (kind === undefined) throw new Error("there are forms");
  const form = { system_field: "summary", required: true };
  const asks = needsDetail(configured({ forms: { declare: [form, { custom_field: "region", visible: true }] } }));
  expect(asks(kind, { custom_field: "region" })).toBe(true);
  expect(asks(kind, { custom_field: "region", visible: true })).toBe(false);
  expect(asks(kind, { system_field: "summary" })).toBe(true);
});
