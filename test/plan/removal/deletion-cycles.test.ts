/** Who lets go of what when entries that mention each other go together: whoever says something of another, and no more of it. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const to = (other: string): Fields => ({ name: `To ${other}`, attribute_type: "reference", reference_type: other });
const type = (slug: string, ...others: readonly string[]): Fields => ({ slug, name: slug, attributes: others.map(to) });
const entry = (slug: string, ...values: readonly (readonly [string, string])[]): Fields => ({
  slug,
  name: slug,
  references: values.map(([key, target]) => ({ key, target_entry_id: `entry-${target}` })),
});

/** The requests that take away every type that is live, with what they say. */
function deletionRequests(live: PlanInput["live"] = {}): readonly string[] {
  return planned({ catalog_types: [] }, { live }).operations.map(
    ({ method, address, body }) => `${method} ${address}${body === null ? "" : ` ${JSON.stringify(body.attributes)}`}`,
  );
}

test("a resource without references is not detached, even if it is the first that waits", () => {
  const requests = deletionRequests({ catalog_types: [type("a"), type("b", "c", "a"), type("c", "b")] });
  expect(requests.filter((line) => line.startsWith("PATCH"))).toEqual(["PATCH catalog_types/b []"]);
  expect(requests).toHaveLength(4);
});

test("the resource that two wait for is deleted first, and none is detached", () => {
  const live = { catalog_types: [type("a"), type("b"), type("c", "a", "b")] };
  expect(deletionRequests(live)).toEqual([
    "DELETE catalog_types/c",
    "DELETE catalog_types/b",
    "DELETE catalog_types/a",
  ]);
});

describe("the entries of a type that is detached", () => {
  const live = {
    catalog_types: [type("a", "b", "c", "d"), type("b", "a"), type("c", "a"), type("d")],
    "catalog_entries b": [entry("b1", ["to_a", "a1"])],
    "catalog_entries c": [entry("c1", ["to_a", "a1"])],
    "catalog_entries d": [entry("d1")],
  };

  test("drop all values of the removed attributes in one request", () => {
    const first = (values: readonly (readonly [string, string])[]) =>
      deletionRequests({ ...live, "catalog_entries a": [entry("a1", ...values)] })[0];
    const [b1, b2, c1] = [["to_b", "b1"] as const, ["to_b", "b2"] as const, ["to_c", "c1"] as const];
    expect(first([b1, c1])).toBe('PATCH catalog_types/a/entries/a1 {"to_b":null,"to_c":null}');
    expect(first([b1, b2])).toBe('PATCH catalog_types/a/entries/a1 {"to_b":null}');
  });

  test("name the removed references and require attention", () => {
    const values: readonly (readonly [string, string])[] = [
      ["to_b", "b1"],
      ["to_c", "c1"],
    ];
    const { changes, operations } = planned(
      { catalog_types: [] },
      { live: { ...live, "catalog_entries a": [entry("a1", ...values)] } },
    );
    const [first, second] = operations;
    expect(first?.why).toBe(
      "drop references to catalog_types/b/entries/b1 and catalog_types/c/entries/c1 (deleted as well)",
    );
    expect(changes.find(({ address }) => address === first?.address)).toMatchObject({
      risk: "attention",
      reason: "drops its references to catalog_types/b/entries/b1 and catalog_types/c/entries/c1 before it is deleted",
    });
    expect(second?.why).toBe(
      "drop references to catalog_types/b and catalog_types/c and catalog_types/d (deleted as well)",
    );
    const two = planned({ catalog_types: [] }, { live: { catalog_types: [type("a", "b"), type("b", "a")] } });
    expect(two.operations[0]?.why).toBe("drop references to catalog_types/b (deleted as well)");
  });

  test("keep the values of the attributes that it keeps", () => {
    const document = { catalog_types: [type("d")] };
    const input = { live: { ...live, "catalog_entries a": [entry("a1", ["to_b", "b1"], ["to_d", "d1"])] } };
    expect(planned(document, input).operations[0]).toMatchObject({
      address: "catalog_types/a/entries/a1",
      body: { attributes: { to_b: null, to_d: "entry-d1" } },
    });
  });
});

describe("an entry that references itself", () => {
  const type = (required: boolean): Fields => ({
    slug: "svc",
    name: "Svc",
    attributes: [{ name: "Up", attribute_type: "reference", reference_type: "svc", required }],
  });
  const removed = (required: boolean) =>
    planned(
      { catalog_types: [{ slug: "svc", entries: [] }] },
      { live: { catalog_types: [type(required)], "catalog_entries svc": [entry("a", ["up", "a"])] } },
    );

  test("is detached before it is deleted", () => {
    const { operations } = removed(false);
    expect(operations.map(({ method, why }) => `${method}: ${why}`)).toEqual([
      "PATCH: drop references to itself (deleted as well)",
      "DELETE: delete catalog entry",
    ]);
    expect(operations[1]?.depends_on).toEqual(["op-1"]);
  });

  test("stays if the attribute is required, and the plan says why", () => {
    const { operations, warnings } = removed(true);
    expect(operations).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "catalog_types/svc/entries/a is not in the configuration but stays: used by itself, and a catalog entry cannot be disabled",
    ]);
  });
});

test("entries that are removed together are not detached from a required reference", () => {
  const rack = (slug: string, other: string, required: boolean): Fields => ({
    ...type(slug),
    attributes: [{ ...to(other), required }, { name: "Floor" }],
  });
  const holding = (slug: string, key: string, target: string): Fields => ({
    ...entry(slug, [key, target]),
    attributes: { floor: 3 },
  });
  const requests = (first: boolean, second: boolean) => {
    const types = [rack("a", "b", first), rack("b", "a", second)];
    const live = {
      catalog_types: types,
      "catalog_entries a": [holding("x", "to_b", "y")],
      "catalog_entries b": [holding("y", "to_a", "x")],
    };
    const document = { catalog_types: types.map((type) => ({ ...type, entries: [] })) };
    return planned(document, { live }).operations.map(({ method, address, body }) => [method, address, body]);
  };
  expect(requests(false, false)).toEqual([
    ["PATCH", "catalog_types/a/entries/x", { attributes: { floor: 3, to_b: null } }],
    ["DELETE", "catalog_types/b/entries/y", null],
    ["DELETE", "catalog_types/a/entries/x", null],
  ]);
  expect(requests(true, false).map(([method, address]) => `${method} ${address}`)).toEqual([
    "PATCH catalog_types/b/entries/y",
    "DELETE catalog_types/a/entries/x",
    "DELETE catalog_types/b/entries/y",
  ]);
  expect(requests(true, true)).toEqual([]);
});
