import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type PlanInput, planned, requests } from "../../support/plans/make-plan.ts";

const field = (...options: readonly string[]): Fields => ({
  custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
});
const liveField = (...labels: readonly string[]): readonly Fields[] => [
  {
    slug: "region",
    name: "Region",
    field_type: "single_select",
    options: labels.map((label) => ({ id: label, label })),
  },
];
const on = (...values: readonly string[]): Fields => ({
  condition_field: "custom_field",
  custom_field: "region",
  operator: "one_of",
  values,
});
const book = (slug: string, ...values: readonly string[]): Fields => ({
  slug,
  name: slug,
  conditions: [on(...values)],
});

/** The requests and the warnings of a plan that lists two of three options. */
function told(given: PlanInput, document: Fields = field("EU", "MEA")): readonly string[] {
  const live = { custom_fields: liveField("EU", "US", "MEA"), ...given.live };
  const { operations, warnings } = planned(document, { ...given, live });
  return [...operations.map(({ why }) => why), ...warnings.map(({ message }) => message)];
}

const stays = 'option "US" is not in the configuration but stays:';

describe("an option that the files no longer list", () => {
  test("goes when nothing holds it, and the request may be refused without harm", () => {
    const live = { custom_fields: liveField("EU", "US", "MEA") };
    const [operation, ...others] = planned(field("EU", "MEA"), { live }).operations;
    expect(others).toEqual([]);
    expect(operation).toMatchObject({
      method: "PATCH",
      body: { options: ["EU", "MEA"] },
      why: 'remove option "US"',
      retains: 'option "US"',
    });
    expect(planned(field("EU"), { live }).operations[0]).toMatchObject({
      why: 'remove options "US", "MEA"',
      retains: 'options "US", "MEA"',
    });
  });

  test("stays when incidents hold it", () => {
    expect(told({ chosen: { region: { US: 1 } } })).toEqual([`custom_fields/region: ${stays} used by 1 incident`]);
    expect(told({ chosen: { region: { US: 2 } } })).toEqual([`custom_fields/region: ${stays} used by 2 incidents`]);
    expect(told({ chosen: { region: { EU: 2 } } })).toHaveLength(1);
  });

  test("stays at the same place whether the one above it is still to be renamed or was renamed", () => {
    const renaming: Fields = {
      custom_fields: [
        {
          slug: "region",
          name: "Region",
          field_type: "single_select",
          options: ["LATAM", { label: "Europe", renamed_from: "EU" }, "MEA"],
        },
      ],
    };
    const chosen = { region: { US: 1 } };
    const before = { custom_fields: liveField("EU", "US", "MEA", "LATAM") };
    const last = planned(renaming, { live: before, chosen }).operations.at(-1)?.body?.options;
    expect(last).toEqual(["LATAM", "Europe", "US", "MEA"]);
    const after = { custom_fields: liveField("LATAM", "Europe", "US", "MEA") };
    expect(planned(renaming, { live: after, chosen }).operations).toEqual([]);
  });

  test("stays when a live entry that nobody manages mentions it", () => {
    expect(told({ live: { runbooks: [book("a", "US")] } })).toEqual([
      `custom_fields/region: ${stays} referenced by runbooks/a`,
    ]);
    expect(
      told({ live: { runbooks: [book("a", "US"), book("b", "EU", "US")] }, chosen: { region: { US: 1 } } }),
    ).toEqual([`custom_fields/region: ${stays} used by 1 incident and referenced by runbooks/a, runbooks/b`]);
  });

  test("goes when only another option, or another field's, is mentioned", () => {
    expect(told({ live: { runbooks: [book("a", "EU")] } })).toEqual(['remove option "US"']);
    const other = { ...on("US"), custom_field: "zone" };
    const live = {
      custom_fields: [...liveField("EU", "US", "MEA"), { slug: "zone", options: [{ id: "z", label: "US" }] }],
      runbooks: [{ slug: "a", conditions: [other] }],
    };
    expect(
      told({ live }, { custom_fields: [...(field("EU", "MEA").custom_fields as Fields[]), { slug: "zone" }] }),
    ).toEqual(['remove option "US"']);
  });

  test("goes after what mentions it goes, or mentions it no longer", () => {
    const live = { runbooks: [book("a", "US")] };
    expect(told({ live }, { ...field("EU", "MEA"), runbooks: [] })).toEqual(["delete runbook", 'remove option "US"']);
    expect(told({ live }, { ...field("EU", "MEA"), runbooks: [book("a", "EU")] })).toEqual([
      "set conditions",
      'remove option "US"',
    ]);
  });

  test("stays where a declared entry does not state what it mentions, and where a form that is managed still does", () => {
    const live = { runbooks: [book("a", "US")] };
    expect(told({ live }, { ...field("EU", "MEA"), runbooks: [{ slug: "a", name: "a" }] })).toEqual([
      `custom_fields/region: ${stays} referenced by runbooks/a`,
    ]);
    const row = (slug: string, ...conditions: readonly Fields[]): Fields => ({
      slug,
      system_field: slug,
      visible: true,
      required: false,
      conditions: [...conditions],
    });
    const forms = { "forms declare": [row("summary"), row("impact", on("US"))] };
    expect(told({ live: forms }, { ...field("EU", "MEA"), forms: { declare: [{ system_field: "summary" }] } })).toEqual(
      [`custom_fields/region: ${stays} referenced by forms/declare/impact`],
    );
  });

  test("stays at its place, so that nothing is sent for it", () => {
    expect(told({ chosen: { region: { US: 1 } } }, field("MEA", "EU"))[0]).toBe("reorder the options");
    const live = { custom_fields: liveField("US", "EU", "MEA") };
    expect(requests(field("EU", "MEA"), { live, chosen: { region: { US: 1 } } })).toEqual([]);
    expect(requests(field("EU", "NEW", "MEA"), { live, chosen: { region: { US: 1 } } })).toEqual([
      'PATCH /custom_fields/region {"options":["US","EU","NEW","MEA"]}',
    ]);
  });

  test("several that stay keep their order", () => {
    const live = { custom_fields: liveField("A", "EU", "B", "C", "MEA") };
    const chosen = { region: { A: 1, B: 1, C: 1 } };
    expect(requests(field("MEA", "EU"), { live, chosen })).toEqual([
      'PATCH /custom_fields/region {"options":["A","MEA","EU","B","C"]}',
    ]);
  });
});

const type = (...names: readonly string[]): Fields => ({
  slug: "squad",
  name: "Squad",
  attributes: names.map((name) => ({ name, attribute_type: "text", required: false })),
});
const entry = (slug: string, attributes: Fields): Fields => ({ slug, name: slug, attributes });

describe("an attribute that the files no longer list", () => {
  const live = { catalog_types: [type("Floor", "Room", "Desk")] };
  const held = {
    ...live,
    "catalog_entries squad": [entry("red", { room: "12", floor: "2" }), entry("blue", { floor: "1" })],
  };

  test("goes when no entry holds a value of it", () => {
    const plan = planned({ catalog_types: [type("Floor", "Room")] }, { live: held });
    expect(plan.warnings).toEqual([]);
    expect(plan.operations.map(({ body }) => body)).toEqual([{ attributes: type("Floor", "Room").attributes }]);
  });

  test.each([
    ["", true],
    [null, true],
    [[], true],
    ["12", false],
    [["12"], false],
    [0, false],
  ])("with the value %j in an entry that nobody manages may go: %s", (room, goes) => {
    const rows = { ...live, "catalog_entries squad": [entry("red", { room })] };
    const plan = planned({ catalog_types: [type("Floor", "Desk")] }, { live: rows });
    expect(plan.operations).toHaveLength(goes ? 1 : 0);
    expect(plan.warnings).toHaveLength(goes ? 0 : 1);
  });

  test("stays when entries that nobody manages hold a value of it, and they are counted", () => {
    const warnings = (names: readonly string[]) =>
      planned({ catalog_types: [type(...names)] }, { live: held }).warnings.map(({ message }) => message);
    expect(warnings(["Floor", "Desk"])).toEqual([
      'catalog_types/squad: "Room" is not in the configuration but stays: 1 entry holds a value of it',
    ]);
    expect(warnings(["Room", "Desk"])).toEqual([
      'catalog_types/squad: "Floor" is not in the configuration but stays: 2 entries hold a value of it',
    ]);
  });

  test("goes once the entries that the files manage are written without it", () => {
    const document = { catalog_types: [{ ...type("Floor", "Desk"), entries: [entry("red", { floor: "2" })] }] };
    const rows = { ...live, "catalog_entries squad": [entry("red", { room: "12", floor: "2" })] };
    expect(requests(document, { live: rows })).toEqual([
      'PATCH /catalog/entries/entry-red {"attributes":{"floor":"2"}}',
      `PATCH /catalog/types/squad ${JSON.stringify({ attributes: type("Floor", "Desk").attributes })}`,
    ]);
  });

  test("stays where the files manage the entries of another type only, and the warning says where", () => {
    const rows = { ...live, "catalog_entries squad": [entry("red", { room: "12" })], "catalog_entries hall": [] };
    const hall = { slug: "hall", name: "Hall", entries: [] };
    const types = { catalog_types: [type("Floor", "Desk"), hall] };
    const plan = planned(types, { live: { ...rows, catalog_types: [...live.catalog_types, hall] } });
    expect(plan.operations).toEqual([]);
    expect(plan.warnings).toMatchObject([
      { code: "W_RETAINED", address: "catalog_types/squad", source: { file: "test.yaml", line: 1, column: 12 } },
    ]);
  });

  test("that is asked for and that nothing holds goes in one request", () => {
    const room = { name: "Room", attribute_type: "text", required: true };
    const floor = { name: "Floor", attribute_type: "text", required: false };
    const rows = {
      catalog_types: [{ slug: "squad", name: "Squad", attributes: [floor, room] }],
      "catalog_entries squad": [],
    };
    const document = { catalog_types: [{ slug: "squad", attributes: [floor], entries: [] }] };
    expect(planned(document, { live: rows }).operations.map(({ body }) => body)).toEqual([{ attributes: [floor] }]);
  });

  test("asks for nothing meanwhile where it asked for something", () => {
    const room = { name: "Room", attribute_type: "text", required: true };
    const floor = { name: "Floor", attribute_type: "text" };
    const rows = {
      catalog_types: [{ slug: "squad", name: "Squad", attributes: [floor, room] }],
      "catalog_entries squad": [entry("red", { room: "12" })],
    };
    const document = { catalog_types: [{ slug: "squad", attributes: [floor], entries: [entry("red", {})] }] };
    const plan = planned(document, { live: rows });
    expect(plan.operations.map(({ address, body }) => [address, body])).toEqual([
      ["catalog_types/squad", { attributes: [floor, { ...room, required: false }] }],
      ["catalog_types/squad/entries/red", { attributes: {} }],
      ["catalog_types/squad", { attributes: [floor] }],
    ]);
    const [relax, , drop] = plan.operations;
    expect(drop?.depends_on).toContain(relax?.id);
    expect(drop?.why).toBe("set attributes (the removed values are no longer in use)");
  });
});
