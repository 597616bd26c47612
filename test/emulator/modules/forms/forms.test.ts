import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, isList } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { errorOf, type JsonResponse, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});
afterEach(() => emulator.close());

function withDialects(dialects: Partial<Dialects>): void {
  emulator.close();
  emulator = createEmulator({ dialects });
}

async function fieldsOf(form: string): Promise<readonly Fields[]> {
  const { body } = await send(emulator, "GET", `/forms/${form}`);
  return isList(body.fields) ? body.fields.filter(isFields) : [];
}

async function fieldOf(form: string, slug: string): Promise<Fields | undefined> {
  return (await fieldsOf(form)).find((field) => field.slug === slug);
}

function change(form: string, body: Fields): Promise<JsonResponse> {
  return send(emulator, "PATCH", `/forms/${form}`, body);
}

async function addField(name: string, options?: readonly string[]): Promise<void> {
  const shape =
    options === undefined
      ? { field_type: "text", option_source: "none" }
      : { field_type: "single_select", option_source: "fixed", options };
  expect((await send(emulator, "POST", "/custom_fields", { name, ...shape })).status).toBe(201);
}

const majorOnly = { condition_field: "severity", operator: "one_of", values: ["major"] };

describe("Configuration resources, rule 2", () => {
  test.each([
    ["declare", ["-name", "-incident_type off", "-severity", "-summary", "-visibility off"]],
    ["update", ["-message", "-next_update", "-incident_type off", "-status", "-severity", "-summary off"]],
    ["resolve", ["-name", "-status", "-severity", "-summary", "-lead"]],
    ["cancel", ["-status", "-summary off"]],
  ])("the %s form has its system fields, with hidden ones", async (form, expected) => {
    const visible = (await fieldsOf(form)).map(({ slug, visible }) => `-${slug}${visible ? "" : " off"}`);
    expect(visible).toEqual(expected);
  });

  test.each([
    ["POST", "/forms/declare", 405],
    ["DELETE", "/forms/declare", 405],
    ["POST", "/forms", 404],
  ])("a form can be neither created nor deleted: %s %s is %i", async (method, path, status) => {
    expect((await send(emulator, method, path, {})).status).toBe(status);
  });

  test("GET reads one form, and an unknown slug is 404", async () => {
    expect((await send(emulator, "GET", "/forms/cancel")).body).toEqual({
      form: "cancel",
      name: "Cancel",
      fields: [
        {
          name: "Status",
          slug: "status",
          source: "system",
          visible: true,
          required: true,
          locked: true,
          conditions: [],
        },
        {
          name: "Summary",
          slug: "summary",
          source: "system",
          visible: false,
          required: false,
          locked: false,
          conditions: [],
        },
      ],
    });
    expect((await send(emulator, "GET", "/forms/postmortem")).status).toBe(404);
    expect((await send(emulator, "PATCH", "/forms/postmortem", { system_field: "name" })).status).toBe(404);
  });

  test("PATCH changes one field on one form and nothing else", async () => {
    const before = await fieldsOf("resolve");
    const response = await change("declare", { system_field: "summary", required: true });
    expect(response).toMatchObject({
      status: 200,
      body: { form: "declare", field: "Summary", visible: true, required: true, locked: false, conditions: 0 },
    });
    expect(await fieldsOf("resolve")).toEqual(before);
    expect((await fieldsOf("declare")).map(({ required }) => required)).toEqual([true, false, true, true, false]);
  });
});

describe("Configuration resources, rule 5", () => {
  test("naming a custom field attaches it at the end, visible and optional", async () => {
    await addField("Zone");
    await addField("Area");
    await change("declare", { custom_field: "zone" });
    await change("declare", { custom_field: "area", visible: false });
    await change("declare", { custom_field: "zone", required: true });
    expect((await fieldsOf("declare")).slice(-2)).toMatchObject([
      { slug: "zone", name: "Zone", source: "custom", visible: true, required: true, locked: false },
      { slug: "area", name: "Area", source: "custom", visible: false, required: false },
    ]);
    expect(await fieldOf("update", "zone")).toBeUndefined();
  });

  test("omitted properties stay, and null counts as false", async () => {
    await change("declare", { system_field: "summary", required: true, conditions: [majorOnly] });
    expect((await change("declare", { system_field: "summary" })).body).toMatchObject({
      required: true,
      conditions: 1,
    });
    expect((await change("declare", { system_field: "summary", visible: null })).body).toMatchObject({
      visible: false,
      required: true,
    });
  });

  test("if a request has both names, system_field wins", async () => {
    const response = await change("declare", { system_field: "summary", custom_field: "nothing", required: true });
    expect(response).toMatchObject({ status: 200, body: { field: "Summary" } });
  });

  test.each([
    ["declare", "severity"],
    ["update", "severity"],
    ["resolve", "severity"],
    ["update", "status"],
    ["resolve", "status"],
    ["cancel", "status"],
  ])("on the %s form, %s can be neither hidden, made optional nor made conditional", async (form, system_field) => {
    for (const loosening of [{ visible: false }, { required: false }, { visible: null }, { conditions: [majorOnly] }]) {
      const response = await change(form, { system_field, ...loosening });
      expect([response.status, errorOf(response).type]).toEqual([422, "validation_error"]);
    }
    expect(await fieldOf(form, system_field)).toMatchObject({ visible: true, required: true, locked: true });
    const same = await change(form, { system_field, visible: true, required: true, conditions: [] });
    expect(same.status).toBe(200);
  });
});

describe("dialect locked_fields: ignore", () => {
  beforeEach(() => withDialects({ locked_fields: "ignore" }));

  test("a change of a locked field responds with 200 and changes nothing, but conditions are still refused", async () => {
    const response = await change("declare", { system_field: "severity", visible: false, required: false });
    expect(response).toMatchObject({ status: 200, body: { visible: true, required: true, locked: true } });
    expect(await fieldOf("declare", "severity")).toMatchObject({ visible: true, required: true });
    const conditional = await change("declare", { system_field: "severity", conditions: [majorOnly] });
    expect(errorOf(conditional).errors).toMatchObject([{ field: "base" }]);
  });

  test("Status on the forms that end an incident is required but not locked", async () => {
    expect((await change("resolve", { system_field: "status", required: false })).body).toMatchObject({
      required: false,
      locked: false,
    });
  });
});

describe("conditions that read a custom field", () => {
  const eastOnly = { condition_field: "custom_field", operator: "one_of", values: ["East"], custom_field: "zone" };

  test.each([
    ["declare", "update", 200],
    ["declare", "cancel", 200],
    ["update", "resolve", 200],
    ["update", "declare", 422],
    ["resolve", "cancel", 422],
    ["cancel", "resolve", 422],
  ])("a field of the %s form can be read on the %s form: %i", async (home, form, status) => {
    await addField("Zone", ["East", "West"]);
    await change(home, { custom_field: "zone" });
    expect((await change(form, { system_field: "summary", conditions: [eastOnly] })).status).toBe(status);
  });

  test("the dialects condition_values and readable determine the conditions in responses", async () => {
    for (const [condition_values, readable] of [
      ["slug", "full"],
      ["slug", "partial"],
      ["id", "full"],
      ["id", "partial"],
    ] as const) {
      withDialects({ condition_values, readable });
      await addField("Zone", ["East", "West"]);
      await change("declare", { custom_field: "zone" });
      await change("declare", { system_field: "summary", conditions: [majorOnly, eastOnly] });
      const [severities, fields] = [
        await listResources(emulator, "/severities"),
        await listResources(emulator, "/custom_fields"),
      ];
      const options = isList(fields[0]?.options) ? fields[0].options.filter(isFields) : [];
      const isId = condition_values === "id";
      const major = isId ? severities.find(({ slug }) => slug === "major")?.id : "major";
      const east = isId ? options[0]?.id : "East";
      const field = readable === "full" ? { custom_field: "zone" } : {};
      expect((await fieldOf("declare", "summary"))?.conditions).toEqual([
        { ...majorOnly, values: [major] },
        { condition_field: "custom_field", operator: "one_of", values: [east], ...field },
      ]);
    }
  });
});
