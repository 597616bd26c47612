import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import { errorOf } from "../../client.ts";
import { type Desk, incidentIn, openDesk } from "../../test-emulator.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

async function field(name: string, fields: Fields, form: Fields = {}): Promise<Fields> {
  const { body } = await desk.send("POST", "/custom_fields", { name, ...fields });
  const change = { custom_field: body.slug ?? null, visible: true, required: false, ...form };
  expect((await desk.send("PATCH", "/forms/declare", change)).status).toBe(200);
  return body;
}

const text = { field_type: "text", option_source: "none" };
const select = { field_type: "single_select", option_source: "fixed", options: ["Europe", "America"] };

async function declare(custom_fields: Fields, more: Fields = {}): Promise<Awaited<ReturnType<Desk["send"]>>> {
  const severity_id = await desk.id("severities", "minor");
  return desk.send("POST", "/incidents", { idempotency_key: "k", name: "x", severity_id, custom_fields, ...more });
}

/** The fields that a declaration is refused for; empty when it is not. */
async function failing(custom_fields: Fields, more: Fields = {}): Promise<Json> {
  const answer = await declare(custom_fields, more);
  if (answer.status === 201) return [];
  expect([answer.status, errorOf(answer).type]).toEqual([422, "validation_error"]);
  return (errorOf(answer).errors as readonly Fields[]).map((error) => error.field ?? null);
}

test("Incidents: custom_fields are kept under the slug, a choice under its label", async () => {
  await field("Queue", text);
  const region = await field("Region", select);
  const incident = incidentIn(await declare({ queue: "emails", region: "Europe" }));
  expect(incident.custom_fields).toEqual({ queue: "emails", region: "Europe" });
  const [europe] = region.options as readonly Fields[];
  const other = incidentIn(await declare({ region: europe?.id ?? null }, { idempotency_key: "l" }));
  expect(other.custom_fields).toEqual({ region: "Europe" });
});

test("rule 3: an incident that holds an option keeps pointing at it through a rename", async () => {
  await field("Region", select);
  const incident = incidentIn(await declare({ region: "Europe" }));
  await desk.send("PATCH", "/custom_fields/region", { options: ["EU", "America"] });
  expect((await desk.read(incident)).custom_fields).toEqual({ region: "EU" });
});

test.each([
  ["number", { field_type: "number", option_source: "none" }, "3.5", 3.5],
  ["link", { field_type: "link", option_source: "none" }, "https://example.com/a", "https://example.com/a"],
  ["several choices", { ...select, field_type: "multi_select" }, ["America", "Europe"], ["America", "Europe"]],
])("Incidents: a %s is taken", async (_kind, fields, sent, shown) => {
  await field("Value", fields);
  expect(incidentIn(await declare({ value: sent })).custom_fields).toEqual({ value: shown });
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
  async (_case, made, sent, fields) => {
    if (Object.keys(made).length > 0) await field("Value", made as Fields);
    expect(await failing(sent as Fields)).toEqual(fields);
    expect((await desk.send("GET", "/incidents")).body.incidents).toEqual([]);
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

test("Form fields: a required field is asked for only where its conditions hold", async () => {
  const critical = { condition_field: "severity", operator: "one_of", values: ["critical"] };
  await field("Queue", text, { required: true, conditions: [critical] });
  expect(await failing({})).toEqual([]);
  const severity_id = await desk.id("severities", "critical");
  expect(await failing({}, { severity_id, idempotency_key: "l" })).toEqual(["queue"]);
});

test("Form fields: a condition reads what the declaration answers to another field", async () => {
  await field("Region", select);
  const european = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["Europe"] };
  await field("Queue", text, { required: true, conditions: [european] });
  expect(await failing({ region: "Europe" })).toEqual(["queue"]);
  expect(await failing({ region: "America" })).toEqual([]);
});

test("Form fields: a condition on the type holds for the type given", async () => {
  const typed = { condition_field: "incident_type", operator: "not_one_of", values: ["data_issue"] };
  await field("Queue", text, { required: true, conditions: [typed] });
  expect(await failing({})).toEqual(["queue"]);
  expect(await failing({}, { incident_type_id: await desk.id("incident_types", "data_issue") })).toEqual([]);
});

test.each([
  ["summary", { summary: "Known" }],
  ["incident_type", {}],
  ["visibility", { visibility: "public" }],
])("Form fields: the form's own %s is missed when it is required", async (system_field, given) => {
  await desk.send("PATCH", "/forms/declare", { system_field, visible: true, required: true });
  const answer = { ...given } as Fields;
  const type =
    system_field === "incident_type" ? { incident_type_id: await desk.id("incident_types", "data_issue") } : {};
  expect(await failing({})).toEqual([system_field]);
  expect(await failing({}, { ...answer, ...type })).toEqual([]);
});

test("Disabled entries 3: fields and options that incidents hold are counted when they are to be deleted", async () => {
  const dialect = { options: "replace" };
  await desk.control("PATCH", "/dialects", dialect);
  await field("Region", select);
  incidentIn(await declare({ region: "Europe" }));
  incidentIn(await declare({ region: "Europe" }, { idempotency_key: "l" }));
  const refused = await desk.send("PATCH", "/custom_fields/region", { options: ["America"] });
  expect([refused.status, errorOf(refused).message]).toEqual([422, expect.stringContaining("2 reference(s)")]);
  const kept = await desk.send("DELETE", "/custom_fields/region");
  expect([kept.status, errorOf(kept).message]).toEqual([422, expect.stringContaining("2 incident(s)")]);
});
