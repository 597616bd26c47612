/** Pulls of what the service stores and a file cannot hold as it stands. */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import type { Fields } from "../../src/core/json.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { altersObjects, answeringIo } from "./altering.ts";

let world: World;

const SETTINGS = "version: 1\nconfig: [config]\n";

const applied = () => world.run(apply, { paths: [], yes: true, secretsOut: "tokens.jsonl" });
const pulled = () => world.run(pull, { paths: [] });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const fileOf = (path: string) => readFile(join(world.folder, path), "utf8");

describe("a grant that is limited to environments", () => {
  const AGENTS = `agents:
  - slug: bot
    name: Bot
    grants:
      - { ability: incidents.read, environments: [staging] }
      - { ability: incidents.update, environments: [staging, production] }
      - { ability: runbooks.read, environments: [production] }
`;
  const ENVIRONMENTS = `catalog_types:
  - { slug: environment, entries: [{ slug: production, name: Production }, { slug: staging, name: Staging }] }
`;

  /** A workspace from which the environment staging has gone. */
  async function withoutStaging(): Promise<void> {
    await openWithFiles({ "config/agents.yaml": AGENTS, "config/catalog.yaml": ENVIRONMENTS });
    expect((await applied()).exit).toBe(0);
    const gone = altersObjects(
      ({ slug }) => slug === "staging",
      (row) => ({ ...row, slug: "other" }),
    );
    Object.assign(world.io, answeringIo({ ...world.io }, gone));
  }

  test("stays limited to those that exist, and is left out where none does", async () => {
    await withoutStaging();
    const ended = await pulled();
    expect(ended.exit).toBe(7);
    expect(ended.stderr).toContain(
      "agents/bot/grants/incidents.read: it is left out: it was limited to environments that no longer exist (staging)",
    );
    expect(ended.stderr).toContain("agents/bot/grants/incidents.update environments: staging does not exist any more");
    const text = await fileOf("config/agents.yaml");
    expect(text).not.toContain("incidents.read");
    expect(text).toContain("{ ability: incidents.update, environments: [production] }");
    expect(text).toContain("{ ability: runbooks.read, environments: [production] }");
    const next = await planned();
    expect(next.stdout).toContain("- agents/bot/grants/incidents.read");
    expect(next.stdout).toContain('environments - "staging"');
  });

  describe("that are all gone, where the service answers none, and no_access", () => {
    async function withoutAccess(): Promise<void> {
      await openWithFiles({ "config/agents.yaml": AGENTS, "config/catalog.yaml": ENVIRONMENTS });
      expect((await applied()).exit).toBe(0);
      const gone = altersObjects(
        ({ ability, environments }) => ability === "incidents.read" && environments !== undefined,
        (row) => ({ ...row, environments: [], no_access: true }),
      );
      Object.assign(world.io, answeringIo({ ...world.io }, gone));
    }

    test("is left out of files", async () => {
      await withoutAccess();
      const ended = await pulled();
      expect(ended.exit, ended.stderr).toBe(7);
      expect(ended.stderr).toContain(
        "agents/bot/grants/incidents.read: it is left out: it was limited to environments",
      );
      expect(await fileOf("config/agents.yaml")).not.toContain("incidents.read");
      await rm(join(world.folder, "config/agents.yaml"));
      await rm(join(world.folder, "config/catalog.yaml"));
      expect((await pulled()).exit).toBe(7);
      expect(await fileOf("config/agents.yaml")).not.toContain("incidents.read");
    });

    test.each([
      ["without environments", "", 0, "agents/bot/grants/incidents.read  environments  1 item: (deleted)"],
      ["for all environments", ", environments: []", 2, "~ agents/bot/grants/incidents.read"],
    ])("is not the same as a declared one %s", async (_title, environments, exit, line) => {
      await withoutAccess();
      const text = AGENTS.replace("incidents.read, environments: [staging]", `incidents.read${environments}`);
      await world.write({ "config/agents.yaml": text });
      const next = await planned();
      expect(next.exit, next.stdout + next.stderr).toBe(exit);
      expect(next.stdout).toContain(line);
    });
  });

  test("is written the same into new files", async () => {
    await withoutStaging();
    await rm(join(world.folder, "config/agents.yaml"));
    await rm(join(world.folder, "config/catalog.yaml"));
    expect((await pulled()).exit).toBe(7);
    const text = await fileOf("config/agents.yaml");
    expect(text).not.toContain("incidents.read");
    expect(text).toContain("{ ability: incidents.update, environments: [production] }");
  });
});

describe("an argument of a step", () => {
  const withArguments = async (text: string): Promise<void> => {
    await openWithFiles({ "config/runbooks.yaml": "runbooks: []\n" });
    const step = { title: "Look", instruction: "Look", tool: "look", arguments: JSON.parse(text) };
    await world.send("POST", "/api/v1/runbooks", { name: "One", steps: [step] });
  };

  test.each([
    ['{"<<":1}', "merge keys are not supported"],
    ['{"":1}', "the key is empty"],
    ['{"a\\tb":1}', "the key has a line break or a tab"],
    ['{"b":{"a\\nb":1}}', "the key has a line break or a tab"],
    ['{"a\\u0007b":1}', "the text has the control character U+0007"],
    ['{"a\\u200bb":1}', "the text has U+200B, which is invisible"],
  ])("whose key no file can have is left out with its list, and the rest is pulled: %s", async (text, reason) => {
    await withArguments(text);
    const ended = await pulled();
    expect(ended.exit, ended.stderr).toBe(7);
    expect(ended.stderr).toContain(`conflict: runbooks/one steps: it has a key that no file can have: ${reason}`);
    expect(await fileOf("config/runbooks.yaml")).toContain("{ slug: one, name: One }");
    expect((await planned()).exit).toBe(0);
    await rm(join(world.folder, "config/runbooks.yaml"));
    expect((await pulled()).exit).toBe(7);
    expect(await fileOf("config/runbooks.yaml")).toContain("{ slug: one, name: One }");
  });

  test.each(['{"🧑‍🚒":1}', '{"__proto__":1}', '{"__proto__":{"__proto__":[1]}}', '{"constructor":1,"~":2,"null":3}'])(
    "with any other key is written, and a plan has no change: %s",
    async (text) => {
      await withArguments(text);
      expect((await pulled()).exit).toBe(0);
      const next = await planned();
      expect(next.exit, next.stdout).toBe(0);
      await world.send("DELETE", "/api/v1/runbooks/one");
      expect((await applied()).exit).toBe(0);
      const { runbooks } = (await world.send("GET", "/api/v1/runbooks")) as {
        readonly runbooks: readonly { readonly steps: readonly { readonly arguments: unknown }[] }[];
      };
      expect(JSON.stringify(runbooks[0]?.steps[0]?.arguments)).toBe(text);
    },
  );
});

test("a file that a value includes has the same lines in every checkout", async () => {
  await openWithFiles({
    "config/runbooks.yaml": "runbooks:\n  - { slug: one, name: One, content: '${file:one.md}' }\n",
    "config/one.md": "# One\r\n\r\nLook.\r\n",
  });
  expect((await applied()).exit).toBe(0);
  await world.write({ "config/one.md": "# One\n\nLook.\n" });
  const next = await planned();
  expect(next.exit, next.stdout).toBe(0);
  expect(next.stdout).not.toContain("W_FORM");
});

test("an address that is none is left out of a new file, with its reason", async () => {
  await openWithFiles({ "config/severities.yaml": "severities: []\n" });
  await world.send("POST", "/api/v1/webhooks", { name: "Chat", url: "https://example.com/a" });
  const cut = altersObjects(
    ({ url }) => url !== undefined,
    (row) => ({ ...row, url: "#402" }),
  );
  Object.assign(world.io, answeringIo({ ...world.io }, cut));
  const ended = await world.run(pull, { paths: ["new"] });
  expect(ended.exit, ended.stderr).toBe(7);
  expect(ended.stderr).toContain("conflict: webhooks/Chat url: the URL is not absolute");
});

test("an address that is none stays as the files have it, and all else is pulled", async () => {
  await openWithFiles({
    "config/all.yaml": `runbooks:
  - { slug: one, name: One }
webhooks:
  - { name: Chat, url: "https://example.com/a", subscribed_events: [incident.created] } # ours
  - { name: Pager, url: "https://example.com/b", subscribed_events: [incident.created] }
`,
  });
  expect((await applied()).exit).toBe(0);
  await world.send("PATCH", "/api/v1/runbooks/one", { name: "Outage" });
  const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: readonly Fields[] };
  const [{ id } = {}] = webhooks.filter(({ name }) => name === "Chat");
  await world.send("PATCH", `/api/v1/webhooks/${id}`, { subscribed_events: ["incident.resolved"] });
  const cut = altersObjects(
    ({ url }) => String(url).endsWith("/a"),
    (row) => ({ ...row, url: "#402" }),
  );
  Object.assign(world.io, answeringIo({ ...world.io }, cut));
  const ended = await pulled();
  expect(ended.exit, ended.stderr).toBe(7);
  expect(ended.stderr).toContain("conflict: webhooks/Chat url: the URL is not absolute");
  expect(await fileOf("config/all.yaml")).toBe(`runbooks:
  - { slug: one, name: Outage }
webhooks:
  - { name: Chat, url: "https://example.com/a", subscribed_events: [incident.resolved] } # ours
  - { name: Pager, url: "https://example.com/b", subscribed_events: [incident.created] }
`);
});

/** Opens a world with settings and these files. */
async function openWithFiles(files: Readonly<Record<string, string>>): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": SETTINGS, ...files });
}
