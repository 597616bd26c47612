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

describe("an option that the files no longer declare", () => {
  test("is removed if nothing uses it, and a refusal does no harm", () => {
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

  test("stays if incidents use it", () => {
    expect(told({ chosen: { region: { US: 1 } } })).toEqual([`custom_fields/region: ${stays} used by 1 incident`]);
    expect(told({ chosen: { region: { US: 2 } } })).toEqual([`custom_fields/region: ${stays} used by 2 incidents`]);
    expect(told({ chosen: { region: { EU: 2 } } })).toHaveLength(1);
  });

  test("keeps its position before and after the option above it is renamed", () => {
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

  test("stays if an unmanaged live resource references it", () => {
    expect(told({ live: { runbooks: [book("a", "US")] } })).toEqual([
      `custom_fields/region: ${stays} referenced by runbooks/a`,
    ]);
    expect(
      told({ live: { runbooks: [book("a", "US"), book("b", "EU", "US")] }, chosen: { region: { US: 1 } } }),
    ).toEqual([`custom_fields/region: ${stays} used by 1 incident and referenced by runbooks/a, runbooks/b`]);
  });

  test("is removed if only another option, or one of another field, is referenced", () => {
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

  test("is removed after its referrers are removed or changed", () => {
    const live = { runbooks: [book("a", "US")] };
    expect(told({ live }, { ...field("EU", "MEA"), runbooks: [] })).toEqual(["delete runbook", 'remove option "US"']);
    expect(told({ live }, { ...field("EU", "MEA"), runbooks: [book("a", "EU")] })).toEqual([
      "set conditions",
      'remove option "US"',
    ]);
  });

  test("stays if a declared resource omits the field that references it, or a managed form still references it", () => {
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

  test("keeps its position, so that no request is sent for it", () => {
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

describe("an attribute that the files no longer declare", () => {
  const live = { catalog_types: [type("Floor", "Room", "Desk")] };
  const held = {
    ...live,
    "catalog_entries squad": [entry("red", { room: "12", floor: "2" }), entry("blue", { floor: "1" })],
  };

  test("is removed if no entry has a value of it", () => {
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

  test("stays if unmanaged entries have values of it, and the warning counts them", () => {
    const warnings = (names: readonly string[]) =>
      planned({ catalog_types: [type(...names)] }, { live: held }).warnings.map(({ message }) => message);
    expect(warnings(["Floor", "Desk"])).toEqual([
      'catalog_types/squad: "Room" is not in the configuration but stays: 1 entry holds a value of it',
    ]);
    expect(warnings(["Room", "Desk"])).toEqual([
      'catalog_types/squad: "Floor" is not in the configuration but stays: 2 entries hold a value of it',
    ]);
  });

  test("is removed after the managed entries are written without it", () => {
    const document = { catalog_types: [{ ...type("Floor", "Desk"), entries: [entry("red", { floor: "2" })] }] };
    const rows = { ...live, "catalog_entries squad": [entry("red", { room: "12", floor: "2" })] };
    expect(requests(document, { live: rows })).toEqual([
      'PATCH /catalog/entries/entry-red {"attributes":{"floor":"2"}}',
      `PATCH /catalog/types/squad ${JSON.stringify({ attributes: type("Floor", "Desk").attributes })}`,
    ]);
  });

  test("stays if the files manage only the entries of another type, and the warning has its place", () => {
    const rows = { ...live, "catalog_entries squad": [entry("red", { room: "12" })], "catalog_entries hall": [] };
    const hall = { slug: "hall", name: "Hall", entries: [] };
    const types = { catalog_types: [type("Floor", "Desk"), hall] };
    const plan = planned(types, { live: { ...rows, catalog_types: [...live.catalog_types, hall] } });
    expect(plan.operations).toEqual([]);
    expect(plan.warnings).toMatchObject([
      { code: "W_RETAINED", address: "catalog_types/squad", source: { file: "test.yaml", line: 1, column: 12 } },
    ]);
  });

  test("that is required and has no values is removed in one request", () => {
    const room = { name: "Room", attribute_type: "text", required: true };
    const floor = { name: "Floor", attribute_type: "text", required: false };
    const rows = {
      catalog_types: [{ slug: "squad", name: "Squad", attributes: [floor, room] }],
      "catalog_entries squad": [],
    };
    const document = { catalog_types: [{ slug: "squad", attributes: [floor], entries: [] }] };
    expect(planned(document, { live: rows }).operations.map(({ body }) => body)).toEqual([{ attributes: [floor] }]);
  });

  test("that is required becomes optional first if entries still have a value of it", () => {
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
