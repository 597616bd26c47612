/** Names that the service stores otherwise than they are sent: what was created is found again, and no second one is made. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import type { Fields, Json } from "../../src/core/json.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { alteringIo, altersField, altersObjects, answeringIo } from "./altering.ts";

let world: World;

const FILES = {
  "incidentctl.yaml": "version: 1\nconfig: [config]\n",
  "config/keys.yaml": "api_keys:\n  - { name: Deploy bot, permissions: { incidents: [read] } }\n",
  "config/hooks.yaml":
    "webhooks:\n  - { name: Chat, url: 'https://example.com/', subscribed_events: [incident.created] }\n",
  "config/sources.yaml": "alert_sources:\n  - { name: Datadog, provider: datadog }\n",
};

async function opened(store: (name: string) => string): Promise<void> {
  world = await openTestWorld(FILES);
  Object.assign(
    world.io,
    alteringIo(
      { ...world.io },
      altersField("name", (name) => store(String(name))),
    ),
  );
}

const applied = (more = {}) =>
  world.run(apply, { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl", ...more });
const planned = (more = {}) => world.run(plan, { paths: [], detailedExitcode: true, ...more });
const created = () => world.requests.filter(({ method }) => method === "POST").length;
const tokens = async () => (await readFile(join(world.folder, "tokens.jsonl"), "utf8")).trimEnd().split("\n").length;

describe.each([
  ["in lower case", (name: string) => name.toLowerCase()],
  ["trimmed", (name: string) => name.trim()],
  ["in another Unicode form", (name: string) => name.normalize("NFD")],
])("a name stored %s", (_title, store) => {
  test("is found after a lost response, and nothing is created again", async () => {
    await opened(store);
    const { fetch } = world.io;
    let lost = false;
    Object.assign(world.io, {
      clock: new VirtualClock(),
      fetch: async (...[input, init]: Parameters<typeof fetch>) => {
        const answer = await fetch(input, init);
        if (init.method !== "POST" || lost || !input.endsWith("/api_keys")) return answer;
        lost = true;
        throw new TypeError("fetch failed");
      },
    });
    await world.write({ "config/keys.yaml": FILES["config/keys.yaml"].replace("Deploy bot", '"Déploy Bot "') });
    const ended = await applied();
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(lost).toBe(true);
    const { api_keys } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly object[] };
    expect(api_keys.filter((key) => JSON.stringify(key).includes(store("Déploy Bot")))).toHaveLength(1);
  });
});

describe.each([
  ["with something added", (name: string) => (name.startsWith("acme/") ? name : `acme/${name}`), "acme/Deploy bot"],
  ["shortened", (name: string) => name.slice(0, 4), "Depl"],
  [
    "so that nothing of it is left",
    (name: string) => [...name].toReversed().join("").replace("tob", "T0B"),
    "T0B yolpeD",
  ],
  ["as a word", (name: string) => name.toLowerCase().replaceAll(" ", "-"), "deploy-bot"],
])("a name stored %s", (_title, store, stored) => {
  test("makes one resource and one token, and the next plan says which name to write", async () => {
    await opened(store);
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    expect(first.stdout).toContain(`The service stored the name of api_keys/Deploy bot as "${stored}"`);
    const before = created();
    for (const more of [{}, { resendUnreadable: true }]) {
      const second = await applied(more);
      expect(second.exit, second.stdout).toBe(1);
      expect(second.stderr).toContain(`Write name: ${stored}`);
    }
    expect(created()).toBe(before);
    expect(await tokens()).toBe(1);
    const pulled = await world.run(pull, { paths: [] });
    expect(pulled.exit, pulled.stderr).toBe(0);
    const third = await planned();
    expect(third.exit, third.stdout + third.stderr).toBe(0);
    expect(await readFile(join(world.folder, "config/keys.yaml"), "utf8")).toContain(`name: ${stored}`);
  });
});

test("a name with something added is known from a run that stopped behind it", async () => {
  await opened((name) => `acme/${name}`);
  const { fetch } = world.io;
  Object.assign(world.io, {
    fetch: (...[input, init]: Parameters<typeof fetch>) =>
      init.method === "POST" && input.endsWith("/webhooks")
        ? fetch(input, { ...init, body: "{}" })
        : fetch(input, init),
  });
  await world.write({ "config/sources.yaml": "alert_sources: []\n" });
  const first = await applied({ keepGoing: true });
  expect(first.exit, first.stdout + first.stderr).toBe(4);
  const before = created();
  const second = await applied();
  expect(second.stderr).toContain("Write name: acme/Deploy bot");
  expect(created()).toBe(before);
});

test.each([
  ["chosen by the files", "agents:\n  - { slug: triage_bot, name: Triage bot }\n", "slug: acme_triage_bot"],
  ["made from the name", "incident_roles:\n  - { slug: scribe, name: Scribe }\n", "slug: acme_scribe"],
])("a slug %s and stored otherwise is known, and no second resource is made", async (_title, file, advice) => {
  world = await openTestWorld({ "incidentctl.yaml": FILES["incidentctl.yaml"], "config/all.yaml": file });
  const renamed = (value: Json | undefined) => `acme ${value}`;
  const stored = (body: Fields): Fields => ({
    ...body,
    ...(body.slug === undefined ? {} : { slug: renamed(body.slug).replaceAll(" ", "_") }),
    ...(body.name === undefined ? {} : { name: renamed(body.name) }),
  });
  Object.assign(world.io, alteringIo({ ...world.io }, stored));
  expect((await applied()).exit).toBe(4);
  const before = created();
  for (const _again of [1, 2]) {
    const next = await applied();
    expect(next.exit, next.stdout).toBe(1);
    expect(next.stderr).toContain(`Write ${advice} to manage that one`);
  }
  expect(created()).toBe(before);
});

test("an entry of a long list of whose name nothing is left is not created again", async () => {
  const entries = "{ slug: production, name: Production }, { slug: staging, name: Staging }";
  world = await openTestWorld({
    "incidentctl.yaml": FILES["incidentctl.yaml"],
    "config/all.yaml": `catalog_types:\n  - { slug: environment, entries: [${entries}] }\n`,
  });
  const turned = altersField("name", (name) => [...String(name)].toReversed().join(""));
  Object.assign(world.io, { ...alteringIo({ ...world.io }, turned), clock: new VirtualClock() });
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(4);
  expect(first.stdout).toContain('the service chose the slug "noitcudorp" instead of "production"');
  const second = await applied();
  expect(second.exit, second.stdout).toBe(1);
  expect(second.stderr).toContain("Write slug: noitcudorp to manage that one");
  expect(created()).toBe(2);
});

test("an answer about an entry that was there before the run is taken for no creation, of a long list either", async () => {
  const entry = (slug: string, name: string) => `    - { slug: ${slug}, name: ${name} }\n`;
  const types = `catalog_types:\n  - slug: environment\n    entries:\n${entry("production", "Production")}`;
  world = await openTestWorld({ "incidentctl.yaml": FILES["incidentctl.yaml"], "config/all.yaml": types });
  expect((await applied()).exit).toBe(0);
  const { fetch } = world.io;
  const mixedUp = async (...[input, init]: Parameters<typeof fetch>) => {
    if (init.method !== "POST" || !input.endsWith("/entries")) return fetch(input, init);
    const { entries } = (await world.send("GET", new URL(input).pathname)) as { entries: readonly object[] };
    return Response.json(entries[0], { status: 201 });
  };
  Object.assign(world.io, { fetch: mixedUp, clock: new VirtualClock() });
  await world.write({ "config/all.yaml": types + entry("xyz", "Qqq") });
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(1);
  expect(ended.stdout).toContain("is about another resource; catalog_types/environment/entries/xyz was not written");
});

test("a response about a resource that the list does not have is taken for none", async () => {
  await opened((name) => name);
  await world.write({ "config/hooks.yaml": "webhooks: []\n", "config/sources.yaml": "alert_sources: []\n" });
  const other = altersObjects(
    ({ name, token }) => name === "Deploy bot" && token !== undefined,
    (row) => ({ ...row, id: "00000000-0000-4000-8000-000000000000", name: "Nightly job" }),
  );
  Object.assign(world.io, { ...answeringIo({ ...world.io }, other), clock: new VirtualClock() });
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stderr).toContain("the response to the write of api_keys/Deploy bot is about another resource");
  const { api_keys } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly { name: string }[] };
  expect(api_keys.filter(({ name }) => name === "Deploy bot")).toHaveLength(1);
});

test("names that differ in case only are two of this run, of which the second is nobody else's", async () => {
  const [hook = ""] = FILES["config/hooks.yaml"].split("\n").slice(1);
  const files = {
    "incidentctl.yaml": FILES["incidentctl.yaml"],
    "config/hooks.yaml": `webhooks:\n${hook}\n${hook.replace("Chat", "chat")}\n`,
    "config/keys.yaml": `${FILES["config/keys.yaml"]}  - { name: deploy bot, permissions: { incidents: [read] } }\n`,
  };
  world = await openTestWorld(files);
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(created()).toBe(4);
  expect((await planned()).exit).toBe(0);
});

test("of names that differ in case only and that the service folds into one, the second is not created and nobody is blamed", async () => {
  const [key = ""] = FILES["config/keys.yaml"].split("\n").slice(1);
  await opened((name) => name.toLowerCase());
  await world.write({
    "config/keys.yaml": `${FILES["config/keys.yaml"]}${key.replace("Deploy", "deploy")}\n`,
    "config/hooks.yaml": "webhooks: []\n",
    "config/sources.yaml": "alert_sources: []\n",
  });
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(4);
  expect(ended.stdout).toContain("the service has stored another resource of this run under its name");
  expect(created()).toBe(1);
  expect(await tokens()).toBe(1);
});
