import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { errorOf, type JsonResponse, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => start({}));
afterEach(() => emulator.close());

const attributes = [
  { name: "Note", attribute_type: "text" },
  { name: "Cores", attribute_type: "number" },
  { name: "Live", attribute_type: "boolean" },
  { name: "Kind", attribute_type: "select", options: ["VM", "Metal"] },
  { name: "Tags", attribute_type: "list" },
  { name: "Owner", attribute_type: "reference", reference_type: "team" },
  { name: "Lead", attribute_type: "workspace_member" },
  { name: "Crew", attribute_type: "workspace_members" },
];

async function start(dialects: Partial<Dialects>): Promise<void> {
  emulator = createEmulator({ workspace: "bare", dialects });
  expect((await send(emulator, "POST", "/catalog/types", { name: "Host", attributes })).status).toBe(201);
}

async function restart(dialects: Partial<Dialects>): Promise<void> {
  emulator.close();
  await start(dialects);
}

const hosts = "/catalog/types/host/entries";

async function create(body: Fields, path = hosts): Promise<Fields> {
  const response = await send(emulator, "POST", path, body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

function change({ id }: Fields, body: Fields): Promise<JsonResponse> {
  return send(emulator, "PATCH", `/catalog/entries/${id}`, body);
}

function addTeam(name: string): Promise<Fields> {
  return create({ name }, "/catalog/types/team/entries");
}

describe("Pagination", () => {
  test("entries are listed by name, page by page", async () => {
    for (const name of ["C", "A", "E", "B", "D"]) await create({ name });
    const { body } = await send(emulator, "GET", `${hosts}?page=2&per_page=2`);
    expect(body).toMatchObject({
      entries: [{ name: "C" }, { name: "D" }],
      pagination: { page: 2, per_page: 2, total: 5, total_pages: 3 },
    });
    const past = await send(emulator, "GET", `${hosts}?page=9`);
    expect(past.body).toMatchObject({ entries: [], pagination: { total: 5, total_pages: 1 } });
  });
});

describe("Catalog entries", () => {
  test("an entry is read by id, with its values and its references separately", async () => {
    const team = await addTeam("Web");
    const created = await create({ name: "Host one", attributes: { note: "x", owner: team.id ?? null } });
    expect(created).toEqual({
      id: expect.any(String),
      name: "Host one",
      slug: "host_one",
      source: null,
      external_id: null,
      catalog_type_id: expect.any(String),
      attributes: { note: "x" },
      references: [{ key: "owner", target_entry_id: team.id, target_name: "Web" }],
    });
    expect((await send(emulator, "GET", `/catalog/entries/${created.id}`)).body).toEqual(created);
    expect((await send(emulator, "GET", "/catalog/entries/nothing")).status).toBe(404);
  });

  test("the slug is unique within the type and never changes", async () => {
    const created = await create({ name: "One" });
    expect((await send(emulator, "POST", hosts, { name: "one" })).status).toBe(422);
    await addTeam("One");
    expect((await change(created, { name: "Two" })).body).toMatchObject({ name: "Two", slug: "one" });
  });

  test("every write replaces all values: a change of only the name removes them", async () => {
    const created = await create({ name: "One", attributes: { note: "x", cores: 4 } });
    expect((await change(created, { attributes: { note: "y" } })).body.attributes).toEqual({ note: "y" });
    expect((await change(created, { name: "Uno" })).body.attributes).toEqual({});
  });

  test("references that a request omits stay; several keep their order; null removes them", async () => {
    const [web, ops] = [await addTeam("Web"), await addTeam("Ops")];
    const created = await create({ name: "One", attributes: { owner: [web.id ?? null, ops.id ?? null] } });
    const targets = ({ body }: JsonResponse): Json => {
      return (body.references as readonly Fields[]).map(({ target_name }) => target_name ?? null);
    };
    expect(targets(await change(created, { attributes: { note: "x" } }))).toEqual(["Web", "Ops"]);
    expect(targets(await change(created, { attributes: { owner: ops.id ?? null } }))).toEqual(["Ops"]);
    expect(targets(await change(created, { attributes: { owner: null } }))).toEqual([]);
  });

  test.each<[string, Json, string]>([
    ["note", 1, "must be text"],
    ["note", [], "must be text"],
    ["cores", "many", "must be a number"],
    ["cores", [], "must be a number"],
    ["live", [], "must be true or false"],
    ["kind", [], "must be one of VM, Metal"],
    ["live", "true", "must be true or false"],
    ["kind", "Pod", "must be one of VM, Metal"],
    ["tags", "a", "must be a list of texts"],
    ["owner", "web", '"web" is not the id of an entry that it can refer to'],
    ["colour", "red", "is no attribute of Host"],
  ])("the value of %s cannot be %j", async (slug, value, message) => {
    const response = await send(emulator, "POST", hosts, { name: "One", attributes: { [slug]: value } });
    expect([response.status, errorOf(response).errors]).toEqual([422, [{ field: `attributes.${slug}`, message }]]);
    expect((await send(emulator, "GET", hosts)).body.entries).toEqual([]);
  });

  test("a reference accepts only entries of its target type", async () => {
    const other = await create({ name: "Other" });
    const response = await send(emulator, "POST", hosts, { name: "One", attributes: { owner: other.id ?? null } });
    expect(response.status).toBe(422);
  });

  test("values come back as in the request, also numbers as text", async () => {
    const values = { note: "x", cores: "4.5", live: false, kind: "VM", tags: ["b", "a"] };
    expect((await create({ name: "One", attributes: { ...values, crew: null } })).attributes).toEqual(values);
  });

  test("a person is named by chat user id, email or membership id, and comes back as membership id", async () => {
    const created = await create({ name: "One", attributes: { lead: "U0001", crew: ["ada@example.com"] } });
    const { lead, crew } = created.attributes as Fields;
    expect([lead, crew]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), [lead]]);
    expect((await change(created, { attributes: { lead: lead ?? null } })).body.attributes).toEqual({ lead });
    expect((await change(created, { attributes: { lead: "U404" } })).status).toBe(404);
  });

  test("every write must contain a required attribute, and must keep a required reference", async () => {
    const required = attributes.map((each) => {
      return each.name === "Note" || each.name === "Owner" ? { ...each, required: true } : each;
    });
    await send(emulator, "PATCH", "/catalog/types/host", { attributes: required });
    const missing = await send(emulator, "POST", hosts, { name: "One" });
    expect(errorOf(missing).errors).toEqual([
      { field: "attributes.note", message: "can't be blank" },
      { field: "attributes.owner", message: "can't be blank" },
    ]);
    const team = await addTeam("Web");
    const created = await create({ name: "One", attributes: { note: "x", owner: team.id ?? null } });
    expect((await change(created, { name: "Uno" })).status).toBe(422);
    expect((await change(created, { attributes: { note: "y" } })).status).toBe(200);
    expect((await change(created, { attributes: { note: "y", owner: [] } })).status).toBe(422);
  });
});

describe("Disabled entries, rule 3", () => {
  test.each([
    ["any", 422],
    ["incidents", 204],
  ] as const)("delete_guard: %s, for an entry that another refers to", async (delete_guard, status) => {
    await restart({ delete_guard });
    const team = await addTeam("Web");
    const created = await create({ name: "One", attributes: { owner: team.id ?? null } });
    expect((await send(emulator, "DELETE", `/catalog/entries/${team.id}`)).status).toBe(status);
    const { references } = (await send(emulator, "GET", `/catalog/entries/${created.id}`)).body;
    expect(references).toHaveLength(status === 422 ? 1 : 0);
    expect((await send(emulator, "DELETE", `/catalog/entries/${created.id}`)).status).toBe(204);
    expect((await send(emulator, "DELETE", `/catalog/entries/${created.id}`)).status).toBe(404);
  });
});
