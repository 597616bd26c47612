/** Disabling what other systems call, because the files do not list it, needs the approval of a deletion. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { openWorld, type World } from "../world.ts";
import { sourceNamed } from "./source-named.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\n";
const paths: readonly string[] = [];
const yes: ApplyFlags = { paths, yes: true, secretsOut: "tokens.jsonl" };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS });
});
afterEach(() => world.close());

async function rowsOf(kind: string): Promise<readonly Record<string, Json>[]> {
  const list = (await world.send("GET", `/api/v1/${kind}?include_disabled=true`)) as Record<string, Json>;
  return list[kind] as readonly Record<string, Json>[];
}

/** The status of an alert to the endpoint that the source had at the beginning. */
async function ingestTo(endpoint: string): Promise<number> {
  const request = new Request(`http://localhost:4010/api/v1/alerts/${endpoint}`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.emulator.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "High load", service: "billing" }),
  });
  return (await world.emulator.fetch(request)).status;
}

test("a source under a new name cuts the old endpoint off only with --allow-delete", async () => {
  await world.write({ "config.yaml": sourceNamed("Datadog") });
  await world.run(apply, yes);
  const [row] = await rowsOf("alert_sources");
  const endpoint = String(row?.endpoint_path ?? row?.slug);
  expect(await ingestTo(endpoint)).toBe(201);

  await world.write({ "config.yaml": sourceNamed("DatadogEU") });
  const planned = await world.run(plan, { paths });
  expect(planned.stdout).toContain(`alert_sources/Datadog  disable: not in the configuration; `);
  expect(planned.stdout).toContain(`; cuts off endpoint path ${endpoint}\n`);
  expect(planned.stdout).toContain("To approve: incidentctl apply --allow-delete");
  const refused = await world.run(apply, yes);
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("disables 1 resource that other systems call, which cuts them off");
  expect(await ingestTo(endpoint)).toBe(201);

  expect((await world.run(apply, { ...yes, allowDelete: true })).exit).toBe(0);
  expect(await ingestTo(endpoint)).toBe(404);
});

const CALLED = kinds.filter(({ lifecycle }) => lifecycle.calledByOthers !== undefined).map(({ name }) => name);
const ONE: Readonly<Record<string, string>> = {
  alert_sources: "{ name: one, provider: datadog",
  webhooks: "{ name: one, url: https://hooks.example.com/secret-path",
  api_keys: "{ name: one, permissions: { incidents: [read] }",
  agents: "{ slug: one, name: One",
};

test.each(CALLED)("%s are cut off by disabling as by deleting, and not by a written false", async (kind) => {
  const disable = kinds.find(({ name }) => name === kind)?.lifecycle.disable ?? "";
  const settings = `${SETTINGS}removal: { ${kind}: disable }\n`;
  await world.write({ "incidentctl.yaml": settings, "config.yaml": `${kind}:\n  - ${ONE[kind]} }\n` });
  expect((await world.run(apply, yes)).exit).toBe(0);
  await world.write({ "config.yaml": `${kind}: []\n` });
  const { blocked, changes } = JSON.parse((await world.run(plan, { paths, format: "json" })).stdout);
  const addresses = [`${kind}/one`];
  expect(blocked).toEqual([{ code: "DELETE", message: expect.any(String), addresses, flag: "--allow-delete" }]);
  const what = { alert_sources: "endpoint_path", webhooks: "url" }[kind] ?? "token";
  expect(changes[0]).toMatchObject({ action: "disable", cuts_off: [{ what }] });
  expect(JSON.stringify(changes)).not.toContain("secret-path");
  expect((await world.run(apply, yes)).exit).toBe(3);
  expect((await rowsOf(kind)).every((row) => row[disable] !== false)).toBe(true);

  await world.write({ "config.yaml": `${kind}:\n  - ${ONE[kind]}, ${disable}: false }\n` });
  expect((await world.run(apply, yes)).exit).toBe(0);
  expect((await rowsOf(kind)).some((row) => row[disable] === false)).toBe(true);
});

test("an option list is disabled without approval, since nothing calls it", async () => {
  const settings = `${SETTINGS}removal: { default: disable }\n`;
  const incidentTypes = "incident_types:\n  - { slug: a, name: A }\n  - { slug: b, name: B }\n";
  await world.write({ "incidentctl.yaml": settings, "config.yaml": incidentTypes });
  await world.run(apply, yes);
  await world.write({ "config.yaml": "incident_types:\n  - { slug: a, name: A }\n" });
  expect((await world.run(apply, { ...yes, maxRemovals: { entries: 20 } })).exit).toBe(0);
});

test("the undo of a creation is true about its reason, and needs the approval too", async () => {
  await world.write({ "incidentctl.yaml": `${SETTINGS}removal: { default: disable }\n` });
  await world.write({ "config.yaml": sourceNamed("Datadog") });
  await world.run(apply, yes);
  const { stdout } = await world.run(undo, { paths, out: "undo.plan" });
  expect(stdout).toContain("alert_sources/Datadog  disable: made by run 0001; ");
  expect(stdout).toContain("routing_rules/Datadog/1");
  expect(stdout).not.toContain("not in the configuration");
  const refused = await world.run(apply, { yes: true, paths, plan: "undo.plan" });
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("requires --allow-delete");
});
