/** What somebody has renamed in the workspace is renamed in the files by a pull, as the plan says: where it stands, with what belongs to it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { pull } from "../../../src/app/pull/pull-command.ts";
import { openWorld, type World } from "../world.ts";

const RULE = "{ name: billing, outcome: { action: drop } }";
const SOURCES = `alert_sources:
  # Calls us from two regions.
  - name: Datadog # as in their console
    provider: datadog
  - { name: Grafana, provider: grafana }
`;
const RULES = `routing_rules:
  sources:
    Datadog: # all of it
      - ${RULE}
    Grafana: [${RULE}]
`;
const OTHERS = `webhooks:
  - { name: "chat", url: "https://example.com/chat" } # ours
api_keys:
  - { name: bot, permissions: { incidents: [read] } }
`;
const FILES = { "sources.yaml": SOURCES, "rules.yaml": RULES, "others.yaml": OTHERS };

let world: World;
beforeEach(async () => {
  world = await openWorld(FILES);
  const approvals = { yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };
  expect(await world.run(apply, { paths: [], ...approvals })).toMatchObject({ exit: 0 });
});
afterEach(() => world.close());

async function renameLive(kind: string, name: string, to: string): Promise<void> {
  const rows = (await world.send("GET", `/api/v1/${kind}`)) as Record<string, readonly Record<string, string>[]>;
  const row = rows[kind]?.find((one) => one.name === name) ?? {};
  const id = { alert_sources: row.slug, api_keys: row.prefix }[kind] ?? row.id;
  await world.send("PATCH", `/api/v1/${kind}/${id}`, { name: to });
}

const textOf = (file: string) => readFile(join(world.folder, file), "utf8");

test("each stays where it stands, and the rules of a source stay managed", async () => {
  await renameLive("alert_sources", "Datadog", "Datadog: EU");
  await renameLive("webhooks", "chat", "chat 2");
  await renameLive("api_keys", "bot", "deploy bot");
  const { exit, stdout } = await world.run(pull, { paths: [] });
  expect(exit).toBe(0);
  expect(stdout).toBe(
    [
      "  sources.yaml  changed: 1 resource renamed",
      "  rules.yaml  changed: 1 resource renamed",
      "  others.yaml  changed: 2 resources renamed",
      "",
      "Wrote 3 files.\n",
    ].join("\n"),
  );
  expect(await textOf("sources.yaml")).toBe(SOURCES.replace("name: Datadog", 'name: "Datadog: EU"'));
  expect(await textOf("rules.yaml")).toBe(RULES.replace("Datadog:", '"Datadog: EU":'));
  expect(await textOf("others.yaml")).toBe(OTHERS.replace('"chat"', "chat 2").replace("bot", "deploy bot"));
  expect((await world.run(plan, { paths: [] })).stdout).toContain("No changes.");
});

test("other changes of the renamed resource are pulled as well", async () => {
  await renameLive("alert_sources", "Datadog", "Elsewhere");
  await world.send("PATCH", "/api/v1/routing_rules/1?source=Elsewhere", { outcome: { action: "attach_to_incident" } });
  await world.send("POST", "/api/v1/routing_rules?source=Elsewhere", { conditions: [], outcome: { action: "drop" } });
  expect((await world.run(pull, { paths: [] })).exit).toBe(0);
  const rules = await textOf("rules.yaml");
  expect(rules).toContain("Elsewhere: # all of it");
  expect(rules).toContain("attach_to_incident");
  expect((await world.run(plan, { paths: [] })).stdout).toContain("No changes.");
});

test("a name that a variable gives is pulled as before", async () => {
  await world.write({
    "incidentctl.yaml": "version: 1\nvars: { dog: Datadog }\n",
    "sources.yaml": SOURCES.replace("name: Datadog", "name: $" + "{var:dog}"),
  });
  await renameLive("alert_sources", "Datadog", "Elsewhere");
  expect((await world.run(pull, { paths: [] })).exit).toBe(0);
  expect(await textOf("sources.yaml")).toContain("name: Elsewhere");
});
