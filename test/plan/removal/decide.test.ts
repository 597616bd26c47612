import { describe, expect, test } from "vitest";
import type { RemovalPolicy } from "../../../src/config/settings/settings.ts";
import type { Fields } from "../../../src/core/json.ts";
import { deletionRefusedKey } from "../../../src/workspace/match/last-applied.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

/** The changes and warnings of a plan, a line for each. */
function text(document: Fields, input: PlanInput): readonly string[] {
  const { changes, warnings } = planned(document, input);
  return [
    ...changes.map(({ action, address, reason }) => `${action} ${address}: ${reason}`),
    ...warnings.map(({ message }) => message),
  ];
}

const severity = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const book = (slug: string, ...values: readonly string[]): Fields => ({
  slug,
  name: slug,
  conditions: [on(...values)],
});
const two = { severities: [severity("major"), severity("minor")] };
const major = { severities: [{ slug: "major" }] };

const policy = (kinds: Readonly<Record<string, RemovalPolicy>>, standard: RemovalPolicy = "disable_or_delete") => ({
  removal: { default: standard, kinds },
});

describe("an undeclared resource", () => {
  test("is deleted if nothing references it", () => {
    expect(text(major, { live: two })).toEqual(["delete severities/minor: not in the configuration"]);
    const [operation] = planned(major, { live: two }).operations;
    expect(operation).toMatchObject({ method: "DELETE", fallback: { method: "PATCH", body: { enabled: false } } });
  });

  test("is disabled if a declared resource references it, also a new one", () => {
    const live = { ...two, runbooks: [{ slug: "a", name: "a", conditions: [] }] };
    const reason = "disable severities/minor: not in the configuration; used by runbooks/a";
    expect(text({ ...major, runbooks: [book("a", "minor")] }, { live })[0]).toBe(reason);
    expect(text({ ...major, runbooks: [book("a", "minor")] }, { live: two })).toContain(reason);
  });

  test("is disabled if an unmanaged live resource references it", () => {
    expect(text(major, { live: { ...two, runbooks: [book("a", "minor")] } })).toEqual([
      "disable severities/minor: not in the configuration; used by runbooks/a",
    ]);
  });

  test("is deleted if the reference is removed in the same plan", () => {
    const live = { ...two, runbooks: [book("a", "minor")] };
    expect(text({ ...major, runbooks: [] }, { live })).toEqual([
      "delete severities/minor: not in the configuration",
      "delete runbooks/a: not in the configuration; unknown which incidents use it; it stays if any does",
    ]);
    expect(text({ ...major, runbooks: [book("a", "major")] }, { live })).toEqual([
      "delete severities/minor: not in the configuration",
      "update runbooks/a: conditions differs",
    ]);
  });

  test("is disabled if incidents use it", () => {
    const id = "severity-minor";
    expect(text(major, { live: two, held: { [id]: 1 } })).toEqual([
      "disable severities/minor: not in the configuration; used by 1 incident",
    ]);
    expect(text(major, { live: two, held: { [id]: 7 } })).toEqual([
      "disable severities/minor: not in the configuration; used by 7 incidents",
    ]);
  });

  test("is disabled if the incidents could not be counted", () => {
    expect(text(major, { live: two, uncounted: ["severity-minor"] })).toEqual([
      "disable severities/minor: not in the configuration; may be used by incidents, which could not be read",
    ]);
  });

  test("is disabled if possible references could not be read", () => {
    expect(text(major, { live: two, unread: ["runbooks"] })).toEqual([
      "disable severities/minor: not in the configuration; may be used by runbooks, which could not be read",
    ]);
    expect(text(major, { live: two, unread: ["webhooks"] })).toEqual([
      "delete severities/minor: not in the configuration",
    ]);
  });

  test("names at most three referrers", () => {
    const live = (count: number) => ({
      ...two,
      runbooks: [..."abcd"].slice(0, count).map((slug) => book(slug, "minor")),
    });
    expect(text(major, { live: live(2) })).toEqual([
      "disable severities/minor: not in the configuration; used by runbooks/a, runbooks/b",
    ]);
    expect(text(major, { live: live(3) })).toEqual([
      "disable severities/minor: not in the configuration; used by runbooks/a, runbooks/b, runbooks/c",
    ]);
    expect(text(major, { live: live(4) })).toEqual([
      "disable severities/minor: not in the configuration; used by runbooks/a, runbooks/b and 2 more",
    ]);
  });

  test("is unchanged if it is disabled already, or built in", () => {
    const live = { severities: [severity("major"), severity("minor", { enabled: false })] };
    expect(text(major, { live })).toEqual([]);
    expect(text({ incident_roles: [] }, { live: { incident_roles: [severity("incident_lead")] } })).toEqual([]);
    expect(text({ catalog_types: [] }, { live: { catalog_types: [severity("team", { kind: "system" })] } })).toEqual(
      [],
    );
  });

  test("is preserved if it cannot be disabled and something references it", () => {
    const live = { runbooks: [book("a")], catalog_types: [severity("rack")], "catalog_entries rack": [severity("r1")] };
    const field = { slug: "where", name: "Where", field_type: "catalog_reference", catalog_type: "rack" };
    expect(text({ catalog_types: [] }, { live: { ...live, custom_fields: [field] } })).toEqual([
      "catalog_types/rack is not in the configuration but stays: used by custom_fields/where, and a catalog type cannot be disabled",
    ]);
  });
});

describe("the policy of a kind", () => {
  test("keep changes nothing", () => {
    expect(text(major, { live: two, settings: policy({ severities: "keep" }) })).toEqual([]);
    expect(text(major, { live: two, settings: policy({}, "keep") })).toEqual([]);
  });

  test("disable never deletes; a resource that cannot be disabled is preserved", () => {
    expect(text(major, { live: two, settings: policy({ severities: "disable" }, "delete") })).toEqual([
      "disable severities/minor: not in the configuration",
    ]);
    expect(planned(major, { live: two, settings: policy({}, "disable") }).operations).toMatchObject([
      { method: "PATCH", body: { enabled: false }, why: "disable severity" },
    ]);
    expect(text({ runbooks: [] }, { live: { runbooks: [book("a")] }, settings: policy({}, "disable") })).toEqual([
      "runbooks/a is not in the configuration but stays: a runbook cannot be disabled",
    ]);
  });

  test("delete deletes in spite of references, and does not fall back", () => {
    const input = { live: { ...two, runbooks: [book("a", "minor")] }, settings: policy({ severities: "delete" }) };
    expect(text(major, input)).toEqual(["delete severities/minor: not in the configuration; used by runbooks/a"]);
    expect(planned(major, input).operations[0]).not.toHaveProperty("fallback");
  });

  test("applies to nested resources as well, unless their kind has its own", () => {
    const live = { catalog_types: [severity("rack")], "catalog_entries rack": [severity("r1")] };
    const document = { catalog_types: [{ slug: "rack", entries: [] }] };
    expect(text(document, { live, settings: policy({ catalog_types: "keep" }) })).toEqual([]);
    expect(
      text(document, { live, settings: policy({ catalog_types: "keep", catalog_entries: "delete" }) }),
    ).toHaveLength(1);
  });
});

test("an undeclared resource that stays and hides its references preserves a resource that cannot be disabled", () => {
  const live = (book: Fields) => ({
    catalog_types: [severity("team", { kind: "system" })],
    "catalog_entries team": [severity("web")],
    runbooks: [book],
  });
  const document = { catalog_types: [{ slug: "team", entries: [] }], runbooks: [] };
  const keep = { settings: policy({ runbooks: "disable" }) };
  expect(text(document, { live: live({ slug: "a", name: "a" }), ...keep })).toEqual([
    "catalog_types/team/entries/web is not in the configuration but stays: may be used by runbooks, which could not be read, and a catalog entry cannot be disabled",
    "runbooks/a is not in the configuration but stays: a runbook cannot be disabled",
  ]);
  const known = live({ slug: "a", name: "a", conditions: [] });
  expect(text(document, { live: known, ...keep })[0]).toBe(
    "delete catalog_types/team/entries/web: not in the configuration",
  );
  expect(text(document, { live: live({ slug: "a", name: "a" }) })).toEqual([
    "delete catalog_types/team/entries/web: not in the configuration",
    "delete runbooks/a: not in the configuration; unknown which incidents use it; it stays if any does",
  ]);
});

describe("resources that are removed together", () => {
  const rack = (slug: string, ...others: readonly string[]): Fields => ({
    slug,
    name: slug,
    attributes: others.map((other) => ({ name: `To ${other}`, attribute_type: "reference", reference_type: other })),
  });

  test("do not preserve each other, and the referrer is deleted first", () => {
    const live = { catalog_types: [rack("a"), rack("b", "a"), rack("c", "b")] };
    const { operations, warnings } = planned({ catalog_types: [] }, { live });
    expect(operations.map(({ address }) => address)).toEqual(["catalog_types/c", "catalog_types/b", "catalog_types/a"]);
    expect(warnings).toEqual([]);
  });

  /** The requests that delete every type, each with those that it depends on. */
  const requests = (live: PlanInput["live"] = {}): readonly string[] => {
    const { operations } = planned({ catalog_types: [] }, { live });
    const name = new Map(
      operations.map(({ id, method, address }) => {
        const [, type, , entry] = address.split("/");
        return [id, `${method} ${type}${entry === undefined ? "" : `/${entry}`}`];
      }),
    );
    return operations.map(({ id, depends_on }) =>
      [name.get(id), ...depends_on.map((need) => name.get(need))].join(" < "),
    );
  };

  test("are detached if they reference each other: the first drops its references to the others", () => {
    const live = { catalog_types: [rack("a", "b", "c", "a"), rack("b", "a"), rack("c"), rack("d")] };
    const { operations, changes, warnings } = planned({ catalog_types: [] }, { live });
    expect(warnings).toEqual([]);
    expect(requests(live)).toEqual([
      "PATCH a",
      "DELETE d",
      "DELETE c < PATCH a",
      "DELETE b < PATCH a",
      "DELETE a < PATCH a < DELETE b",
    ]);
    const kept = [{ name: "To a", attribute_type: "reference", reference_type: "a" }];
    expect(operations[0]).toMatchObject({
      body: { attributes: kept },
      why: "drop references to catalog_types/b and catalog_types/c (deleted as well)",
    });
    expect(changes.map(({ action }) => action)).toEqual(["delete", "delete", "delete", "delete"]);
  });

  test("need one detaching request in a long cycle, and one in each of two cycles", () => {
    expect(requests({ catalog_types: [rack("a", "b"), rack("b", "c"), rack("c", "a")] })).toEqual([
      "PATCH a",
      "DELETE b < PATCH a",
      "DELETE c < DELETE b",
      "DELETE a < PATCH a < DELETE c",
    ]);
    const two = [rack("a", "b"), rack("b", "a"), rack("c", "d"), rack("d", "c")];
    expect(requests({ catalog_types: two }).filter((line) => line.startsWith("PATCH"))).toEqual(["PATCH a", "PATCH c"]);
  });

  test("are detached at the resource that needs the fewest requests, after the entries that hold its values", () => {
    const types = [rack("a", "b"), rack("b", "a")];
    const value = (slug: string, key: string): Fields => ({
      ...severity(slug),
      references: [{ key, target_entry_id: "entry-x" }],
    });
    const used = { catalog_types: types, "catalog_entries a": [value("a1", "to_b")] };
    expect(requests(used)).toEqual(["PATCH b", "DELETE a < PATCH b", "DELETE b < PATCH b < DELETE a"]);
    const both = { ...used, "catalog_entries b": [value("b1", "to_a"), value("b2", "to_a")] };
    expect(requests(both)).toEqual([
      "PATCH a/a1",
      "PATCH a < PATCH a/a1",
      "DELETE b < PATCH a",
      "DELETE a < PATCH a < DELETE b",
    ]);
    const { changes, operations } = planned({ catalog_types: [] }, { live: both });
    expect(changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "delete catalog_types/a",
      "delete catalog_types/b",
      "update catalog_types/a/entries/a1",
    ]);
    expect(changes[2]).toMatchObject({
      fields: [{ path: "/attributes", before: { to_b: "entry-x" }, after: { to_b: null } }],
      reason: "drops its references to catalog_types/b/entries/entry-x before it is deleted",
    });
    expect(operations[0]).toMatchObject({ body: { attributes: { to_b: null } }, guard: { row: { id: "entry-a1" } } });
  });

  test("are detached once, from all at once, and only if they reference another", () => {
    const types = [rack("c"), rack("a", "b", "c"), rack("b", "a")];
    expect(requests({ catalog_types: types }).toSorted()).toEqual([
      "DELETE a < PATCH a < DELETE b",
      "DELETE b < PATCH a",
      "DELETE c < PATCH a",
      "PATCH a",
    ]);
    const two = [rack("a", "b", "c"), rack("b", "a"), rack("c", "d", "a"), rack("d", "c")];
    expect(requests({ catalog_types: two }).toSorted()).toEqual([
      "DELETE a < PATCH a < PATCH c < DELETE b",
      "DELETE b < PATCH a",
      "DELETE c < PATCH a < PATCH c < DELETE d",
      "DELETE d < PATCH c",
      "PATCH a",
      "PATCH c",
    ]);
  });

  test("lose the values of dropped items, and no others", () => {
    const to = (name: string, type: string): Fields => ({ name, attribute_type: "reference", reference_type: type });
    const floor = { name: "Floor", attribute_type: "text" };
    const a = { slug: "a", name: "a", attributes: [floor, to("To b", "b")] };
    const live = (type: Fields, values: Fields) => ({
      catalog_types: [type, rack("b", "a")],
      "catalog_entries a": [severity("a1", values)],
      "catalog_entries b": [severity("b1", { references: [{ key: "to_a", target_entry_id: "entry-a1" }] })],
    });
    expect(requests(live(a, { attributes: { floor: "3" } }))).toEqual([
      "PATCH a",
      "DELETE b < PATCH a",
      "DELETE a < PATCH a < DELETE b",
    ]);
    const twice = { ...a, attributes: [to("To b", "b"), to("Also b", "b")] };
    const pair = { ...live(twice, { references: [{ key: "also_b", target_entry_id: "entry-b1" }] }) };
    expect(requests(pair)[0]).toBe("PATCH a/a1");
    expect(requests(live(twice, {}))[0]).toBe("PATCH a");
  });

  test("are not detached if they are preserved in the end", () => {
    const held = (slug: string, key: string): Fields => ({
      ...severity(slug),
      references: [{ key, target_entry_id: "entry-x" }],
    });
    const must = (type: Fields, ...others: readonly string[]): Fields => ({
      ...type,
      attributes: others.map((other) => ({
        name: `To ${other}`,
        attribute_type: "reference",
        reference_type: other,
        required: true,
      })),
    });
    const live = {
      catalog_types: [rack("a", "b"), rack("b", "a"), must(rack("c"), "d", "a"), must(rack("d"), "c")],
      "catalog_entries c": [held("c1", "to_d")],
      "catalog_entries d": [held("d1", "to_c")],
    };
    const { operations, warnings } = planned({ catalog_types: [] }, { live });
    expect(operations).toEqual([]);
    expect(warnings.map(({ address }) => address)).toEqual(["a", "b", "c", "d"].map((slug) => `catalog_types/${slug}`));
  });

  test("are all preserved if one of them has to be", () => {
    const live = { catalog_types: [rack("a", "b"), rack("b", "a"), rack("c", "b")] };
    const lastApplied = { hashes: { [deletionRefusedKey("catalog_types/a")]: "refused" }, resend: false };
    const { operations, warnings } = planned({ catalog_types: [] }, { live, lastApplied });
    expect(operations.map(({ method, address }) => `${method} ${address}`)).toEqual(["DELETE catalog_types/c"]);
    expect(warnings.map(({ address }) => address)).toEqual(["catalog_types/a", "catalog_types/b"]);
  });

  test("may reference themselves", () => {
    const live = { catalog_types: [rack("a", "a")] };
    expect(planned({ catalog_types: [] }, { live }).operations).toHaveLength(1);
  });

  test("are deleted with their nested resources, whose references do not preserve them", () => {
    const live = {
      catalog_types: [rack("a"), rack("b", "a")],
      "catalog_entries a": [severity("a1")],
      "catalog_entries b": [severity("b1", { attributes: { to_a: "a1" } })],
    };
    const { changes } = planned({ catalog_types: [] }, { live });
    expect(changes.map(({ address, cascades }) => [address, cascades])).toEqual([
      ["catalog_types/a", ["catalog_types/a/entries/a1"]],
      ["catalog_types/b", ["catalog_types/b/entries/b1"]],
    ]);
  });

  test("a rule of a source that is only disabled keeps its references", () => {
    const rule = { outcome: { action: "auto_create_incident", severity_id: "severity-minor" } };
    const live = {
      ...two,
      alert_sources: [{ name: "Datadog", endpoint_path: "dd" }],
      "routing_rules Datadog": [rule],
    };
    const lines = text({ ...major, alert_sources: [] }, { live, settings: policy({ alert_sources: "disable" }) });
    expect(lines).toContain("disable severities/minor: not in the configuration; used by routing_rules/Datadog/1");
    expect(text({ ...major, alert_sources: [] }, { live })).toEqual([
      "disable severities/minor: not in the configuration; used by routing_rules/Datadog/1",
      "disable alert_sources/Datadog: not in the configuration; used by routing_rules/Datadog/1",
    ]);
  });
});
