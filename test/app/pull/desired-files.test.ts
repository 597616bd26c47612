import { describe, expect, test } from "vitest";
import { type NewResource, newResourceFields } from "../../../src/app/pull/desired-files.ts";
import { declarableFields } from "../../../src/config/edit/declarable.ts";
import { startOf } from "../../../src/config/resources/origins.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { listOf } from "../../support/plans/desired-list.ts";
import { type PlanInput, planned, type Rows, stateOf } from "../../support/plans/make-plan.ts";

/** The entries of a list that lies at the top of the files, as they would have to be. */
function mirror(name: string, entries: readonly Fields[], given: PlanInput, others: Fields = {}): readonly Fields[] {
  const { entries: found } = listOf({ ...others, [name]: entries }, given, name);
  return found.map((entry) => {
    if (!("declared" in entry)) return entry.fields;
    const before = entries[startOf(entry.declared).line - 1] ?? {};
    const changed = Object.entries({ ...before, ...Object.fromEntries(entry.fields) });
    return Object.fromEntries(
      changed.flatMap(([field, value]): readonly (readonly [string, Json])[] =>
        value === undefined ? [] : [[field, value]],
      ),
    );
  });
}

/** Mirrors a list, and fails unless nothing is to be planned from the result. */
function settled(name: string, entries: readonly Fields[], given: PlanInput, others: Fields = {}): readonly Fields[] {
  const result = mirror(name, entries, given, others);
  const { changes } = planned({ ...others, [name]: result }, given);
  expect(changes.filter(({ kind }) => kind === name)).toEqual([]);
  return result;
}

const severity = (slug: string, more: Fields = {}): Fields => ({
  slug,
  name: slug.toUpperCase(),
  description: null,
  color: null,
  is_default: false,
  ...more,
});

describe("a declared resource", () => {
  const live: Rows = {
    severities: [severity("major", { description: "Bad.", color: "#AABBCC" }), severity("minor", { is_default: true })],
  };

  test("is unchanged if it matches the live one", () => {
    const entries = [
      { slug: "major", name: "MAJOR", color: "#aabbcc" },
      { slug: "minor", default: true, description: "" },
    ];
    expect(settled("severities", entries, { live })).toEqual(entries);
  });

  test("gets the live values of its fields where they differ, and no further fields", () => {
    const entries = [
      { slug: "major", name: "Mayor", color: "#000000" },
      { slug: "minor", description: "Small." },
    ];
    expect(settled("severities", entries, { live })).toEqual([
      { slug: "major", name: "MAJOR", color: "#AABBCC" },
      { slug: "minor", description: "" },
    ]);
  });

  test("has its position in the live order", () => {
    const entries = [
      { slug: "minor", name: "MINOR" },
      { slug: "major", name: "MAJOR" },
    ];
    expect(settled("severities", entries, { live })).toEqual([entries[1], entries[0]]);
    expect(mirror("webhooks", [hook("b"), hook("a")], { live: { webhooks: [hook("a"), hook("b")] } })).toEqual([
      hook("b"),
      hook("a"),
    ]);
  });

  test("loses a field that is empty in the service", () => {
    expect(settled("severities", [{ slug: "major" }, { slug: "minor", color: "#000000" }], { live })).toEqual([
      { slug: "major" },
      { slug: "minor" },
    ]);
  });

  test("keeps a field that the service does not return", () => {
    const rows: Rows = { runbooks: [{ slug: "drain", name: "Drain" }] };
    const entries = [{ slug: "drain", name: "Drain", summary: "How to." }];
    expect(mirror("runbooks", entries, { live: rows })).toEqual(entries);
  });

  test("gets fields with their own spelling from the row", () => {
    const rows: Rows = { severities: [severity("major", { weight: 4, shade: "x" })] };
    const { entries } = listOf(
      { severities: [{ slug: "major", extra: { weight: 3, shade: "x", gone: 1 } }] },
      { live: rows },
      "severities",
    );
    expect(entries.map(({ fields }) => (fields instanceof Map ? [...fields] : fields))).toEqual([[["weight", 4]]]);
  });

  test("gets its new name if it was renamed in the service", () => {
    const rows: Rows = { webhooks: [hook("new", { id: "w1" })] };
    const pinned = { ...hook("old"), id: "w1" };
    expect(settled("webhooks", [pinned], { live: rows })).toEqual([{ ...hook("new"), id: "w1" }]);
    expect(
      mirror("webhooks", [{ ...hook("newer"), renamed_from: "new" }], { live: { webhooks: [hook("new")] } }),
    ).toEqual([hook("new")]);
  });

  test("gets enabled: false, and never enabled: true", () => {
    const rows: Rows = { severities: [severity("major", { enabled: false }), severity("minor")] };
    const entries = [{ slug: "major" }, { slug: "minor" }];
    expect(settled("severities", entries, { live: rows })).toEqual([
      { slug: "major", enabled: false },
      { slug: "minor" },
    ]);
    expect(
      settled(
        "severities",
        [
          { slug: "major", enabled: true },
          { slug: "minor", enabled: false },
        ],
        { live: rows },
      ),
    ).toEqual([
      { slug: "major", enabled: false },
      { slug: "minor", enabled: true },
    ]);
  });

  test("becomes the default in place of another, with default: true only if the files use it", () => {
    const entries = [{ slug: "major", default: true }, { slug: "minor" }];
    expect(settled("severities", entries, { live })).toEqual([{ slug: "major" }, { slug: "minor", default: true }]);
    const silent = entries.map(({ slug }) => ({ slug }));
    expect(settled("severities", silent, { live })).toEqual(silent);
    const elsewhere = { statuses: [{ slug: "open", name: "Open", lifecycle_stage: "active", default: true }] };
    expect(mirror("severities", silent, { live }, elsewhere)).toEqual(silent);
    const none: Rows = { severities: [severity("major"), severity("minor")] };
    expect(
      mirror(
        "severities",
        [
          { slug: "major", default: false },
          { slug: "minor", default: true },
        ],
        { live: none },
      ),
    ).toEqual([{ slug: "major", default: false }, { slug: "minor" }]);
  });

  test("is reported as removed if it is not live", () => {
    const { missing: gone, entries } = listOf(
      { severities: [{ slug: "major" }, { slug: "lost", name: "Lost" }] },
      { live },
      "severities",
    );
    expect(gone.map(({ key }) => key)).toEqual(["lost"]);
    expect(entries.map((entry) => ("declared" in entry ? entry.declared.key : entry.live.key))).toEqual([
      "major",
      "minor",
    ]);
  });
});

function hook(name: string, more: Fields = {}): Fields {
  return { name, url: `https://example.com/${name}`, subscribed_events: ["incident.created"], ...more };
}

describe("an undeclared resource", () => {
  test("is added if a plan would remove it, with its fields that are not defaults", () => {
    const live: Rows = {
      severities: [severity("major"), severity("minor", { is_default: true, description: "Small." })],
    };
    expect(settled("severities", [{ slug: "minor" }], { live })).toEqual([
      { slug: "major", name: "MAJOR" },
      { slug: "minor" },
    ]);
    expect(settled("severities", [], { live })).toEqual([
      { slug: "major", name: "MAJOR" },
      { slug: "minor", name: "MINOR", default: true, description: "Small." },
    ]);
  });

  test("is not added if no plan would remove it", () => {
    const retired: Rows = { severities: [severity("major", { enabled: false })] };
    expect(mirror("severities", [], { live: retired })).toEqual([]);
    const settings = { removal: { default: "keep" as const, kinds: {} } };
    expect(mirror("severities", [], { live: { severities: [severity("major")] }, settings })).toEqual([]);
    const types: Rows = { catalog_types: [{ slug: "team", name: "Team", kind: "system", attribute_definitions: [] }] };
    expect(mirror("catalog_types", [], { live: types })).toEqual([]);
  });

  test("comes after the declared ones in a list without order", () => {
    const live: Rows = { webhooks: [hook("a"), hook("b")] };
    expect(settled("webhooks", [hook("b")], { live })).toEqual([hook("b"), hook("a")]);
  });

  test("is pinned if another one has its name", () => {
    const live: Rows = { webhooks: [hook("a", { id: "w1" }), hook("a", { id: "w2" }), hook("b", { id: "w3" })] };
    const twins = [hook("a", { id: "w1" }), hook("a", { id: "w2" })];
    expect(settled("webhooks", [], { live })).toEqual([...twins, hook("b")]);
  });

  test("is added although it is disabled if another one refers to it", () => {
    const live: Rows = {
      severities: [severity("old", { enabled: false }), severity("older", { enabled: false }), severity("major")],
      runbooks: [
        {
          slug: "drain",
          name: "Drain",
          conditions: [{ condition_field: "severity", operator: "one_of", values: ["old"] }],
        },
      ],
    };
    const slugs = (others: Fields) =>
      mirror("severities", [{ slug: "major" }], { live }, others).map(({ slug }) => slug);
    expect(slugs({ runbooks: [{ slug: "drain" }] })).toEqual(["old", "major"]);
    expect(slugs({})).toEqual(["major"]);
    const type = (slug: string, more: Fields = {}) => ({ slug, name: slug, attribute_definitions: [], ...more });
    const types: Rows = {
      catalog_types: [
        type("team", { kind: "system" }),
        type("squad", {
          attribute_definitions: [{ name: "Of", attribute_type: "reference", required: false, reference_type: "team" }],
        }),
      ],
    };
    expect(mirror("catalog_types", [{ slug: "squad" }], { live: types }).map(({ slug }) => slug)).toEqual(["squad"]);
  });
});

describe("fields of an undeclared resource", () => {
  const fresh = (name: string, row: Fields, how?: NewResource) => {
    const [entry] = stateOf({}, { live: { [name]: [row] } }).all(name);
    if (entry === undefined) throw new Error("nothing is live");
    return newResourceFields(entry, declarableFields(entry, kinds), how);
  };

  test("are those without default values", () => {
    expect(fresh("severities", severity("a", { description: "x" }))).toEqual({
      slug: "a",
      name: "A",
      description: "x",
    });
    expect(fresh("severities", severity("a", { enabled: false, is_default: true }))).toEqual({
      slug: "a",
      name: "A",
      enabled: false,
      default: true,
    });
    expect(
      fresh("runbooks", { slug: "a", name: "", content: "", aliases: [], watch: {}, summary: "s", steps: [] }),
    ).toEqual({
      slug: "a",
      name: "",
      summary: "s",
    });
  });

  test("leave out fields that follow from others", () => {
    const field = (field_type: string, option_source: string) =>
      fresh("custom_fields", { slug: "a", name: "A", field_type, option_source, options: [] });
    expect(field("text", "none")).toEqual({ slug: "a", name: "A", field_type: "text" });
    expect(field("single_select", "fixed")).not.toHaveProperty("option_source");
    expect(field("single_select", "catalog")).toHaveProperty("option_source", "catalog");
  });

  test("include the id if two have the same name and the kind has a pin", () => {
    expect(fresh("webhooks", hook("a", { id: "w1" }), { isDuplicateKey: true })).toEqual({ ...hook("a"), id: "w1" });
    expect(fresh("webhooks", hook("a", { id: "w1" }), { isDuplicateKey: false })).toEqual(hook("a"));
    expect(fresh("webhooks", hook("a", { id: "w1" }))).toEqual(hook("a"));
    expect(fresh("severities", severity("a"), { isDuplicateKey: true })).toEqual({ slug: "a", name: "A" });
  });

  test("of a built-in type are not added for its entries alone", () => {
    const type = (kind: string, nests?: boolean) =>
      fresh(
        "catalog_types",
        { slug: "a", name: "A", kind, description: "x", attribute_definitions: [] },
        nests === undefined ? {} : { nests },
      );
    expect(type("system", true)).toEqual({ slug: "a" });
    expect(type("system", false)).toMatchObject({ slug: "a", name: "A", description: "x" });
    expect(type("system")).toMatchObject({ name: "A" });
    expect(type("custom", true)).toMatchObject({ name: "A" });
  });
});

describe("a list of resources without keys", () => {
  const when = (value: string) => [{ field: "service", operator: "is_one_of", value: [value] }];
  const rule = (value: string, more: Fields = {}): Fields => ({
    conditions: when(value),
    outcome: { action: "drop" },
    ...more,
  });
  const row = (value: string, more: Fields = {}): Fields => ({ ...rule(value), enabled: true, ...more });

  /** What becomes of each rule: its declared place and the fields that change, or what is stated of a new one. */
  function ranked(declared: readonly Fields[], live: readonly Fields[]) {
    const { entries, missing: gone } = listOf(
      { routing_rules: { workspace: declared } },
      { live: { routing_rules: live } },
      "routing_rules",
    );
    return {
      entries: entries.map((entry) =>
        "declared" in entry ? [Number(entry.declared.key), Object.fromEntries(entry.fields)] : ["new", entry.fields],
      ),
      gone: gone.map(({ key }) => Number(key)),
    };
  }

  test("is unchanged if it matches the live one", () => {
    expect(ranked([rule("a"), rule("b", { enabled: true, name: "The second" })], [row("a"), row("b")])).toEqual({
      entries: [
        [1, {}],
        [2, {}],
      ],
      gone: [],
    });
  });

  test("keeps each equal rule, at any position", () => {
    expect(ranked([rule("a"), rule("b"), rule("c")], [row("c"), row("a")])).toEqual({
      entries: [
        [3, {}],
        [1, {}],
      ],
      gone: [2],
    });
    expect(ranked([rule("a"), rule("a")], [row("a"), row("b"), row("a")])).toEqual({
      entries: [
        [1, {}],
        ["new", rule("b")],
        [2, {}],
      ],
      gone: [],
    });
  });

  test("changes the rule between two unchanged ones", () => {
    expect(ranked([rule("a"), rule("b"), rule("c")], [row("a"), row("x"), row("c")])).toEqual({
      entries: [
        [1, {}],
        [2, { conditions: when("x") }],
        [3, {}],
      ],
      gone: [],
    });
    expect(ranked([rule("b"), rule("c")], [row("x"), row("c")])).toEqual({
      entries: [
        [1, { conditions: when("x") }],
        [2, {}],
      ],
      gone: [],
    });
    expect(ranked([rule("a"), rule("b"), rule("c")], [row("a"), row("x"), row("y"), row("z")])).toEqual({
      entries: [
        [1, {}],
        [2, { conditions: when("x") }],
        [3, { conditions: when("y") }],
        ["new", rule("z")],
      ],
      gone: [],
    });
  });

  test("changes only the differing fields of a rule, including omitted ones", () => {
    const outcome = { action: "notify_only" };
    expect(ranked([rule("a")], [row("a", { outcome })])).toEqual({ entries: [[1, { outcome }]], gone: [] });
    expect(ranked([{ outcome: rule("a").outcome ?? null }], [row("a")])).toEqual({
      entries: [[1, { conditions: when("a") }]],
      gone: [],
    });
    expect(ranked([rule("a")], [row("a", { enabled: false })])).toEqual({
      entries: [[1, { enabled: false }]],
      gone: [],
    });
    expect(ranked([rule("a")], [row("a", { name: "Called" })])).toEqual({ entries: [[1, {}]], gone: [] });
  });

  test("adds every undeclared rule, in its own scope only", () => {
    expect(ranked([], [row("a")])).toEqual({ entries: [["new", rule("a")]], gone: [] });
    const document = { routing_rules: { workspace: [rule("a")], sources: { Probe: [rule("b")] } } };
    const live: Rows = { routing_rules: [row("a")], "routing_rules Probe": [row("c")] };
    const { entries, missing: gone } = listOf(document, { live }, "routing_rules", "Probe");
    expect(entries.map(({ fields }) => (fields instanceof Map ? Object.fromEntries(fields) : fields))).toEqual([
      { conditions: when("c") },
    ]);
    expect(gone).toEqual([]);
  });
});
