import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, isList } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, type JsonResponse, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator({ workspace: "bare" });
});
afterEach(() => emulator.close());

function withDialects(dialects: Partial<Dialects>): void {
  emulator.close();
  emulator = createEmulator({ workspace: "bare", dialects });
}

const select = { name: "Region", field_type: "single_select", option_source: "fixed" };

async function create(body: Fields): Promise<Fields> {
  const response = await send(emulator, "POST", "/custom_fields", body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

function resend(options: readonly string[]): Promise<JsonResponse> {
  return send(emulator, "PATCH", "/custom_fields/region", { options });
}

/** The labels of the options by id, in order. */
function optionsOf({ options }: Fields): Fields {
  const rows = isList(options) ? options.filter(isFields) : [];
  return Object.fromEntries(rows.map(({ id, label }) => [String(id), label ?? null]));
}

function idOf(field: Fields, label: string): string {
  return Object.entries(optionsOf(field)).find(([, stored]) => stored === label)?.[0] ?? "";
}

/** Adds a condition to the declare form that names the option. */
async function use(label: string): Promise<void> {
  await create({ name: "Reader", field_type: "text", option_source: "none" });
  await send(emulator, "PATCH", "/forms/declare", { custom_field: "region" });
  const condition = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: [label] };
  const response = await send(emulator, "PATCH", "/forms/declare", { custom_field: "reader", conditions: [condition] });
  expect(response).toMatchObject({ status: 200, body: { conditions: 1 } });
}

describe("Configuration resources, rule 3", () => {
  test("unmatched labels rename unmatched options in list order, and options are in the order of the request", async () => {
    const before = await create({ ...select, options: ["A", "B", "C"] });
    const after = (await resend(["Y", "B", "Z", "New"])).body;
    expect(Object.values(optionsOf(after)).sort()).toEqual(["B", "New", "Y", "Z"]);
    expect([idOf(after, "Y"), idOf(after, "B"), idOf(after, "Z")]).toEqual(["A", "B", "C"].map((l) => idOf(before, l)));
    expect((after.options as readonly Fields[]).map(({ label }) => label)).toEqual(["Y", "B", "Z", "New"]);
  });

  test("labels are matched exactly after trimming, so a reordered list keeps every id", async () => {
    const before = await create({ ...select, options: ["A", "B"] });
    expect(optionsOf((await resend([" B ", "", "A"])).body)).toEqual(optionsOf(before));
  });

  test("an option that a shorter list omits is removed unless referenced", async () => {
    await create({ ...select, options: ["A", "B", "C"] });
    await use("B");
    expect(Object.values(optionsOf((await resend(["A", "B"])).body))).toEqual(["A", "B"]);
    const refused = await resend(["A"]);
    expect(refused.status).toBe(422);
    expect(errorOf(refused).errors).toEqual([
      { field: "base", message: "B is in use by 1 reference(s) and cannot be deleted. Disable it instead." },
    ]);
    expect(errorOf(refused).message).toBe(
      "Validation failed: B is in use by 1 reference(s) and cannot be deleted. Disable it instead.",
    );
    expect(Object.values(optionsOf((await listResources(emulator, "/custom_fields"))[0] ?? {}))).toEqual(["A", "B"]);
  });

  test("a duplicate existing label is one option", async () => {
    await create({ ...select, options: ["A", "B"] });
    expect(Object.values(optionsOf((await resend(["A", "B", "A"])).body))).toEqual(["B", "A"]);
  });
});

describe("dialect options: replace", () => {
  beforeEach(() => withDialects({ options: "replace" }));

  test("an unmatched option is removed and an unmatched label created", async () => {
    const before = await create({ ...select, options: ["A", "B"] });
    const after = (await resend(["A", "C"])).body;
    expect(idOf(after, "A")).toBe(idOf(before, "A"));
    expect(Object.keys(optionsOf(before))).not.toContain(idOf(after, "C"));
  });

  test("if the unmatched option is referenced, nothing of the change is saved", async () => {
    const before = await create({ ...select, options: ["A", "B"] });
    await use("B");
    const response = await send(emulator, "PATCH", "/custom_fields/region", { name: "Lost", options: ["A", "C"] });
    expect(response.status).toBe(422);
    expect((await listResources(emulator, "/custom_fields"))[0]).toEqual(before);
  });
});

describe("Custom fields", () => {
  test("the slug drops hyphens, is unique, and never changes", async () => {
    const text = { field_type: "text", option_source: "none" };
    expect(await create({ ...text, name: "Read-only DB" })).toMatchObject({ slug: "readonly_db" });
    expect((await send(emulator, "POST", "/custom_fields", { ...text, name: "Readonly DB" })).status).toBe(422);
    const renamed = await send(emulator, "PATCH", "/custom_fields/readonly_db", { name: "Frozen", slug: "frozen" });
    expect(renamed.body).toMatchObject({ name: "Frozen", slug: "readonly_db" });
  });

  test("a blank name, type or source changes nothing, and a description overwrites, even null", async () => {
    await create({ ...select, options: ["A"], description: "Where" });
    const blank = { name: "", field_type: "", option_source: null };
    const remaining = await send(emulator, "PATCH", "/custom_fields/region", blank);
    expect(remaining.body).toMatchObject({ ...select, description: "Where" });
    const cleared = await send(emulator, "PATCH", "/custom_fields/region", { description: null });
    expect(cleared.body.description).toBeNull();
  });

  test("a field of the catalog offers the entries of its type by name", async () => {
    const entries = "/catalog/types/service/entries";
    for (const name of ["Web", "API"]) await send(emulator, "POST", entries, { name });
    const field = { name: "Service", field_type: "catalog_reference", option_source: "catalog" };
    const created = await create({ ...field, catalog_type: "service" });
    const types = await listResources(emulator, "/catalog/types");
    expect(created.catalog_type_id).toBe(types.find(({ slug }) => slug === "service")?.id);
    expect(Object.values(optionsOf(created))).toEqual(["API", "Web"]);
  });

  test("a field on a form cannot be deleted, and one on no form can", async () => {
    await create({ ...select, options: ["A"] });
    await create({ name: "Note", field_type: "text", option_source: "none" });
    await send(emulator, "PATCH", "/forms/declare", { custom_field: "region" });
    await send(emulator, "PATCH", "/forms/update", { custom_field: "region" });
    const response = await send(emulator, "DELETE", "/custom_fields/region");
    expect([response.status, errorOf(response).message]).toEqual([
      422,
      "Region is in use by 2 form(s) and cannot be deleted. Disable it instead.",
    ]);
    expect(errorOf(response).errors).toBeUndefined();
    expect((await send(emulator, "DELETE", "/custom_fields/note")).status).toBe(204);
    expect((await send(emulator, "DELETE", "/custom_fields/note")).status).toBe(404);
    expect(await column(emulator, "/custom_fields", "slug")).toEqual(["region"]);
  });

  test("once an incident has a value, type and source are fixed, and the option and the field cannot be deleted", async () => {
    emulator.close();
    emulator = createEmulator();
    await create({ ...select, options: ["A", "B"] });
    await send(emulator, "PATCH", "/forms/declare", { custom_field: "region" });
    const [severity] = await listResources(emulator, "/severities");
    const incident = { idempotency_key: "k", name: "Down", severity_id: severity?.id ?? null };
    const declared = await send(emulator, "POST", "/incidents", { ...incident, custom_fields: { region: "A" } });
    expect(declared.status).toBe(201);
    const retyped = await send(emulator, "PATCH", "/custom_fields/region", { field_type: "multi_select" });
    expect([retyped.status, errorOf(retyped).errors]).toEqual([
      422,
      [{ field: "base", message: "Region is in use by 1 incident(s), so its type and option source cannot change." }],
    ]);
    expect((await resend(["Alpha", "B"])).status).toBe(200);
    expect((await resend(["B"])).status).toBe(422);
    expect((await send(emulator, "GET", "/incidents")).body.incidents).toMatchObject([
      { custom_fields: { region: "Alpha" } },
    ]);
    expect(errorOf(await send(emulator, "DELETE", "/custom_fields/region")).message).toBe(
      "Region is in use by 2 references (1 form(s), 1 incident(s)) and cannot be deleted. Disable it instead.",
    );
  });

  test("a runbook condition that reads the field counts under delete_guard: any only", async () => {
    const conditions = [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["A"] }];
    for (const [delete_guard, status] of [
      ["any", 422],
      ["incidents", 204],
    ] as const) {
      withDialects({ delete_guard });
      await create({ ...select, options: ["A"] });
      expect((await send(emulator, "POST", "/runbooks", { name: "Failover", conditions })).status).toBe(201);
      expect((await send(emulator, "DELETE", "/custom_fields/region")).status).toBe(status);
    }
  });
});

test("dialect readable: full returns the description and partial never does", async () => {
  const body = { ...select, options: ["A"], description: "Where" };
  expect(await create(body)).toMatchObject({ description: "Where" });
  withDialects({ readable: "partial" });
  const partial = await create(body);
  expect(Object.keys(partial)).toEqual(["id", "name", "slug", "field_type", "option_source", "options"]);
});
