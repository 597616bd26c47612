import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { serviceFor } from "../../support/service/test-service.ts";

test("a field whose conditions depend on its own value is added to the form first, and then gets its conditions", async () => {
  const service = serviceFor();
  const document = {
    custom_fields: [{ slug: "zone", name: "Zone", field_type: "single_select", options: ["EU", "US"] }],
    forms: {
      declare: [
        {
          custom_field: "zone",
          required: true,
          conditions: [{ condition_field: "custom_field", custom_field: "zone", operator: "one_of", values: ["EU"] }],
        },
      ],
    },
  };
  const plan = await service.converge(document);
  expect(plan.operations.map(({ method, path, body }) => [method, path, Object.keys(body ?? {})])).toEqual([
    ["POST", "/api/v1/custom_fields", ["option_source", "name", "field_type", "options"]],
    ["PATCH", "/api/v1/forms/declare", ["custom_field", "required"]],
    ["PATCH", "/api/v1/forms/declare", ["custom_field", "required", "conditions"]],
  ]);
  expect(plan.operations[1]?.body).toMatchObject({ required: false });
  expect((await service.plan(document)).operations).toEqual([]);
  service.emulator.close();
});

describe("a condition on the cancel form", () => {
  const reading = { condition_field: "custom_field", custom_field: "zone", operator: "one_of", values: ["EU"] };
  const document = (cancel: readonly Fields[]): Fields => ({
    custom_fields: [
      { slug: "zone", name: "Zone", field_type: "single_select", options: ["EU", "US"] },
      { slug: "note", name: "Note", field_type: "text" },
    ],
    forms: { resolve: [{ custom_field: "zone" }], cancel },
  });

  test("waits for the field on that form, since an incident that is canceled was never resolved", async () => {
    const service = serviceFor();
    await service.converge(document([{ custom_field: "note", conditions: [reading] }, { custom_field: "zone" }]));
    service.emulator.close();
  });
});
