import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { column, errorOf, type JsonResponse, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator({ workspace: "bare" });
});
afterEach(() => emulator.close());

function withDialects(dialects: Partial<Dialects>): void {
  emulator.close();
  emulator = createEmulator({ workspace: "bare", dialects });
}

const types = "/catalog/types";

async function create(body: Fields): Promise<Fields> {
  const response = await send(emulator, "POST", types, body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

function resend(attributes: Json): Promise<JsonResponse> {
  return send(emulator, "PATCH", `${types}/host`, { attributes });
}

async function addEntry(type: string, body: Fields): Promise<Fields> {
  const response = await send(emulator, "POST", `${types}/${type}/entries`, body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

function definitionsOf({ attribute_definitions }: Fields): readonly Fields[] {
  return isList(attribute_definitions) ? attribute_definitions.filter(isFields) : [];
}

const kind = { name: "Kind", attribute_type: "select", options: ["VM", "Metal"] };
const owner = { name: "Owner", attribute_type: "reference", reference_type: "team" };

describe("the built-in types", () => {
  test("exist in every workspace, with their attributes and routing roles", async () => {
    expect(await column(emulator, types, "slug")).toEqual(["team", "service", "environment", "functionality"]);
    expect(definitionsOf((await send(emulator, "GET", `${types}/team`)).body)).toEqual([
      { slug: "description", name: "Description", attribute_type: "text", required: false },
      {
        slug: "slack_channel",
        name: "Slack channel",
        attribute_type: "slack_channel",
        required: false,
        role: "notification_channel",
      },
      { slug: "manager", name: "Manager", attribute_type: "workspace_member", required: false, role: "manager" },
      { slug: "members", name: "Members", attribute_type: "workspace_members", required: false, role: "members" },
    ]);
    const service = definitionsOf((await send(emulator, "GET", `${types}/service`)).body);
    expect(service.slice(1, 3)).toMatchObject([
      { slug: "owner_team", reference_type: "team" },
      { slug: "tier", options: ["Critical", "Standard", "Internal"] },
    ]);
  });

  test("cannot be deleted, their names are taken, and attributes can be added but not removed", async () => {
    const deletion = await send(emulator, "DELETE", `${types}/team`);
    expect([deletion.status, errorOf(deletion).errors]).toEqual([422, undefined]);
    expect((await send(emulator, "POST", types, { name: "Team" })).status).toBe(422);
    const all = definitionsOf((await send(emulator, "GET", `${types}/team`)).body);
    const removal = await send(emulator, "PATCH", `${types}/team`, { attributes: all.slice(1) });
    expect(removal.status).toBe(422);
    const addition = await send(emulator, "PATCH", `${types}/team`, {
      attributes: [...all, { name: "Pager", attribute_type: "text" }],
    });
    expect(definitionsOf(addition.body).map(({ slug }) => slug)).toEqual([...all.map(({ slug }) => slug), "pager"]);
  });
});

describe("Catalog types", () => {
  test("the slug drops hyphens, is unique, and never changes", async () => {
    expect(await create({ name: "Read-only host" })).toMatchObject({ slug: "readonly_host", kind: "custom" });
    expect((await send(emulator, "POST", types, { name: "Readonly host" })).status).toBe(422);
    const renamed = await send(emulator, "PATCH", `${types}/readonly_host`, { name: "Host", slug: "host" });
    expect(renamed.body).toMatchObject({ name: "Host", slug: "readonly_host" });
  });

  test("null is ignored, and blank clears", async () => {
    await create({ name: "Host", description: "Machines", icon: "server", color: "#fff" });
    const nulls = { name: null, description: null, icon: null, color: null, attributes: null };
    const remaining = await send(emulator, "PATCH", `${types}/host`, nulls);
    expect(remaining.body).toMatchObject({ name: "Host", description: "Machines", icon: "server", color: "#fff" });
    const cleared = await send(emulator, "PATCH", `${types}/host`, { description: "", icon: "" });
    expect(cleared.body).toMatchObject({ description: null, icon: null, color: "#fff" });
  });
});

describe("attributes of a type", () => {
  test("are matched by the slug of their name: updated in place, reordered, added", async () => {
    await create({ name: "Host", attributes: [kind, owner] });
    const changed = await resend([
      { name: "Zone", attribute_type: "text" },
      { ...kind, name: "KIND", required: true, options: ["Metal", "VM", "Pod"] },
      owner,
    ]);
    expect(definitionsOf(changed.body)).toEqual([
      { slug: "zone", name: "Zone", attribute_type: "text", required: false },
      {
        slug: "kind",
        name: "KIND",
        attribute_type: "select",
        required: true,
        options: ["Metal", "VM", "Pod"],
      },
      { slug: "owner", name: "Owner", attribute_type: "reference", required: false, reference_type: "team" },
    ]);
  });

  test("never change their type, keep an omitted role, and are optional if required is omitted", async () => {
    await create({
      name: "Host",
      attributes: [{ name: "Channel", attribute_type: "slack_channel", role: "notification_channel", required: true }],
    });
    const remaining = await resend([{ name: "Channel", attribute_type: "number" }]);
    expect(definitionsOf(remaining.body)).toMatchObject([
      { attribute_type: "slack_channel", role: "notification_channel", required: false },
    ]);
    const cleared = await resend([{ name: "Channel", attribute_type: "slack_channel", role: null }]);
    expect(definitionsOf(cleared.body)[0]).not.toHaveProperty("role");
  });

  test("of a select or a reference must repeat their options or target", async () => {
    await create({ name: "Host", attributes: [kind, owner] });
    const response = await resend([
      { name: "Kind", attribute_type: "select" },
      { name: "Owner", attribute_type: "reference" },
    ]);
    expect(errorOf(response).errors).toEqual([
      { field: "attributes[0]", message: "needs options" },
      { field: "attributes[1]", message: "needs a reference_type" },
    ]);
  });

  test("in use cannot be removed, nor can their used options and targets change", async () => {
    await create({ name: "Host", attributes: [kind, owner, { name: "Zone", attribute_type: "text" }] });
    const team = await addEntry("team", { name: "Web" });
    await addEntry("host", { name: "One", attributes: { kind: "VM", owner: team.id ?? null } });
    for (const attributes of [[owner], [kind], [{ ...kind, options: ["Metal"] }, owner]]) {
      expect((await resend(attributes)).status).toBe(422);
    }
    expect((await resend([kind, { ...owner, reference_type: "service" }])).status).toBe(422);
    const response = await resend([{ ...kind, options: ["VM"] }, owner]);
    expect(definitionsOf(response.body)).toMatchObject([{ options: ["VM"] }, { slug: "owner" }]);
  });
});

describe("deleting a type", () => {
  test("deletes its entries", async () => {
    await create({ name: "Host", attributes: [{ name: "Peer", attribute_type: "reference", reference_type: "host" }] });
    const one = await addEntry("host", { name: "One" });
    await addEntry("host", { name: "Two", attributes: { peer: one.id ?? null } });
    expect((await send(emulator, "DELETE", `${types}/host`)).status).toBe(204);
    expect((await send(emulator, "GET", `${types}/host`)).status).toBe(404);
    expect((await send(emulator, "GET", `${types}/host/entries`)).status).toBe(404);
    expect((await send(emulator, "GET", `/catalog/entries/${one.id}`)).status).toBe(404);
    await create({ name: "Host" });
    expect((await send(emulator, "GET", `${types}/host/entries`)).body.entries).toEqual([]);
  });

  test.each([
    ["any", 422],
    ["incidents", 204],
  ] as const)("delete_guard: %s, while a custom field offers its entries", async (delete_guard, status) => {
    withDialects({ delete_guard });
    await create({ name: "Host" });
    const field = { name: "Host", field_type: "catalog_reference", option_source: "catalog", catalog_type: "host" };
    expect((await send(emulator, "POST", "/custom_fields", field)).status).toBe(201);
    expect((await send(emulator, "DELETE", `${types}/host`)).status).toBe(status);
  });

  test.each([
    ["any", 422],
    ["incidents", 204],
  ] as const)("delete_guard: %s, while a rule names one of its entries", async (delete_guard, status) => {
    withDialects({ delete_guard });
    await create({ name: "Host" });
    const one = await addEntry("host", { name: "One" });
    const invite = [{ type: "team", entry_id: one.id ?? null }];
    await send(emulator, "POST", "/routing_rules", { outcome: { action: "attach_to_incident", invite } });
    expect((await send(emulator, "DELETE", `${types}/host`)).status).toBe(status);
  });
});

test("dialect readable: partial never returns icon and color", async () => {
  expect(await create({ name: "Host", icon: "server" })).toMatchObject({ icon: "server", color: null });
  withDialects({ readable: "partial" });
  expect(Object.keys(await create({ name: "Host", icon: "server" }))).toEqual([
    "id",
    "name",
    "slug",
    "description",
    "kind",
    "attribute_definitions",
  ]);
});
