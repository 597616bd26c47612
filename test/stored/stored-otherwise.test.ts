/** Commands against a service that stores something else than it is sent. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { type Alteration, alteringIo, altersField, altersObjects, answeringIo } from "./altering.ts";

let world: World;

const SETTINGS = "version: 1\nconfig: [config]\n";
const SEVERITY = "severities:\n  - { slug: high, name: High, description: Down, default: true }\n";
const RUNBOOKS = "runbooks:\n  - { slug: one, name: One }\n  - { slug: two, name: Two }\n";
const KEY = "api_keys:\n  - { name: Deploy bot, permissions: { incidents: [read] } }\n";

const withWiki = altersField("description", (text) => `${String(text).replace(" (see wiki)", "")} (see wiki)`);
const inLowerCase = altersField("name", (name) => String(name).toLowerCase());

async function opened(files: Readonly<Record<string, string>>, alter: Alteration): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": SETTINGS, ...files });
  Object.assign(world.io, alteringIo({ ...world.io }, alter));
}

const applied = () => world.run(apply, { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const writes = () => world.requests.filter(({ method }) => method !== "GET").length;
const fileOf = (path: string) => readFile(join(world.folder, path), "utf8");

describe("a value that the service stores otherwise", () => {
  test("is done, with both values, and no later plan sends it again while both stand", async () => {
    await opened({ "config/severities.yaml": SEVERITY }, withWiki);
    const first = await applied();
    expect(first.stdout).toContain('severities/high description: sent "Down", stored "Down (see wiki)"');
    expect(first.exit, first.stdout).toBe(0);
    await world.write({ "config/runbooks.yaml": RUNBOOKS });
    const second = await applied();
    expect(second.exit, second.stdout).toBe(0);
    expect(second.stdout).toContain("2 of 2 operations done");
    const third = await planned();
    expect(third.exit, third.stdout).toBe(0);
    expect(third.stdout).toContain('the service stores its description as "Down (see wiki)", whatever it is sent');
    await world.write({ "config/severities.yaml": SEVERITY.replace("Down", "Off") });
    expect((await planned()).exit).toBe(2);
    const fourth = await applied();
    expect(fourth.stdout).toContain('severities/high description: sent "Off", stored "Off (see wiki)"');
    expect((await planned()).exit).toBe(0);
    await world.send("PATCH", "/api/v1/severities/high", { description: "Off by hand" });
    expect((await planned()).exit).toBe(2);
  });

  test("is recorded where the run stops behind it, and not sent again", async () => {
    let isRefused = true;
    await opened({ "config/severities.yaml": SEVERITY, "config/runbooks.yaml": RUNBOOKS }, (body, request) =>
      isRefused && request.path === "/runbooks" ? { name: 1 } : withWiki(body, request),
    );
    const first = await applied();
    expect(first.exit, first.stdout).toBe(4);
    isRefused = false;
    const second = await applied();
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).not.toContain("~ severities/high");
  });

  test("without a lock is sent again without effect, which stops nothing else", async () => {
    await opened({ "config/severities.yaml": SEVERITY }, withWiki);
    await applied();
    await rm(join(world.folder, "incidentctl.lock"));
    await world.write({ "config/runbooks.yaml": RUNBOOKS });
    const second = await applied();
    expect(second.stdout).toContain("2 of 3 operations done, 1 failed");
    expect(second.stdout).toContain("accepted the update of severities/high, but left description unchanged");
    expect(second.exit).toBe(4);
  });

  test("is written into the files by pull", async () => {
    await opened({ "config/severities.yaml": SEVERITY }, withWiki);
    await applied();
    expect((await world.run(pull, { paths: [] })).exit).toBe(0);
    expect(await fileOf("config/severities.yaml")).toContain("description: Down (see wiki)");
    expect((await planned()).stdout).not.toContain("the service stores");
  });

  test("is undone, since nobody else has changed it", async () => {
    await opened({ "config/severities.yaml": SEVERITY }, withWiki);
    await applied();
    await world.write({ "config/severities.yaml": SEVERITY.replace("Down", "Off") });
    expect((await applied()).exit).toBe(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.stdout).not.toContain("somebody");
    expect(undone.stdout.replace(/ +/g, " ")).toContain('description "Off (see wiki)" → "Down"');
    await world.send("PATCH", "/api/v1/severities/high", { description: "Off by hand" });
    expect((await world.run(undo, { paths: [] })).stdout).toContain("somebody has changed its description since");
  });

  test("is known again after an undo, when the files are the former ones", async () => {
    await opened({ "config/severities.yaml": SEVERITY }, withWiki);
    await applied();
    await world.write({ "config/severities.yaml": SEVERITY.replace("Down", "Off") });
    await applied();
    await world.run(undo, { paths: [], out: "undo.plan" });
    const undone = await world.run(apply, { paths: [], yes: true, plan: "undo.plan" });
    expect(undone.exit, undone.stdout + undone.stderr).toBe(0);
    await world.write({ "config/severities.yaml": SEVERITY });
    const before = writes();
    const again = await applied();
    expect(again.exit, again.stdout + again.stderr).toBe(0);
    expect(writes()).toBe(before);
    expect((await planned()).exit).toBe(0);
  });
});

describe("a name that the service stores in another form", () => {
  test("makes one key and one token, whose name to write is said, and no second one", async () => {
    await opened({ "config/keys.yaml": KEY }, inLowerCase);
    const first = await applied();
    expect(first.stdout).toContain('The service stored the name of api_keys/Deploy bot as "deploy bot"');
    expect(first.exit, first.stdout).toBe(0);
    const before = writes();
    const second = await applied();
    expect(second.exit).toBe(1);
    expect(second.stderr).toContain('a live service key has the name "deploy bot"');
    expect(second.stderr).toContain("Write name: deploy bot to manage that one");
    expect(writes()).toBe(before);
    expect((await fileOf("tokens.jsonl")).trimEnd().split("\n")).toHaveLength(1);
    await world.write({ "config/keys.yaml": KEY.replace("Deploy", "deploy") });
    const third = await planned();
    expect(third.exit, third.stdout + third.stderr).toBe(0);
  });

  test("is that of its rules in the same run, for a new source and a renamed one", async () => {
    const rules = (source: string) =>
      `routing_rules:\n  sources:\n    ${source}: [{ outcome: { action: drop } }, { outcome: { action: notify_only } }]\n`;
    const source = "alert_sources:\n  - { name: Datadog, provider: datadog }\n";
    await opened({ "config/sources.yaml": `${source}${rules("Datadog")}` }, inLowerCase);
    const created = await applied();
    expect(created.exit, created.stdout + created.stderr).toBe(0);
    expect(created.stdout).toContain('The service stored the name of alert_sources/Datadog as "datadog"');
    const renamed = source.replace("Datadog", "Metrics, renamed_from: datadog");
    await world.write({
      "config/sources.yaml": `${renamed}${rules("Metrics").replace("drop", "auto_create_incident")}`,
    });
    const second = await applied();
    expect(second.exit, second.stdout + second.stderr).toBe(0);
    await world.write({ "config/sources.yaml": `${renamed}${rules("Metrics")}`.replaceAll("Metrics", "metrics") });
    const third = await planned();
    expect(third.exit, third.stdout + third.stderr).toBe(2);
    expect(third.stdout).toContain("1 to update");
  });

  test("is said where the run stops behind it", async () => {
    const rules = "routing_rules:\n  sources:\n    Datadog: [{ outcome: { action: drop } }]\n";
    await opened(
      { "config/sources.yaml": `alert_sources:\n  - { name: Datadog, provider: datadog }\n${rules}` },
      (body, request) => (request.path === "/routing_rules" ? { outcome: "refused" } : inLowerCase(body, request)),
    );
    const ended = await applied();
    expect(ended.exit).toBe(4);
    expect(ended.stdout).toContain(
      'The service stored the name of alert_sources/Datadog as "datadog": write name: datadog in the files.',
    );
    expect((await planned()).stderr).toContain("Write name: datadog to manage that one");
  });

  test.each(["high-1", "HIGH", "sev_2041"])("is no second copy where it is the slug: %s", async (slug) => {
    world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/severities.yaml": SEVERITY });
    const inAnswers = altersObjects(
      (object) => object.slug === "high",
      (object) => ({ ...object, slug }),
    );
    Object.assign(world.io, answeringIo({ ...world.io }, inAnswers));
    const first = await applied();
    expect(first.exit).toBe(4);
    expect(first.stdout + first.stderr).toContain(`write "slug: ${slug}" for it`);
    const before = writes();
    const second = await applied();
    expect(second.exit).toBe(1);
    expect(second.stderr).toContain(`Write slug: ${slug} to manage that one`);
    expect(writes()).toBe(before);
  });

  test("of a key is undone by its id", async () => {
    await opened({ "config/keys.yaml": KEY }, inLowerCase);
    await applied();
    const undone = await world.run(undo, { paths: [], out: "undo.plan" });
    expect(undone.stdout).toContain("deploy bot");
    const ended = await world.run(apply, { paths: [], yes: true, allowDelete: true, plan: "undo.plan" });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    const keys = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly { name: string }[] };
    expect(keys.api_keys.map(({ name }) => name)).not.toContain("deploy bot");
  });

  test("is the same for webhooks, sources, and options", async () => {
    const files = {
      "config/hooks.yaml":
        "webhooks:\n  - { name: Chat, url: 'https://example.com/', subscribed_events: [incident.created] }\n",
      "config/sources.yaml": "alert_sources:\n  - { name: Datadog, provider: datadog }\n",
      "config/fields.yaml":
        "custom_fields:\n  - { slug: region, name: Region, field_type: single_select, options: [EU, US] }\n",
    };
    await opened(files, (body, request) =>
      request.path.startsWith("/custom_fields") && Array.isArray(body.options)
        ? { ...body, options: body.options.map((label) => String(label).toLowerCase()) }
        : /^\/(webhooks|alert_sources)/.test(request.path)
          ? inLowerCase(body, request)
          : body,
    );
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    for (const stored of ['webhooks/Chat as "chat"', 'alert_sources/Datadog as "datadog"', 'stored ["eu", "us"]'])
      expect(first.stdout).toContain(stored);
    const before = writes();
    const second = await applied();
    expect(second.exit).toBe(1);
    expect(second.stderr).not.toContain("custom_fields");
    for (const live of ['the name "chat"', 'the name "datadog"']) expect(second.stderr).toContain(live);
    expect(writes()).toBe(before);
  });
});

describe("a text that the service stores in a known form", () => {
  const BLOCK = "severities:\n  - slug: high\n    name: High\n    default: true\n    description: |\n      Down\n";
  const trimmed = altersField("description", (text) => String(text).trim());

  test("is no change, with or without a lock, and pull writes it so", async () => {
    await opened({ "config/severities.yaml": BLOCK }, trimmed);
    const first = await applied();
    expect(first.exit, first.stdout).toBe(0);
    await rm(join(world.folder, "incidentctl.lock"), { force: true });
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    expect(second.stdout).toContain("the service stores its description with another last line break");
    await world.run(pull, { paths: [] });
    const third = await planned();
    expect(third.stdout).not.toContain("the service stores");
    expect(await fileOf("config/severities.yaml")).toContain("Down");
  });

  test("is not told of a value of the environment in a rule", async () => {
    const rule = "{ outcome: { action: notify_only, notify: { type: channel, channel_id: '${env:CHANNEL}' } } }";
    const inTrim: Alteration = (body) => JSON.parse(JSON.stringify(body).replace('"C-hidden-1 "', '"C-hidden-1"'));
    await opened({ "config/rules.yaml": `routing_rules:\n  workspace: [${rule}]\n` }, inTrim);
    world.io.env.CHANNEL = "C-hidden-1 ";
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    expect(first.stdout + second.stdout).not.toMatch(/hidden|the service store/);
  });
});

test.each([
  [
    "a value",
    "alert_sources:\n  - { name: Datadog, provider: datadog }\n",
    { provider: "datadog" },
    'alert_sources/Datadog provider: sent "datadog", stored "datadog_eu"',
  ],
  [
    "a member of a list",
    "catalog_types:\n  - { slug: vendor, name: Vendor, attributes: [{ name: Notes, attribute_type: list }] }\n",
    { attribute_type: "list" },
    'stored [{name: "Notes", attribute_type: "text", required: false}]',
  ],
])(
  "%s that cannot be changed and is stored otherwise stops neither the run nor a later plan",
  async (...[, file, sent, told]) => {
    world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/all.yaml": file });
    const [[name = "", value = ""] = []] = Object.entries(sent);
    const otherwise = altersObjects(
      (row) => row[name] === value,
      (row) => ({ ...row, [name]: value === "list" ? "text" : `${value}_eu` }),
    );
    Object.assign(world.io, answeringIo({ ...world.io }, otherwise));
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    expect(first.stdout).toContain(told);
    const second = await planned();
    expect(second.exit, second.stdout + second.stderr).toBe(0);
  },
);

describe("a value that only later reads show otherwise", () => {
  const CHANGED = SEVERITY.replace("Down", "Down & out");

  test("is done, with both values, and not sent again", async () => {
    world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/severities.yaml": CHANGED });
    const { fetch } = world.io;
    const escaping = answeringIo(
      { ...world.io },
      altersObjects(
        ({ description }) => description === "Down & out",
        (row) => ({ ...row, description: "Down &amp; out" }),
      ),
    );
    Object.assign(world.io, {
      fetch: (...[input, init]: Parameters<typeof fetch>) =>
        (init.method === "GET" ? escaping.fetch : fetch)(input, init),
    });
    const first = await applied();
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    expect(first.stdout).toContain('severities/high description: sent "Down & out", stored "Down &amp; out"');
    expect((await planned()).exit).toBe(0);
  });

  test("is not done where it is the former one, whatever the response says", async () => {
    world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/severities.yaml": SEVERITY });
    expect((await applied()).exit).toBe(0);
    const unwritten = alteringIo({ ...world.io }, ({ description: _ignored, ...body }) => body);
    const echoing = answeringIo({ ...unwritten }, (row) => ({ ...row, description: "Down & out" }));
    const { fetch } = world.io;
    Object.assign(world.io, {
      fetch: (...[input, init]: Parameters<typeof fetch>) =>
        (init.method === "GET" ? fetch : echoing.fetch)(input, init),
    });
    await world.write({ "config/severities.yaml": CHANGED });
    expect((await applied()).exit).toBe(4);
    expect((await planned()).exit).toBe(2);
  });
});

describe("a value from the environment that the service stores otherwise", () => {
  const FILE = SEVERITY.replace("Down", '"${env:DOWN}"');

  test("is sent by each apply, which ends well and says so alone", async () => {
    await opened({ "config/all.yaml": FILE }, withWiki);
    world.io.env.DOWN = "Down";
    for (const _again of [1, 2, 3]) {
      const { exit, stdout, stderr } = await applied();
      expect(exit, stdout + stderr).toBe(0);
      expect(stdout).toContain("another value than was sent; the next apply sends it again\n");
      expect(stdout).not.toContain("While both stand");
    }
  });

  test("fails where the service takes no notice of it", async () => {
    await opened({ "config/all.yaml": FILE }, (body) => body);
    world.io.env.DOWN = "Down";
    expect((await applied()).exit).toBe(0);
    Object.assign(
      world.io,
      alteringIo({ ...world.io }, ({ description: _ignored, ...body }) => body),
    );
    world.io.env.DOWN = "Up again";
    const { exit, stdout } = await applied();
    expect(exit, stdout).toBe(4);
    expect(stdout).toContain("left description unchanged");
  });
});

test("the end of a run says which name to write, and nothing of plans that leave it", async () => {
  await opened({ "config/keys.yaml": KEY }, inLowerCase);
  const { exit, stdout } = await applied();
  expect(exit, stdout).toBe(0);
  expect(stdout).toContain(
    'except for what the service stored otherwise.\nThe service stored the name of api_keys/Deploy bot as "deploy bot": write name: deploy bot in the files.\n',
  );
  expect(stdout).not.toContain("While both stand");
  expect((await planned()).exit).toBe(1);
});

test("a slug that the service chose fails its creation, and what does not need it goes on", async () => {
  const role = "incident_roles:\n  - { slug: scribe, name: Scribe }\n";
  await opened({ "config/all.yaml": role + RUNBOOKS + SEVERITY }, (body) =>
    body.slug === "scribe" || body.name === "Scribe" ? { ...body, name: "Scri", slug: "scri" } : body,
  );
  const { exit, stdout, stderr } = await applied();
  expect(exit, stdout + stderr).toBe(4);
  expect(stdout).toContain("but the service chose the slug");
  expect(stdout).not.toContain("skipped");
  expect((await planned()).stderr).toContain("E_OTHER_FORM");
});
