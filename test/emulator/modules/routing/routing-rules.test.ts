import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
beforeEach(() => start({}));
afterEach(() => emulator.close());

async function start(dialects: Partial<Dialects>): Promise<void> {
  emulator = createEmulator({ dialects });
  await send(emulator, "POST", "/alert_sources", { name: "Pager" });
}

async function restart(dialects: Partial<Dialects>): Promise<void> {
  emulator.close();
  await start(dialects);
}

const drop = { outcome: { action: "drop" } };

async function add(query: string, body: Fields = drop): Promise<Fields> {
  const response = await send(emulator, "POST", `/routing_rules${query}`, body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

async function priorities(query = ""): Promise<readonly Json[]> {
  return (await listResources(emulator, `/routing_rules${query}`)).map(({ priority }) => priority ?? null);
}

async function remove(priority: number, query = ""): Promise<void> {
  expect((await send(emulator, "DELETE", `/routing_rules/${priority}${query}`)).status).toBe(204);
}

/** The action of the rule that an alert of the source matches. Each scope's rule has another action. */
async function actionFor(source: string): Promise<Json> {
  const { body } = await send(emulator, "POST", "/routing/evaluate", { source, fields: { title: "x" } });
  return (body.outcome as Fields | null)?.action ?? null;
}

describe("Configuration resources, rule 6", () => {
  test("a scope is the workspace or one source, named in the query or in the body; blank is the workspace", async () => {
    await add("");
    await add("?source=Pager");
    await add("", { ...drop, source: "Pager" });
    await add("?source=");
    expect([await priorities(), await priorities("?source=Pager")]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    const response = await send(emulator, "PATCH", "/routing_rules/2", { source: "Pager", enabled: false });
    expect(response.body).toMatchObject({ priority: 2, enabled: false });
    expect((await send(emulator, "DELETE", "/routing_rules/2", { source: "Pager" })).status).toBe(204);
    expect((await listResources(emulator, "/routing_rules")).map(({ enabled }) => enabled)).toEqual([true, true]);
  });

  test.each([
    ["restore", "notify_only"],
    ["sticky", null],
  ] as const)("dialect fallback: %s, when a source's last rule is deleted", async (fallback, action) => {
    await restart({ fallback });
    await add("", { outcome: { action: "notify_only" } });
    await add("?source=Pager");
    await remove(1, "?source=Pager");
    expect(await actionFor("Pager")).toBe(action);
    expect((await add("?source=Pager")).priority).toBe(1);
  });

  test("the rules of a source stay with it when it is renamed", async () => {
    await add("?source=Pager");
    const [source] = await listResources(emulator, "/alert_sources");
    await send(emulator, "PATCH", `/alert_sources/${source?.slug}`, { name: "Renamed" });
    expect(await priorities("?source=Renamed")).toEqual([1]);
  });
});

describe("Routing rules", () => {
  const conditions = [{ field: "service", operator: "is_one_of", value: ["a"] }];

  test("conditions default to none, enabled to true, and priority cannot be set", async () => {
    expect(await add("", { ...drop, priority: 9, name: "ignored" })).toEqual({
      id: expect.any(String),
      priority: 1,
      enabled: true,
      conditions: [],
      outcome: { action: "drop" },
    });
  });

  test("conditions, outcome and enabled are each replaced as a whole, and omitted ones stay", async () => {
    const outcome = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
    await add("", { conditions, outcome });
    const off = await send(emulator, "PATCH", "/routing_rules/1", { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, conditions, outcome });
    const changed = await send(emulator, "PATCH", "/routing_rules/1", { ...drop, conditions: [], priority: 5 });
    expect(changed.body).toMatchObject({ priority: 1, enabled: false, conditions: [], ...drop });
  });

  test("unknown keys are kept, and keys come back in the service's own order", async () => {
    const outcome = { severity_id: "s", custom: { bb: 1, a: 2 }, action: "auto_create_incident" };
    const created = await add("", { outcome });
    expect(created.outcome).toEqual(outcome);
    expect(Object.keys(created.outcome as Fields)).toEqual(["action", "custom", "severity_id"]);
  });

  test("conditions are refused by their ordinal", async () => {
    const wrong = [
      { operator: "contains", value: "a" },
      ...conditions,
      { field: "a", operator: "is_one_of", value: [] },
    ];
    const response = await send(emulator, "POST", "/routing_rules", { ...drop, conditions: wrong });
    expect(errorOf(response).errors).toEqual([
      { field: "conditions", message: "Condition 1 needs a field" },
      { field: "conditions", message: "Condition 3 needs a list of values" },
    ]);
  });
});

describe("Disabled entries, rule 3", () => {
  test.each([
    ["any", 422],
    ["incidents", 204],
  ] as const)("delete_guard: %s, for what an outcome names", async (delete_guard, status) => {
    await restart({ delete_guard });
    const major = (await listResources(emulator, "/severities")).find(({ slug }) => slug === "major");
    const entry = await send(emulator, "POST", "/catalog/types/team/entries", { name: "Web" });
    const invite = [{ type: "team", entry_id: entry.body.id ?? null }];
    const severity_id = major?.id ?? null;
    await add("", { outcome: { action: "auto_create_incident", severity_id, invite } });
    expect((await send(emulator, "DELETE", "/severities/major")).status).toBe(status);
    expect((await send(emulator, "DELETE", `/catalog/entries/${entry.body.id}`)).status).toBe(status);
  });
});
