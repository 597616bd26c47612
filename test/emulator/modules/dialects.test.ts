/** Dialects that apply to every kind of resource in the same way. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { send } from "../client.ts";

/** The path of each kind, a body that creates a resource, and the name of its member. */
const KINDS: readonly (readonly [path: string, body: Fields, member: string])[] = [
  ["/severities", { name: "Sev one" }, "severity"],
  ["/catalog/types", { name: "Host" }, "catalog_type"],
  ["/catalog/types/team/entries", { name: "Red" }, "entry"],
  ["/custom_fields", { name: "Note", field_type: "text", option_source: "none" }, "custom_field"],
  ["/runbooks", { name: "Failover" }, "runbook"],
  ["/alert_sources", { name: "Datadog" }, "alert_source"],
  ["/webhooks", { name: "Chat", url: "https://hooks.example.com/in" }, "webhook"],
  ["/api_keys", { name: "CI" }, "api_key"],
  ["/agents", { name: "Bot" }, "agent"],
];

async function response(dialects: Partial<Dialects>, method: string, path: string, body?: Fields): Promise<Fields> {
  const emulator = createEmulator({ dialects });
  const answer = await send(emulator, method, path, body);
  await emulator.close();
  return answer.body;
}

test.each(KINDS)("envelope: wrapped puts the response to POST %s with %j under %s", async (path, body, member) => {
  const wrapped = await response({ envelope: "wrapped" }, "POST", path, body);
  expect(wrapped).toEqual({ [member]: expect.objectContaining({ id: expect.any(String), name: String(body.name) }) });
});

test.each([
  ["/catalog/types/team", { catalog_type: { slug: "team" } }],
  ["/forms/cancel", { form: { form: "cancel", name: "Cancel" } }],
])("envelope: wrapped puts the response to GET %s under the name of its member too", async (path, shown) => {
  const body = await response({ envelope: "wrapped" }, "GET", path);
  expect(body).toMatchObject(shown);
  expect(Object.keys(body)).toHaveLength(1);
});

test.each(KINDS.slice(0, 5))("slug: accept uses the valid slug that is sent to POST %s", async (path, body) => {
  const created = await response({ slug: "accept" }, "POST", path, { ...body, slug: "other" });
  expect(created).toMatchObject(path === "/runbooks" ? { runbook: { slug: "other" } } : { slug: "other" });
});
