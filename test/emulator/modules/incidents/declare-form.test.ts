import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { incidentOf, openTestEmulator, type TestEmulator } from "../../test-emulator.ts";

let service: TestEmulator;
beforeEach(async () => {
  service = await openTestEmulator();
});
afterEach(() => service.close());

async function field(name: string, fields: Fields, form: Fields = {}): Promise<Fields> {
  const { body } = await service.send("POST", "/custom_fields", { name, ...fields });
  const change = { custom_field: body.slug ?? null, visible: true, required: false, ...form };
  expect((await service.send("PATCH", "/forms/declare", change)).status).toBe(200);
  return body;
}

const text = { field_type: "text", option_source: "none" };
const select = { field_type: "single_select", option_source: "fixed", options: ["Europe", "America"] };

async function declare(custom_fields: Fields, more: Fields = {}): Promise<Awaited<ReturnType<TestEmulator["send"]>>> {
  const severity_id = await service.id("severities", "minor");
  return service.send("POST", "/incidents", { idempotency_key: "k", name: "x", severity_id, custom_fields, ...more });
}

/** The invalid fields of a declaration; empty if it is accepted. */
async function failing(custom_fields: Fields, more: Fields = {}): Promise<Json> {
  const response = await declare(custom_fields, more);
  if (response.status === 201) return [];
  expect([response.status, errorOf(response).type]).toEqual([422, "validation_error"]);
  return (errorOf(response).errors as readonly Fields[]).map((error) => error.field ?? null);
}

test("Incidents: custom_fields are returned by slug, and choices by label", async () => {
  await field("Queue", text);
  const region = await field("Region", select);
  const incident = incidentOf(await declare({ queue: "emails", region: "Europe" }));
  expect(incident.custom_fields).toEqual({ queue: "emails", region: "Europe" });
  const [europe] = region.options as readonly Fields[];
  const other = incidentOf(await declare({ region: europe?.id ?? null }, { idempotency_key: "l" }));
  expect(other.custom_fields).toEqual({ region: "Europe" });
});

test.each([
  ["number", { field_type: "number", option_source: "none" }, "3.5", 3.5],
  ["link", { field_type: "link", option_source: "none" }, "https://example.com/a", "https://example.com/a"],
  ["several choices", { ...select, field_type: "multi_select" }, ["America", "Europe"], ["America", "Europe"]],
])("Incidents: a %s is accepted", async (_kind, fields, sent, visible) => {
  await field("Value", fields);
  expect(incidentOf(await declare({ value: sent })).custom_fields).toEqual({ value: visible });
});

test.each([
  ["an unknown key", {}, { nothing: 1 }, ["nothing"]],
  ["several unknown keys", {}, { nothing: 1, more: 2 }, ["nothing", "more"]],
  ["a number that is none", { field_type: "number", option_source: "none" }, { value: "many" }, ["value"]],
  ["a link that is none", { field_type: "link", option_source: "none" }, { value: "javascript:alert(1)" }, ["value"]],
  ["an option that is none", select, { value: "Asia" }, ["value"]],
  ["two choices of one", select, { value: ["Europe", "America"] }, ["value"]],
  ["a wrong value and an unknown key", select, { value: "Asia", nothing: 1 }, ["nothing", "value"]],
])(
  "Errors: %s yields a validation_error with one entry per field, and nothing is created",
  async (_case, created, sent, fields) => {
    if (Object.keys(created).length > 0) await field("Value", created as Fields);
    expect(await failing(sent as Fields)).toEqual(fields);
    expect((await service.send("GET", "/incidents")).body.incidents).toEqual([]);
  },
);

test("Errors: a field that the form hides is an unknown key", async () => {
  await field("Queue", text, { visible: false });
  expect(await failing({ queue: "emails" })).toEqual(["queue"]);
});

test.each([[{}], [{ queue: "" }], [{ queue: " " }], [{ queue: null }]])(
  "Errors: a required field is missing in %j",
  async (sent) => {
    await field("Queue", text, { required: true });
    expect(await failing(sent)).toEqual(["queue"]);
  },
);

test("Form fields: a condition reads what the declaration answers to another field", async () => {
  await field("Region", select);
  const european = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["Europe"] };
  await field("Queue", text, { required: true, conditions: [european] });
  expect(await failing({ region: "Europe" })).toEqual(["queue"]);
  expect(await failing({ region: "America" })).toEqual([]);
});

test("Form fields: a condition on the type holds for the declared type", async () => {
  const typed = { condition_field: "incident_type", operator: "not_one_of", values: ["data_issue"] };
  await field("Queue", text, { required: true, conditions: [typed] });
  expect(await failing({})).toEqual(["queue"]);
  expect(await failing({}, { incident_type_id: await service.id("incident_types", "data_issue") })).toEqual([]);
});

test.each([
  ["summary", { summary: "Known" }],
  ["incident_type", {}],
  ["visibility", { visibility: "public" }],
])("Form fields: a missing %s is refused if the form requires it", async (system_field, input) => {
  await service.send("PATCH", "/forms/declare", { system_field, visible: true, required: true });
  const response = { ...input } as Fields;
  const type =
    system_field === "incident_type" ? { incident_type_id: await service.id("incident_types", "data_issue") } : {};
  expect(await failing({})).toEqual([system_field]);
  expect(await failing({}, { ...response, ...type })).toEqual([]);
});
