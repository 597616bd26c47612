/** A creation that looks like a removal under a new name is named, with the line that keeps what exists. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { Json } from "../../../src/core/json.ts";
import { openWorld, type World } from "../world.ts";
import { sourceNamed } from "./source-named.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\nlimits: { max_removals: 100% }\n";
const paths: readonly string[] = [];
const yes: ApplyFlags = { paths, yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS });
});
afterEach(() => world.close());

interface Planned {
  readonly renames?: readonly {
    readonly from: string;
    readonly to: string;
    readonly because: string;
    readonly edit: { readonly file: string; readonly line: number; readonly text: string };
    readonly pull?: true;
  }[];
  readonly changes: readonly { readonly action: string }[];
  readonly seal: { readonly fingerprint: string };
}

async function planned(): Promise<Planned> {
  const { exit, stdout, stderr } = await world.run(plan, { paths, format: "json" });
  expect([exit, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function applied(text: string): Promise<void> {
  await world.write({ "config.yaml": text });
  const { exit, stderr } = await world.run(apply, yes);
  expect([exit, exit === 0 ? "" : stderr]).toEqual([0, ""]);
}

/** The files before, the files after, and the pair with its edit; `renames-of-every-kind.test.ts` has the other kinds. */
const RENAMES: Readonly<
  Record<string, readonly [before: string, after: string, from: string, to: string, text: string]>
> = {
  "alert source": [
    sourceNamed("Datadog"),
    sourceNamed("DatadogEU"),
    "alert_sources/Datadog",
    "alert_sources/DatadogEU",
    "renamed_from: Datadog",
  ],
  webhook: [
    "webhooks:\n  - { name: chat, url: https://hooks.example.com/a, subscribed_events: [incident.created] }\n",
    "webhooks:\n  - { name: 'chat: EU', url: https://hooks.example.com/a, subscribed_events: [incident.resolved] }\n",
    "webhooks/chat",
    "webhooks/chat: EU",
    "renamed_from: chat",
  ],
  option: [
    "custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }\n",
    "custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [EU, USA] }\n",
    "custom_fields/region/options/US",
    "custom_fields/region/options/USA",
    "{ label: USA, renamed_from: US }",
  ],
};

test.each(Object.keys(RENAMES))("a new name of a %s is possibly a rename, and the line keeps it", async (what) => {
  const [before = "", after = "", from, to, text = ""] = RENAMES[what] ?? [];
  await applied(before);
  await world.write({ "config.yaml": after });
  const { renames = [], changes } = await planned();
  expect(renames).toEqual([expect.objectContaining({ from, to, edit: expect.objectContaining({ text }) })]);
  expect(changes.length).toBeGreaterThan(0);
  const { stdout } = await world.run(plan, { paths });
  expect(stdout).toContain(`  ? ${to} is possibly a rename of ${from} (`);
  const { file, line } = renames[0]?.edit ?? { file: "", line: 0 };
  expect(stdout).toContain(`      to keep it, write at ${file}:${line}: ${text}\n`);

  // The line as it is shown, at the place that is shown.
  const lines = after.split("\n");
  const at = lines[line - 1] ?? "";
  const [, name = ""] = /name: ('[^']*'|\w+)/.exec(at) ?? [];
  lines[line - 1] = text.startsWith("renamed_from")
    ? at.replace(`name: ${name}`, `name: ${name}, ${text}`)
    : at.replace("USA", text);
  await world.write({ "config.yaml": lines.join("\n") });
  const kept = await planned();
  expect(kept.renames).toBeUndefined();
  expect(kept.changes.filter(({ action }) => ["create", "delete", "disable"].includes(action))).toEqual([]);
});

test("a source that somebody renamed in the workspace is named with the missing one, and pull", async () => {
  await applied(sourceNamed("Datadog"));
  const { alert_sources: rows } = (await world.send("GET", "/api/v1/alert_sources")) as {
    readonly alert_sources: readonly Record<string, Json>[];
  };
  const row = rows.find(({ name }) => name === "Datadog") ?? {};
  await world.send("PATCH", `/api/v1/alert_sources/${String(row.endpoint_path ?? row.slug)}`, { name: "Monitoring" });
  const { renames } = await planned();
  expect(renames).toMatchObject([{ from: "alert_sources/Monitoring", to: "alert_sources/Datadog", pull: true }]);
  const { exit } = await world.run(apply, { paths, yes: true });
  expect(exit).toBe(3);
  const { stdout } = await world.run(plan, { paths, format: "markdown" });
  expect(stdout).toContain("incidentctl pull takes the new name into the files");
  expect((await world.run(plan, { paths, format: "html" })).stdout).toContain("is possibly a rename of");
});

test("what agrees equally well with two is not guessed", async () => {
  const keys = (...names: readonly string[]): string =>
    `api_keys:\n${names.map((name) => `  - { name: ${name}, permissions: { incidents: [read] } }\n`).join("")}`;
  await applied(keys("alpha", "omega"));
  await world.write({ "config.yaml": keys("unrelated") });
  expect((await planned()).renames).toBeUndefined();
});

test("the best agreement goes first, and each resource is in one pair", async () => {
  const hook = (name: string, url: string, event: string): string =>
    `  - { name: ${name}, url: "https://hooks.example.com/${url}", subscribed_events: [${event}] }\n`;
  await applied(`webhooks:\n${hook("one", "a", "incident.created")}${hook("two", "a", "incident.resolved")}`);
  await world.write({
    "config.yaml": `webhooks:\n${hook("first", "a", "incident.created")}${hook("second", "a", "incident.resolved")}`,
  });
  const { renames = [] } = await planned();
  expect(renames.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
    "webhooks/one webhooks/first",
    "webhooks/two webhooks/second",
  ]);
});

/** What others call, before and after: nothing but the kind is the same. */
const ONLY_PAIRS: Readonly<Record<string, readonly [before: string, after: string, because: string, text: string]>> = {
  alert_sources: [
    "{ name: Datadog, provider: datadog }",
    "{ name: Pages, provider: grafana }",
    "the only alert source that goes, and the only new one; other provider",
    "renamed_from: Datadog",
  ],
  webhooks: [
    "{ name: one, url: https://a.example.com, subscribed_events: [incident.created] }",
    "{ name: two, url: https://b.example.com, subscribed_events: [incident.resolved] }",
    "the only webhook that goes, and the only new one; other url and subscribed_events",
    "renamed_from: one",
  ],
  api_keys: [
    "{ name: ci, permissions: { incidents: [read] } }",
    "{ name: pipeline, permissions: { catalog: [read] } }",
    "the only service key that goes, and the only new one; other permissions",
    "renamed_from: ci",
  ],
  agents: [
    "{ slug: triage_bot, name: Triage bot, grants: [{ ability: incidents.read }] }",
    "{ slug: scribe, name: Scribe, grants: [{ ability: incidents.create }] }",
    "the only agent that goes, and the only new one; other grants",
    "slug: triage_bot",
  ],
};

test.each(Object.keys(ONLY_PAIRS))("the only pair of %s is possibly a rename, whatever else differs", async (kind) => {
  const [before = "", after = "", because, text] = ONLY_PAIRS[kind] ?? [];
  await applied(`${kind}:\n  - ${before}\n`);
  await world.write({ "config.yaml": `${kind}:\n  - ${after}\n` });
  const { renames } = await planned();
  expect(renames).toMatchObject([{ because, edit: { file: "config.yaml", line: 2, text } }]);
  await world.write({
    "config.yaml": `${kind}:\n  - ${after}\n  - ${after.replace(/(name|slug): \w+/, "$1: more")}\n`,
  });
  expect((await planned()).renames).toBeUndefined();
});

test("a removal and a creation that have nothing in common are no rename of what nobody calls", async () => {
  await applied("incident_types:\n  - { slug: outage, name: Outage }\n");
  await world.write({ "config.yaml": "incident_types:\n  - { slug: breach, name: Breach }\n" });
  expect((await planned()).renames).toBeUndefined();
});

test("a value from the environment decides nothing", async () => {
  await applied("webhooks:\n  - { name: one, url: https://a.example.com, subscribed_events: [incident.created] }\n");
  await world.write({ "config.yaml": 'webhooks:\n  - { name: two, url: "${env:HOOK}" }\n' });
  const both: (readonly unknown[] | undefined)[] = [];
  for (const url of ["https://a.example.com", "https://b.example.com"]) {
    world.io.env.HOOK = url;
    both.push((await planned()).renames);
  }
  expect(both[0]).toEqual(both[1]);
});
