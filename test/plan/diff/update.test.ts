import { expect, test } from "vitest";
import { serviceFor } from "../../support/service/test-service.ts";

test("a retained option keeps its position, so that no request is sent for it", async () => {
  const service = serviceFor();
  const region = (options: readonly string[]) => ({
    custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
    forms: {
      declare: [
        {
          custom_field: "region",
          conditions: [],
        },
      ],
    },
  });
  await service.converge(region(["EU", "US", "APAC"]));
  await service.hand("POST", "/custom_fields", { name: "Why", field_type: "text", option_source: "none" });
  await service.hand("PATCH", "/forms/declare", {
    custom_field: "why",
    conditions: [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["US"] }],
  });
  const { custom_fields } = region(["EU", "APAC"]);
  const plan = await service.plan({ custom_fields: [...custom_fields, { slug: "why" }] });
  expect(plan.warnings.map(({ code }) => code)).toContain("W_RETAINED");
  expect(plan.operations).toEqual([]);
  service.emulator.close();
});

test("an attribute whose values are removed first is removed in one request, at any position", async () => {
  const service = serviceFor();
  const squads = (names: readonly string[], attributes: Readonly<Record<string, string>>) => ({
    catalog_types: [
      {
        slug: "squad",
        name: "Squad",
        attributes: names.map((name) => ({ name, attribute_type: "text" })),
        entries: [{ slug: "red", name: "Red", attributes }],
      },
    ],
  });
  await service.converge(squads(["Floor", "Room", "Desk"], { floor: "2", room: "12", desk: "4" }));
  const plan = await service.converge(squads(["Floor", "Desk"], { floor: "2", desk: "4" }));
  expect(plan.operations.map(({ address }) => address)).toEqual([
    "catalog_types/squad/entries/red",
    "catalog_types/squad",
  ]);
  service.emulator.close();
});

test("a field of another type gets its source and its first options in the same request", async () => {
  const service = serviceFor();
  await service.converge({ custom_fields: [{ slug: "impact", name: "Impact", field_type: "text" }] });
  const selects = { custom_fields: [{ slug: "impact", field_type: "single_select", options: ["Low", "High"] }] };
  const plan = await service.converge(selects);
  expect(plan.unreadable).toEqual([]);
  expect(plan.operations.map(({ body }) => body)).toEqual([
    { field_type: "single_select", option_source: "fixed", options: ["Low", "High"] },
  ]);
  expect((await service.plan(selects)).operations).toEqual([]);
  const back = await service.converge({ custom_fields: [{ slug: "impact", field_type: "number" }] });
  expect(back.operations.map(({ body }) => body)).toEqual([{ field_type: "number", option_source: "none" }]);
  service.emulator.close();
});
