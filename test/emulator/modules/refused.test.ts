/** Refusals of requests that the program never sends; those that it may send are the rows of `test/refusals`. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { errorOf, listResources, send } from "../client.ts";

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});
afterEach(() => emulator.close());

const url = "https://hooks.example.com/in";
const field = { name: "A", option_source: "none" };
const notify = (target: Fields) => ({ outcome: { action: "notify_only", notify: target } });
const ability = { principal_kind: "agent", ability: "runbooks.read" };

test.each<[path: string, body: Fields, status: number, message: string]>([
  ["/custom_fields", { ...field, field_type: "single_select" }, 422, "option_source of a single_select must be"],
  [
    "/custom_fields",
    { ...field, field_type: "catalog_reference" },
    422,
    "option_source of a catalog_reference must be",
  ],
  ["/webhooks", { name: null, url }, 400, "name"],
  ["/webhooks", { name: "A", url: "not an address" }, 422, "url must be an http or https address"],
  ["/webhooks", { name: "A", url, subscribed_events: "incident.created" }, 422, "subscribed_events must be"],
  ["/routing_rules", notify({ type: "team" }), 422, "needs entry_id in notify"],
  ["/routing_rules", notify({ type: "owning_team" }), 422, "needs of in notify"],
  ["/routing_rules", { outcome: null }, 422, "outcome needs an action, one of"],
  ["/grants", { ...ability, principal_id: "nobody" }, 404, "Resource not found"],
  ["/grants", { ...ability, principal_id: "{agent}", expires_at: "2025-12-31T00:00:00Z" }, 422, "expires_at"],
])("POST %s %j is refused with %i, and creates nothing", async (path, body, status, message) => {
  const { id } = (await send(emulator, "POST", "/agents", { name: "Bot" })).body;
  const filled = body.principal_id === "{agent}" ? { ...body, principal_id: id ?? null } : body;
  const response = await send(emulator, "POST", path, filled);
  expect([response.status, errorOf(response).message]).toEqual([status, expect.stringContaining(message)]);
  expect(await listResources(emulator, path)).toEqual([]);
});

test("permissions that a service key cannot hold are refused on a change too, which changes nothing", async () => {
  const { prefix } = (await send(emulator, "POST", "/api_keys", { name: "CI" })).body;
  const body = { name: "Lost", permissions: { api_keys: ["read"] } };
  const response = await send(emulator, "PATCH", `/api_keys/${prefix}`, body);
  expect(errorOf(response).errors).toEqual([{ field: "permissions", message: "cannot hold api_keys.read" }]);
  expect(await listResources(emulator, "/api_keys")).toMatchObject([{ name: "CI", permissions: {} }]);
});
