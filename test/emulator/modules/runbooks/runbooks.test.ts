import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fields, isFields } from "../../../../src/core/json.ts";
import type { Dialects } from "../../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../../src/emulator/emulator.ts";
import { errorOf, listResources, send } from "../../client.ts";

let emulator: Emulator;
let now: Date;
beforeEach(() => {
  now = new Date("2026-01-01T00:00:00Z");
  start({});
});
afterEach(() => emulator.close());

function start(dialects: Partial<Dialects>): void {
  emulator = createEmulator({ dialects, now: () => now });
}

function withDialects(dialects: Partial<Dialects>): void {
  emulator.close();
  start(dialects);
}

async function write(method: string, path: string, body: Fields): Promise<Fields> {
  const response = await send(emulator, method, path, body);
  expect(response).toMatchObject({ status: method === "POST" ? 201 : 200 });
  return isFields(response.body.runbook) ? response.body.runbook : {};
}

const create = (body: Fields): Promise<Fields> => write("POST", "/runbooks", body);
const change = (body: Fields): Promise<Fields> => write("PATCH", "/runbooks/failover", body);

const steps = [{ title: "Look" }, { title: "Switch", instruction: "Over", tool: "db", arguments: { to: "b" } }];
const conditions = [{ condition_field: "severity", operator: "one_of", values: ["major"] }];

describe("Configuration resources, rule 4", () => {
  test("steps in a request are the whole list, in order, and an empty list clears them", async () => {
    const created = await create({ name: "Failover", steps });
    expect(created.steps).toEqual([
      { position: 1, title: "Look", instruction: null, tool: null, arguments: {} },
      { position: 2, title: "Switch", instruction: "Over", tool: "db", arguments: { to: "b" } },
    ]);
    expect((await change({ steps: [...steps].reverse() })).steps).toMatchObject([
      { position: 1, title: "Switch" },
      { position: 2, title: "Look" },
    ]);
    expect((await change({ steps: [] })).steps).toEqual([]);
  });

  test("conditions in a request are the whole set, and an empty list clears them", async () => {
    await create({ name: "Failover", conditions });
    const other = [{ condition_field: "incident_type", operator: "not_one_of", values: ["data_issue"] }];
    expect((await change({ conditions: other })).conditions).toEqual(other);
    expect((await change({ conditions: [] })).conditions).toEqual([]);
  });
});

describe("Runbooks", () => {
  test("a runbook is addressed by slug or id, and has the times of its creation and last change", async () => {
    const created = await create({ name: "Fail-over" });
    expect(created).toEqual({
      id: expect.any(String),
      slug: "failover",
      name: "Fail-over",
      summary: null,
      content: null,
      external_url: null,
      aliases: [],
      steps: [],
      conditions: [],
      inputs: [],
      watch: null,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    now = new Date("2026-01-02T00:00:00Z");
    const renamed = await write("PATCH", `/runbooks/${created.id}`, { name: "Switch", slug: "switch" });
    expect(renamed).toEqual({ ...created, name: "Switch", updated_at: "2026-01-02T00:00:00.000Z" });
    expect((await send(emulator, "GET", "/runbooks/switch")).status).toBe(404);
  });

  test("null is ignored and blank clears, but never the name", async () => {
    const text = { summary: "a", content: "b", external_url: "https://example.com" };
    await create({ name: "Failover", ...text });
    expect(await change({ name: null, summary: null, content: null, external_url: null })).toMatchObject(text);
    expect(await change({ content: "" })).toMatchObject({ ...text, content: null });
    expect((await send(emulator, "PATCH", "/runbooks/failover", { name: " " })).status).toBe(422);
  });

  test("inputs are trimmed; aliases have single spaces and no duplicates in any case", async () => {
    const created = await create({
      name: "Failover",
      inputs: [{ key: " region ", question: " Where? ", default: " eu " }],
      aliases: ["  DB   switch ", "db switch", "", "Other"],
    });
    expect(created.inputs).toEqual([{ key: "region", question: "Where?", default: "eu" }]);
    expect(created.aliases).toEqual(["DB switch", "Other"]);
  });

  test("the watch can have placeholders of the inputs only, and anything but an object clears it", async () => {
    const inputs = [{ key: "region", question: "Where?" }];
    const watch = { steps: [{ capability: "metrics", resource: "db-{{ region }}" }] };
    expect((await create({ name: "Failover", inputs, watch })).watch).toEqual(watch);
    const response = await send(emulator, "PATCH", "/runbooks/failover", { inputs: [] });
    expect(errorOf(response).errors).toEqual([
      { field: "watch", message: "has {{region}}, which is none of the inputs" },
    ]);
    expect((await change({ watch: "off" })).watch).toBeNull();
  });

  test("a runbook that was attached to an incident cannot be deleted in any dialect", async () => {
    for (const delete_guard of ["any", "incidents"] as const) {
      withDialects({ delete_guard });
      await create({ name: "Unused" });
      await create({ name: "Failover", conditions });
      const major = (await listResources(emulator, "/severities")).find(({ slug }) => slug === "major");
      const incident = { idempotency_key: "k", name: "Down", severity_id: major?.id ?? null };
      expect((await send(emulator, "POST", "/incidents", incident)).status).toBe(201);
      const response = await send(emulator, "DELETE", "/runbooks/failover");
      expect(errorOf(response).message).toBe(
        "Failover is in use by 1 incident(s) and cannot be deleted. Disable it instead.",
      );
      expect((await send(emulator, "DELETE", "/runbooks/unused")).status).toBe(204);
    }
  });
});

test("dialect readable: partial never returns id and conditions, and lists without content", async () => {
  const body = { name: "Failover", content: "Text", conditions };
  await create(body);
  expect(await listResources(emulator, "/runbooks")).toMatchObject([
    { id: expect.any(String), content: "Text", conditions },
  ]);
  withDialects({ readable: "partial" });
  const created = await create(body);
  const [row = {}] = await listResources(emulator, "/runbooks");
  const hidden = ["id", "conditions", "content"];
  expect(hidden.map((name) => [Object.hasOwn(created, name), Object.hasOwn(row, name)])).toEqual([
    [false, false],
    [false, false],
    [true, false],
  ]);
});
