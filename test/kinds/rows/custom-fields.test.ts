/** A select may be offered its own options or the entries of a catalog type; only the former are options of the field. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { IdLookup } from "../../../src/kinds/model/lookup.ts";
import { customFields } from "../../../src/kinds/rows/custom-fields.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const names: IdLookup = {
  fields: () => undefined,
  declaredFields: () => undefined,
  live: () => undefined,
  id: (_kind, key) => key,
  key: (_kind, id) => (id === "t1" ? "team" : undefined),
  rows: () => [],
  rowsSoFar: () => [],
};

test.each([
  ["single_select", "fixed", { options: ["Payments"] }],
  ["single_select", "catalog", { options: [] }],
  ["multi_select", "catalog", { options: [] }],
  ["catalog_reference", "catalog", {}],
  ["text", "none", { options: [] }],
])("of a live %s from %s", (field_type, option_source, expected) => {
  const row: Fields = { slug: "owner", field_type, option_source, options: [{ id: "e1", label: "Payments" }] };
  expect(customFields.codec?.decode?.(names, "")({ ...row, catalog_type_id: "t1" })).toEqual({
    slug: "owner",
    field_type,
    option_source,
    catalog_type_id: "t1",
    catalog_type: "team",
    ...expected,
  });
});

test("a select changes to fixed options, and back to the catalog", async () => {
  const service = serviceFor();
  const field = (more: Fields): Fields => ({
    catalog_types: [{ slug: "team", entries: [{ slug: "payments", name: "Payments" }] }],
    custom_fields: [{ slug: "owner", name: "Owner", field_type: "single_select", ...more }],
  });
  const offered = field({ option_source: "catalog", catalog_type: "team" });
  await service.converge(offered);
  await service.converge(field({ option_source: "fixed", options: ["A", "B"] }));
  await service.converge(offered);
  service.emulator.close();
});

test("a select with a catalog type takes its options from there, also without option_source, and gives them up for its own", async () => {
  const service = serviceFor();
  const field = (more: Fields): Fields => ({
    catalog_types: [{ slug: "team", entries: [{ slug: "payments", name: "Payments" }] }],
    custom_fields: [{ slug: "owner", name: "Owner", field_type: "multi_select", ...more }],
  });
  const source = async () =>
    ((await service.hand("GET", "/custom_fields")) as { custom_fields: Fields[] }).custom_fields[0]?.option_source;
  await service.converge(field({ catalog_type: "team" }));
  expect(await source()).toBe("catalog");
  await service.converge(field({ options: ["A"] }));
  expect(await source()).toBe("fixed");
  await service.converge(field({ catalog_type: "team" }));
  expect(await source()).toBe("catalog");
  service.emulator.close();
});
