/** What is looked at before a request where little differs from another case: whose list it is, what the plan has changed of it. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Precondition } from "../../../src/plan/model/plan.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

/** The guards of a plan, by method and address. */
function guards(document: Fields, live: PlanInput["live"] = {}): Readonly<Record<string, Precondition | undefined>> {
  const { operations } = planned(document, { live });
  return Object.fromEntries(operations.map(({ method, address, guard }) => [`${method} ${address}`, guard]));
}

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const to = (channel_id: string): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } });
const when = (...services: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value: services });
const rule = (outcome: Fields, ...conditions: readonly Fields[]): Fields => ({ conditions, outcome, enabled: true });

describe("the first rule that is added to a source", () => {
  const rules = [rule(to("WEB"), when("web")), rule(to("DB"), when("db"))];
  const known = (name: string, more: Fields = {}) => {
    const live = {
      alert_sources: [
        { name: "Old", endpoint_path: "old" },
        { name: "Other", endpoint_path: "other" },
      ],
      "routing_rules Old": [{ ...rules[0], id: "r1" }],
    };
    const document = { ...more, routing_rules: { sources: { [name]: rules } } };
    return guards(document, live)[`POST routing_rules/${name}/2`]?.known;
  };

  test("finds the list as it was read, whatever other sources there are", () => {
    expect(known("Old")).toEqual([{ id: "r1", priority: 1 }]);
  });

  test("finds nothing that could be known under a name that the source has only then", () => {
    expect(known("New", { alert_sources: [{ name: "New", renamed_from: "Old" }, { name: "Other" }] })).toBeUndefined();
  });
});

test("values of an entry are held against it where its type changes in other ways", () => {
  const live = {
    catalog_types: [
      named("rack", { color: "#000000", attribute_definitions: [{ name: "Floor", attribute_type: "text" }] }),
    ],
    "catalog_entries rack": [named("r1", { attributes: { floor: "3" }, references: [] })],
  };
  const document = { catalog_types: [{ slug: "rack", color: "#112233", entries: [named("r1", { name: "New" })] }] };
  const found = guards(document, live);
  expect(Object.keys(found)).toEqual(["PATCH catalog_types/rack", "PATCH catalog_types/rack/entries/r1"]);
  const guard = found["PATCH catalog_types/rack/entries/r1"];
  expect(Object.keys(guard?.held ?? {}).sort()).toEqual(["attributes", "name", "references", "slug"]);
});
