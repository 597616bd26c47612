import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { Pending } from "../../../src/kinds/model/lookup.ts";
import { ResolvedState } from "../../../src/workspace/match/resolved-state.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planned, type Rows, stateOf } from "../../support/plans/make-plan.ts";

const levels = {
  severities: [
    { id: "s1", slug: "critical", name: "Critical" },
    { id: "s2", slug: "major", name: "Major" },
  ],
};
const on = (values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const book = (values: readonly string[]): Fields => ({ slug: "failover", name: "Failover", conditions: [on(values)] });

describe("ids and keys", () => {
  test("an id in an answer is compared as the key that it stands for", () => {
    const document = { runbooks: [book(["critical"])] };
    const live = { ...levels, runbooks: [{ id: "r1", ...book(["s1"]) }] };
    expect(planned(document, { live }).operations).toEqual([]);
    expect(planned(document, { live: { ...live, runbooks: [{ id: "r1", ...book(["s2"]) }] } }).operations).toHaveLength(
      1,
    );
  });

  test("the id of a live entry is told, and one that is only declared has a stand-in", () => {
    const state = stateOf({ severities: [{ slug: "new" }] }, { live: levels });
    expect(state.id("severities", "critical")).toBe("s1");
    expect(state.id("severities", "new")).toEqual(new Pending("severities/new", "id"));
    expect(state.id("moons", "new")).toEqual(new Pending("moons/new", "id"));
    expect(state.key("severities", "s2")).toBe("major");
    expect(state.key("severities", "s9")).toBeUndefined();
    expect(state.key("moons", "s1")).toBeUndefined();
  });

  test("a key is the first of the key fields that is told, and there is none where none is", () => {
    const live = {
      "forms declare": [
        { id: "f1", system_field: null, custom_field: "region" },
        { id: "f2", custom_field: "zone" },
        { id: "f3", system_field: "severity", custom_field: "other" },
      ],
      runbooks: [{ id: "r1", name: "Nameless" }],
    };
    const state = stateOf({}, { live });
    expect(["f1", "f2", "f3"].map((id) => state.key("forms", id))).toEqual(["region", "zone", "severity"]);
    expect(state.key("runbooks", "r1")).toBeUndefined();
  });

  test("of two entries of one name the first by id is meant", () => {
    const live = {
      webhooks: [
        { name: "a", id: "w2", url: "u2" },
        { name: "a", id: "w1", url: "u1" },
      ],
    };
    const state = stateOf({}, { live });
    expect(state.id("webhooks", "a")).toBe("w1");
    expect(state.fields("webhooks", "a")?.url).toBe("u1");
  });

  test("a member is addressed by the first of its address fields that is told", () => {
    const live = {
      runbooks: [
        { id: "r1", slug: null, name: "A" },
        { id: "r2", name: "B" },
        { id: "r3", slug: "c", name: "C" },
      ],
    };
    expect(
      stateOf({}, { live })
        .live("runbooks")
        ?.map(({ id }) => id)
        .toSorted(),
    ).toEqual(["c", "r1", "r2"]);
  });

  test("an entry that is being renamed keeps its id", () => {
    const document = { alert_sources: [{ name: "New", renamed_from: "Old" }] };
    const live = { alert_sources: [{ id: "a1", name: "Old", endpoint_path: "p1" }] };
    expect(stateOf(document, { live }).id("alert_sources", "New")).toBe("a1");
  });
});

describe("what is live", () => {
  test("is in the order of positions where there are some, and else by key, whatever order it came in", () => {
    const document = { severities: [], webhooks: [] };
    const live = {
      severities: [
        { slug: "b", position: 2 },
        { slug: "c", position: 10 },
        { slug: "a", position: 1 },
      ],
      webhooks: [
        { name: "z", id: "1" },
        { name: "a", id: "3" },
        { name: "a", id: "2" },
        { name: "m", id: "4" },
      ],
    };
    const state = stateOf(document, { live });
    expect(state.live("severities")?.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(state.live("webhooks")?.map(({ id }) => id)).toEqual(["2", "3", "4", "1"]);
    expect(state.live("webhooks")?.map(({ address }) => address)).toContain("webhooks/m");
  });

  test("rules are in the order of their priorities, and known by their place", () => {
    const rules = [
      { priority: 30, outcome: { action: "drop" } },
      { priority: 4, outcome: { action: "drop" } },
    ];
    const state = stateOf({}, { live: { routing_rules: rules } });
    expect(state.live("routing_rules")?.map(({ key, id }) => [key, id])).toEqual([
      ["1", "4"],
      ["2", "30"],
    ]);
  });

  test("is undefined where it was not read, and nothing where there is nothing", () => {
    const state = stateOf({ severities: [] }, { unread: ["webhooks"] });
    expect(state.live("webhooks")).toBeUndefined();
    expect(state.live("severities")).toEqual([]);
  });

  test("is read under each name that services have for a field", () => {
    const names = ["is_default", "default"];
    for (const name of names) {
      const state = stateOf({}, { live: { severities: [{ slug: "a", [name]: true }] } });
      expect(state.live("severities")?.[0]?.fields.default).toBe(true);
    }
  });

  test("is what its row holds, and nothing that the row leaves out", () => {
    const state = stateOf({}, { live: { severities: [{ slug: "a", name: "A" }] } });
    expect(Object.keys(state.live("severities")?.[0]?.fields ?? {}).sort()).toEqual([
      "enabled",
      "id",
      "name",
      "position",
      "slug",
    ]);
  });

  test("of a kind that nobody knows is left out", () => {
    const collections = [{ kind: "moons", scope: "", rows: [{ id: "m1", slug: "io" }] }];
    const state = new ResolvedState([], configured({}), {
      lists: collections,
      unread: ["moons"],
    });
    expect(state.live("moons")).toBeUndefined();
    expect(state.rows("moons")).toEqual([]);
  });

  test("lies in the scope that a source is being given, unless another source has that name", () => {
    const document = { alert_sources: [{ name: "New", renamed_from: "Old" }] };
    const rule = { priority: 1, outcome: { action: "drop" } };
    const old = { "routing_rules Old": [rule] };
    const renamed = (names: readonly string[], lists: Rows) => {
      const sources = names.map((name) => ({ name, endpoint_path: name }));
      const state = stateOf(document, { live: { alert_sources: sources, ...lists } });
      return ["Old", "New"].map((scope) => state.live("routing_rules", scope)?.length);
    };
    expect(renamed(["Old"], old)).toEqual([undefined, 1]);
    expect(renamed(["Old"], { ...old, "routing_rules New": [] })).toEqual([undefined, 1]);
    expect(renamed(["Old"], { "routing_rules New": [], ...old })).toEqual([undefined, 1]);
    expect(renamed(["Old"], { "routing_rules Old": [], "routing_rules New": [] })).toEqual([undefined, 0]);
    expect(renamed(["Old", "New"], old)).toEqual([1, undefined]);
    expect(renamed(["New", "Old", "Other"], { ...old, "routing_rules New": [rule, rule] })).toEqual([1, 2]);
    expect(renamed(["Old"], { ...old, routing_rules: [rule] })).toEqual([undefined, 1]);
  });

  test("of all scopes of a kind is told together", () => {
    const live = {
      catalog_types: [{ slug: "team" }, { slug: "rack" }],
      "catalog_entries team": [{ slug: "web" }],
      "catalog_entries rack": [{ slug: "r1" }],
    };
    const state = stateOf({}, { live });
    expect(state.all("catalog_entries").map(({ address }) => address)).toEqual([
      "catalog_types/team/entries/web",
      "catalog_types/rack/entries/r1",
    ]);
  });
});

describe("the fields of an entry", () => {
  test("are the declared ones over the live ones", () => {
    const state = stateOf(
      {
        severities: [
          { slug: "a", name: "Declared" },
          { slug: "c", name: "New" },
        ],
      },
      {
        live: {
          severities: [
            { id: "1", slug: "a", name: "Live", color: "#fff" },
            { slug: "b", name: "B" },
          ],
        },
      },
    );
    expect(state.fields("severities", "a")).toMatchObject({ name: "Declared", color: "#fff" });
    expect(state.fields("severities", "b")).toMatchObject({ name: "B" });
    expect(state.fields("severities", "c")).toMatchObject({ name: "New" });
    expect(state.fields("severities", "d")).toBeUndefined();
    expect(state.declaredFields("severities", "a")).toEqual({ name: "Declared", slug: "a" });
    expect(state.declaredFields("severities", "b")).toBeUndefined();
  });

  test("hold the live attributes that are not declared beside the declared ones", () => {
    const text = (name: string): Fields => ({ name, attribute_type: "text" });
    const state = stateOf(
      { catalog_types: [{ slug: "rack", attributes: [text("Room")] }] },
      { live: { catalog_types: [{ slug: "rack", attributes: [text("Floor"), text("room")] }] } },
    );
    expect(state.fields("catalog_types", "rack")?.attributes).toEqual([text("Room"), text("Floor")]);
  });
});

test("one reading serves several configurations, each with what it declares", () => {
  const observation = { lists: [{ kind: "severities", scope: "", rows: [] }], unread: [] };
  const names = ["One", "Two"].map((name) => {
    const configuration = configured({ severities: [{ slug: "a", name }] });
    return new ResolvedState(kinds, configuration, observation).fields("severities", "a")?.name;
  });
  expect(names).toEqual(["One", "Two"]);
});

test("kinds that could point at an entry and could not be read are told", () => {
  const state = stateOf({}, { unread: ["runbooks", "webhooks", "moons"] });
  const kind = state.kinds.get("severities");
  expect(kind === undefined ? [] : state.unread(kind, "")).toEqual(["runbooks"]);
});

test("the attributes of a live entry hold its values and the slugs of the entries that it references", () => {
  const type = { id: "t1", slug: "team", name: "Team" };
  const entry = (id: string, slug: string) => ({
    ...{ id, slug, name: slug, attributes: { size: 3, zones: ["eu"] } },
    references: [{ key: "parent", target_entry_id: "e1" }],
  });
  const live = { catalog_types: [type], "catalog_entries team": [entry("e1", "core"), entry("e2", "loose")] };
  const entries = stateOf({ catalog_types: [{ ...type, entries: [] }] }, { live }).live("catalog_entries", "team");
  expect(entries?.map(({ fields }) => fields.attributes)).toEqual([
    { size: 3, zones: ["eu"], parent: "core" },
    { size: 3, zones: ["eu"], parent: "core" },
  ]);
  expect(entries?.map(({ row }) => row.attributes)).toEqual([
    { size: 3, zones: ["eu"] },
    { size: 3, zones: ["eu"] },
  ]);
});
