import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { isFields, isList, type Json } from "../../../src/core/json.ts";
import { openWorld, type World } from "../../commands/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld({
    "incidentctl.yaml": "version: 1\nremoval: { default: keep }\n",
    "a.yaml": "severities:\n  - { slug: critical, name: Critical, default: true }\n  - { slug: minor, name: Minor }\n",
    "b.yaml": "incident_roles:\n  - { slug: lead, name: Lead }\n",
  });
});
afterEach(() => world.close());

/** From now on lists leave out what is disabled, also where they are asked not to. */
function hideDisabled(): void {
  const { fetch } = world.io;
  const isShown = (row: Json) => !isFields(row) || row.enabled !== false;
  Object.assign(world.io, {
    fetch: async (...asked: Parameters<typeof fetch>) => {
      const answer = await fetch(...asked);
      const body = (await answer.clone().json()) as Json;
      if (asked[1].method !== "GET" || !isFields(body)) return answer;
      const shown = Object.entries(body).map(([name, value]) => [name, isList(value) ? value.filter(isShown) : value]);
      const headers = new Headers(answer.headers);
      headers.delete("content-length");
      return new Response(JSON.stringify(Object.fromEntries(shown)), { status: answer.status, headers });
    },
  });
}

test.each([
  ["severities", "minor"],
  ["incident_roles", "lead"],
])("disabled %s that the service hides are not created again, and the run reports them", async (kind, slug) => {
  expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  await world.send("PATCH", `/api/v1/${kind}/${slug}`, { enabled: false });
  const before = await world.send("GET", `/api/v1/${kind}?include_disabled=true`);
  hideDisabled();
  const { exit, stdout } = await world.run(apply, { paths: [], yes: true });
  expect(exit, stdout).toBe(4);
  expect(stdout).toContain(`${kind}/${slug}`);
  expect(stdout).toContain("is already used by another");
  expect(await world.send("GET", `/api/v1/${kind}?include_disabled=true`)).toEqual(before);
});
