/** Services whose answers to reads are not those to writes: what a run has sent is told by the later ones. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { altersObjects, answeringIo } from "./altering.ts";

let world: World;

/** Opens a workspace whose service alters the objects in its answers; those to writes too, unless it is only to reads. */
async function opened(document: Fields, alter: (object: Fields) => Fields, isOfReads = true): Promise<void> {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": JSON.stringify(document),
  });
  const altered = altersObjects(() => true, alter);
  Object.assign(
    world.io,
    answeringIo({ ...world.io }, (body, request) =>
      isOfReads && request.method !== "GET" ? body : altered(body, request),
    ),
  );
}

const applied = () => world.run(apply, { paths: [], yes: true, allowDelete: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const escaped = (value: Json | undefined): Json =>
  typeof value === "string" ? value.replaceAll("&", "&amp;") : (value ?? null);

describe("a value that only reads show otherwise", () => {
  const ENTRY = { slug: "nordbank", name: "Nord & Bank", attributes: { notes: "R&D" } };
  const DOCUMENT: Fields = {
    severities: [
      { slug: "critical", name: "Critical", description: "R&D", default: true },
      { slug: "near_miss", name: "Near miss", description: "Luck & more" },
    ],
    catalog_types: [
      { slug: "vendor", name: "Vendor", attributes: [{ name: "Notes", attribute_type: "text" }], entries: [ENTRY] },
    ],
  };

  test("is what an undo finds, where the run changed and where it created", async () => {
    await opened(DOCUMENT, ({ description, notes, ...object }) => ({
      ...object,
      ...(description === undefined ? {} : { description: escaped(description) }),
      ...(notes === undefined ? {} : { notes: escaped(notes) }),
    }));
    const first = await applied();
    expect(first.exit, first.stdout).toBe(0);
    expect(first.stdout).toContain('severities/critical description: sent "R&D", stored "R&amp;D"');
    expect((await planned()).exit).toBe(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.exit, undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain("somebody");
    expect(undone.stdout).toContain("- catalog_types/vendor");
    expect(undone.stdout).toMatch(/- severities\/near_miss/);
  });

  test("is what an undo finds, also of a list whose items have fewer members in reads", async () => {
    const lower = (object: Fields): Fields =>
      typeof object.title === "string" ? { ...object, title: object.title.toLowerCase() } : object;
    await opened(
      { runbooks: [{ slug: "failover", name: "Failover", steps: [{ title: "Look AGAIN" }] }] },
      lower,
      false,
    );
    const withoutPosition = altersObjects(
      () => true,
      ({ position: _position, ...object }) => object,
    );
    Object.assign(
      world.io,
      answeringIo({ ...world.io }, (body, request) =>
        request.method === "GET" ? withoutPosition(body, request) : body,
      ),
    );
    expect((await applied()).exit).toBe(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.exit, undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain("somebody");
    expect(undone.stdout).toMatch(/- runbooks\/failover/);
    await world.send("PATCH", "/api/v1/runbooks/failover", { steps: [{ title: "other" }] });
    expect((await world.run(undo, { paths: [] })).stdout).toContain(
      "runbooks/failover stays: somebody has changed its steps",
    );
  });

  test.each([true, false])(
    "is none where steps are answered in another order, by reads alone: %s",
    async (isOfReads) => {
      const steps = [{ title: "Look" }, { title: "Act", instruction: "Now." }, { title: "Tell" }];
      await opened(
        { runbooks: [{ slug: "failover", name: "Failover", steps }] },
        (object) => (isList(object.steps) ? { ...object, steps: object.steps.toReversed() } : object),
        isOfReads,
      );
      const first = await applied();
      expect(first.exit, first.stdout).toBe(0);
      expect(first.stdout).toContain("Verified: the workspace matches what the files declare.");
      expect((await planned()).exit).toBe(0);
      expect((await world.run(pull, { paths: [] })).stdout).toBe("The files match the workspace.\n");
      const edited = [...steps, { title: "Rest" }];
      await world.write({
        "config/all.yaml": JSON.stringify({ runbooks: [{ slug: "failover", name: "Failover", steps: edited }] }),
      });
      const second = await applied();
      expect(second.exit, second.stdout).toBe(0);
      expect((await planned()).exit).toBe(0);
      const undone = await world.run(undo, { paths: [] });
      expect(undone.stdout).not.toContain("somebody");
      expect(undone.stdout).toContain("~ runbooks/failover");
    },
  );

  test("is sent once, where the service stores a part of it and reads show that in another form", async () => {
    const altering = (alter: (description: string) => Json) =>
      altersObjects(
        () => true,
        (object: Fields) =>
          typeof object.description === "string" ? { ...object, description: alter(object.description) } : object,
      );
    await opened(DOCUMENT, (object) => object);
    const cut = altering((text) => text.slice(0, 8));
    const shown = altering((text) => escaped(text.slice(0, 8)));
    Object.assign(
      world.io,
      answeringIo({ ...world.io }, (body, request) => (request.method === "GET" ? shown : cut)(body, request)),
    );
    expect((await applied()).exit).toBe(0);
    expect((await planned()).exit).toBe(0);
    const description = "a\ttab &amp; more";
    const changed = { severities: [{ slug: "critical", name: "Critical", description, default: true }] };
    await world.write({ "config/all.yaml": JSON.stringify({ ...DOCUMENT, ...changed }) });
    const second = await applied();
    expect(second.exit, second.stdout).toBe(0);
    expect((await planned()).exit).toBe(0);
  });

  test("is what an undo finds, where only some answers have attributes that the type of an entry does not have", async () => {
    const { attributes: _none, ...entry } = ENTRY;
    const [type] = DOCUMENT.catalog_types as readonly Fields[];
    await opened({ catalog_types: [{ ...type, entries: [entry] }] }, ({ attributes, ...object }) => ({
      ...object,
      ...(attributes === undefined ? {} : { attributes }),
      ...(isFields(attributes) ? { attributes: { ...attributes, owned_services: ["web"] } } : {}),
    }));
    expect((await applied()).exit).toBe(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.exit, undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain("somebody");
    const path = "/api/v1/catalog/types/vendor/entries";
    const { entries } = (await world.send("GET", path)) as { entries: readonly Fields[] };
    await world.send("PATCH", `/api/v1/catalog/entries/${entries[0]?.id}`, { attributes: { notes: "mine" } });
    expect((await world.run(undo, { paths: [] })).stdout).toContain(
      "catalog_types/vendor/entries/nordbank stays: somebody has changed its attributes",
    );
  });

  test("is not sent again where the run ends with another difference, which stays one", async () => {
    await opened(
      DOCUMENT,
      ({ description, ...object }) => ({
        ...object,
        ...(description === undefined ? {} : { description: escaped(description) }),
      }),
      false,
    );
    const altered = { ...world.io };
    const unrelated = altersObjects(
      ({ slug }) => slug === "near_miss",
      (row) => ({ ...row, description: "Zzz" }),
    );
    Object.assign(
      world.io,
      answeringIo(altered, (body, request) => (request.method === "GET" ? unrelated(body, request) : body)),
    );
    const first = await applied();
    expect(first.exit, first.stdout).toBe(4);
    const second = await planned();
    expect(second.stdout).toContain("~ severities/near_miss");
    expect(second.stdout).toContain("1 to update");
    const undone = await world.run(undo, { paths: [] });
    expect(undone.stdout).not.toContain("critical stays");
    expect((await applied()).exit).toBe(4);
    expect((await planned()).stdout).toContain("1 to update");
  });

  test("is one that somebody has changed, if it is another one again", async () => {
    await opened(DOCUMENT, ({ description, ...object }) => ({
      ...object,
      ...(description === undefined ? {} : { description: escaped(description) }),
    }));
    expect((await applied()).exit).toBe(0);
    await world.send("PATCH", "/api/v1/severities/near_miss", { description: "Other" });
    expect((await world.run(undo, { paths: [] })).stdout).toContain(
      "severities/near_miss stays: somebody has changed its description",
    );
  });
});

test("a rank that the list shows as a text is that of a rule which the run has added", async () => {
  const rule = (channel_id: string) => ({
    conditions: [],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id } },
  });
  await opened({ routing_rules: { workspace: ["C1", "C2", "C3"].map(rule) } }, ({ priority, ...object }) =>
    priority === undefined ? object : { ...object, priority: String(priority) },
  );
  const first = await applied();
  expect(first.exit, first.stdout).toBe(0);
  expect((await planned()).exit).toBe(0);
});

test("a value that the service stores otherwise is sent once, also where answers to writes have fewer members", async () => {
  const steps = [{ title: "Look" }, { title: "Act" }];
  await opened({ runbooks: [{ slug: "one", name: "One", steps }] }, ({ title, ...object }) =>
    title === undefined ? object : { ...object, title: "*", author: "somebody" },
  );
  const { fetch } = world.io;
  const written = answeringIo({ ...world.io, fetch }, (body, { method }) =>
    method === "GET" ? body : JSON.parse(JSON.stringify(body).replaceAll(/"title":"[^"]*"/g, '"title":"*"')),
  );
  Object.assign(world.io, written);
  const first = await applied();
  expect(first.exit, first.stdout).toBe(0);
  const second = await planned();
  expect(second.exit, second.stdout).toBe(0);
});

describe("the conditions of rules", () => {
  const about = (value: string): Fields => ({
    conditions: [{ field: "title", operator: "contains", value }],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id: `C0${value.trim()}` } },
  });
  const LAST: Fields = { conditions: [], outcome: { action: "drop" } };
  const rules = (...values: readonly string[]): Fields => ({
    routing_rules: { workspace: [...values.map(about), LAST] },
  });

  test("are sent once where only reads show them trimmed, and again where somebody changes them", async () => {
    await opened(rules(" A", "B "), (object) =>
      typeof object.operator === "string" ? { ...object, value: String(object.value).trim() } : object,
    );
    const first = await applied();
    expect(first.exit, first.stdout).toBe(0);
    expect((await planned()).exit).toBe(0);
    expect((await world.run(undo, { paths: [] })).stdout).not.toContain("somebody");
    const conditions = [{ field: "title", operator: "contains", value: "C" }];
    await world.send("PATCH", "/api/v1/routing_rules/1", { conditions });
    expect((await planned()).exit).toBe(2);
  });

  test("are sent once where no answer has them, and stay in the files", async () => {
    const document = rules("A", "B", "C");
    await opened(document, ({ conditions: _unseen, ...object }) => object, false);
    const first = await applied();
    expect(first.exit, first.stdout).toBe(0);
    expect(first.stdout).toContain("routing_rules/workspace/1 conditions: the service does not return it");
    expect(first.stdout).not.toContain("incidentctl pull");
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
    expect(second.stdout).toContain("the service does not return its conditions, which an apply has sent");
    const pulled = await world.run(pull, { paths: [] });
    expect(pulled.exit, pulled.stdout).toBe(7);
    expect(pulled.stderr + pulled.stdout).toContain("the service does not return it");
    expect(JSON.parse(await readFile(join(world.folder, "config/all.yaml"), "utf8"))).toEqual(document);
  });

  test("are what an undo finds where only reads lack them, and stay where it would have to restore others", async () => {
    await opened(rules("A", "B"), ({ conditions: _unseen, ...object }) => object);
    expect((await applied()).exit).toBe(0);
    expect((await planned()).exit).toBe(0);
    const undone = await world.run(undo, { paths: [] });
    expect(undone.exit, undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain("somebody");
    expect(undone.stdout).toContain("- routing_rules/workspace/1");
    await world.write({ "config/all.yaml": JSON.stringify(rules("C", "D")) });
    expect((await applied()).exit).toBe(0);
    const second = await world.run(undo, { paths: [] });
    expect(second.stdout).toContain(
      "the routing rules of the workspace stay: the service did not return the conditions of the former ones",
    );
    expect(second.stdout).not.toContain("~ routing_rules");
  });

  test("are in no new file where no answer has them: a rule would match every alert", async () => {
    await opened({}, ({ conditions: _unseen, ...object }) => object, false);
    await world.send("POST", "/api/v1/routing_rules", about("A"));
    const pulled = await world.run(pull, { paths: ["pulled"] });
    expect(pulled.exit, pulled.stdout + pulled.stderr).toBe(7);
    expect(pulled.stdout).not.toContain("routing-rules");
  });
});

describe("a member that only answers to writes have", () => {
  const condition = { condition_field: "severity", operator: "one_of", values: ["critical"] };
  const runbook = (expected: string, resource: string): Fields => ({
    slug: "one",
    name: "One",
    inputs: [{ key: "service", question: "Which?", default: "web" }],
    steps: [{ title: "Look", instruction: "Read the log", arguments: { days: 90 } }],
    watch: { steps: [{ capability: "metrics.read", resource, expect: expected }] },
    conditions: [condition],
  });
  const rule = (channel_id: string): Fields => ({
    conditions: [{ field: "title", operator: "contains", value: channel_id }],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id } },
  });
  const document = (expected = "below 2 %", resource = "service: web"): Fields => ({
    runbooks: [runbook(expected, resource)],
    catalog_types: [
      {
        slug: "vendor",
        name: "Vendor",
        attributes: [{ name: "Tier", attribute_type: "select", options: ["Gold"], required: false }],
      },
    ],
    routing_rules: { workspace: [rule("C1"), rule("C2")] },
  });
  const MEMBERS = "instruction arguments question default expect resource values options value channel_id title";

  test.each(MEMBERS.split(" "))("is sent once where a run creates: %s", async (member) => {
    await opened(document(), ({ [member]: _unseen, ...object }) => object);
    const first = await applied();
    expect(first.exit, first.stdout).toBe(0);
    const second = await planned();
    expect(second.exit, second.stdout).toBe(0);
  });

  test("is sent once where a run changes what reads show, and again where they show no change", async () => {
    await opened(document(), ({ expect: _unseen, ...object }) => object);
    expect((await applied()).exit).toBe(0);
    await world.write({ "config/all.yaml": JSON.stringify(document("below 3 %", "service: db")) });
    const changed = await applied();
    expect(changed.exit, changed.stdout).toBe(0);
    expect((await planned()).exit).toBe(0);
    await world.write({ "config/all.yaml": JSON.stringify(document("below 4 %", "service: db")) });
    const third = await applied();
    expect(third.exit, third.stdout).toBe(4);
    expect((await planned()).exit).toBe(2);
  });
});

test.each([true, false])(
  "a mask in place of an address is no change, of a new webhook and of a changed one: to reads alone %s",
  async (isOfReads) => {
    const hook = (url: string): Fields => ({
      webhooks: [{ name: "Chat", url, subscribed_events: ["incident.created"] }],
    });
    const masked = ({ url, ...object }: Fields): Fields => ({
      ...object,
      ...(url === undefined ? {} : { url: "********" }),
    });
    await opened(hook("https://a.example.com/secret"), masked, isOfReads);
    for (const url of ["https://a.example.com/secret", "https://b.example.com/other"]) {
      await world.write({ "config/all.yaml": JSON.stringify(hook(url)) });
      const { exit, stdout, stderr } = await applied();
      expect(exit, stdout + stderr).toBe(0);
      const next = await planned();
      expect(next.exit, next.stdout).toBe(0);
    }
  },
);

test("a name that a second request gives to a new resource, and that only reads show in another case, is sent once", async () => {
  const named = ({ name, ...object }: Fields): Fields =>
    name === undefined ? object : { ...object, name: typeof name === "string" ? name.toUpperCase() : name };
  await opened({ custom_fields: [{ slug: "region", name: "The region", field_type: "text" }] }, named);
  const { exit, stdout, stderr } = await applied();
  expect(exit, stdout + stderr).toBe(0);
  const next = await planned();
  expect(next.exit, next.stdout).toBe(0);
});
