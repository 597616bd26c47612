/** The reasons of removals, where several hold at once. */

import { expect, test } from "vitest";
import { exemptionsOf } from "../../../src/config/settings/exemptions.ts";
import type { Fields } from "../../../src/core/json.ts";
import { decideRemovals } from "../../../src/plan/removal/decide.ts";
import { deletionRefusedKey } from "../../../src/workspace/match/last-applied.ts";
import { contextOf, type PlanInput, planned } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });

function changes(document: Fields, input: PlanInput): readonly string[] {
  return planned(document, input).changes.map(({ action, address, reason }) => `${action} ${address}: ${reason}`);
}

test("a resource that is known to be used is not also said to be used by what could not be read", () => {
  const live = { severities: [named("minor")], runbooks: [named("a", { conditions: [on("minor")] })] };
  const minor = (given: PlanInput) => changes({ severities: [] }, { unread: ["forms"], ...given });
  expect(minor({ live })).toEqual(["disable severities/minor: not in the configuration; used by runbooks/a"]);
  const held = { "severity-minor": 2 };
  expect(minor({ live: { severities: live.severities }, held })).toEqual([
    "disable severities/minor: not in the configuration; used by 2 incidents",
  ]);
  expect(minor({ live: { severities: live.severities } })).toEqual([
    "disable severities/minor: not in the configuration; may be used by forms, which could not be read",
  ]);
});

test("a deletion that the service has refused is tried again if the policy is to delete", () => {
  const lastApplied = { hashes: { [deletionRefusedKey("catalog_types/a")]: "refused" }, resend: false };
  const given = { live: { catalog_types: [named("a")] }, lastApplied };
  const decided = (standard: "delete" | "disable_or_delete") => {
    const context = contextOf(
      { catalog_types: [] },
      { ...given, settings: { removal: { default: standard, kinds: {} } } },
    );
    const live = context.state.live("catalog_types") ?? [];
    return decideRemovals(context, live, () => []).map(({ action, wasRefused }) => [action, wasRefused]);
  };
  expect(decided("delete")).toEqual([["delete", false]]);
  expect(decided("disable_or_delete")).toEqual([["preserve", true]]);
});

test("an entry that references itself is held by itself only if it stays", () => {
  const attribute = { name: "Beside", attribute_type: "reference", reference_type: "rack" };
  const entry = (slug: string, ...targets: readonly string[]) =>
    named(slug, { id: slug, references: targets.map((target_entry_id) => ({ key: "beside", target_entry_id })) });
  const live = {
    catalog_types: [named("rack", { attributes: [attribute] })],
    "catalog_entries rack": [entry("alone", "alone"), entry("held", "held"), entry("kept", "held")],
  };
  const context = contextOf({ catalog_types: [named("rack", { entries: [{ slug: "kept" }] })] }, { live });
  const entries = context.state.live("catalog_entries", "rack") ?? [];
  const remaining = entries.map((one) => ({ ...one, hidesReferences: false, unresolved: [] }));
  const removals = decideRemovals(
    context,
    entries.filter(({ key }) => key !== "kept"),
    () => remaining,
  );
  expect(removals.map(({ live: { key }, action, usedBy }) => [key, action, usedBy])).toEqual([
    ["alone", "delete", []],
    ["held", "preserve", ["catalog_types/rack/entries/kept", "itself"]],
  ]);
});

test("a resource stays if an ignored one would be deleted with it, whatever the policy", () => {
  const live = { catalog_types: [named("a")], "catalog_entries a": [named("a1"), named("a2")] };
  const context = contextOf({ catalog_types: [] }, { live, settings: { removal: { default: "delete", kinds: {} } } });
  const configuration = { ...context.state.configuration, exemptions: exemptionsOf(["catalog_types/a/entries/a1"]) };
  Object.assign(context.state, { configuration });
  const types = context.state.live("catalog_types") ?? [];
  expect(decideRemovals(context, types, () => []).map(({ action, usedBy }) => [action, usedBy])).toEqual([
    ["preserve", ["catalog_types/a/entries/a1"]],
  ]);
});
