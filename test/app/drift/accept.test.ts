import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { accept } from "../../../src/app/drift/accept-command.ts";
import type { AcceptOptions } from "../../../src/app/drift/accept-definition.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import type { DriftOptions } from "../../../src/app/drift/drift-definition.ts";
import { type Fields, isList, type Json } from "../../../src/core/json.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { altersObjects, answeringIo } from "../../stored/altering.ts";

const FILES = {
  "config.yaml": `severities:
  - { slug: critical, name: Critical }
  - { slug: major, name: Major }
  - { slug: minor, name: Minor, default: true }
webhooks: []
`,
};
const UNTIL = "2026-12-31";

let world: World;
afterEach(() => world.close());

const file = () => join(world.folder, "incidentctl.accepted.json");
const written = () => JSON.parse(readFileSync(file(), "utf8"));
const looked = (options: Partial<DriftOptions> = {}) => world.run(drift, { paths: ["."], ...options });
const accepted = (address: string, options: Partial<AcceptOptions> = {}) =>
  world.run(accept, { paths: ["."], address, until: UNTIL, because: "for the audit", ...options });
const memory = async () => JSON.parse((await looked({ format: "json" })).stdout).drift;
const rename = (slug: string, name: string) => world.send("PATCH", `/api/v1/severities/${slug}`, { name });
const hook = (name: string, url = "https://a.example.com/x") =>
  world.send("POST", "/api/v1/webhooks", { name, url, subscribed_events: ["incident.created"] });

/** A world with three changes by hand. */
async function changed(): Promise<void> {
  world = await openWorld(FILES);
  await rename("critical", "Very bad");
  await rename("major", "Bad");
  await hook("by hand");
}

describe("an accepted difference", () => {
  test("may be accepted for a duration", async () => {
    await changed();
    expect((await accepted("severities/critical", { until: "30d" })).exit).toBe(0);
    expect(written().accepted).toMatchObject([{ until: "2026-12-21" }]);
    const { exit, stderr } = await accepted("severities/critical", { until: "30 days" });
    expect([exit, stderr]).toEqual([64, expect.stringContaining("a date like 2026-12-31 or a duration like 30d")]);
  });

  test("stays accepted where the service answers its value in another form, and not where it has another value", async () => {
    world = await openWorld(FILES);
    await rename("critical", "Très mal");
    await hook("by hand", "https://a.example.com");
    expect((await accepted("severities/critical")).exit).toBe(0);
    expect((await accepted("webhooks/by hand")).exit).toBe(0);
    const otherwise = altersObjects(
      ({ name }) => name !== undefined,
      ({ name, url, enabled, ...row }) => ({
        ...row,
        name: String(name).normalize("NFD"),
        ...(enabled === undefined ? {} : { enabled: String(enabled) }),
        ...(url === undefined ? {} : { url: `${url}/` }),
      }),
    );
    Object.assign(world.io, answeringIo({ ...world.io }, otherwise));
    const { exit, stdout } = await looked();
    expect(exit, stdout).toBe(0);
    await rename("critical", "Tres mal");
    expect((await looked()).exit).toBe(2);
  });

  test("stays accepted where the service answers a list in another order that means nothing there, and not with another item", async () => {
    const events = ["incident.created", "incident.resolved", "lead.assigned"];
    world = await openWorld({
      "config.yaml": JSON.stringify({
        webhooks: [{ name: "chat", url: "https://a.example.com/x", subscribed_events: ["incident.created"] }],
        runbooks: [{ slug: "failover", name: "Failover", steps: [{ title: "Look" }] }],
        routing_rules: { workspace: [] },
      }),
    });
    await hook("chat");
    await hook("by hand");
    const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: readonly Fields[] };
    for (const { id } of webhooks)
      await world.send("PATCH", `/api/v1/webhooks/${id}`, { subscribed_events: [...events] });
    const steps = [{ title: "Look" }, { title: "Act" }];
    await world.send("POST", "/api/v1/runbooks", { slug: "failover", name: "Failover", steps });
    const conditions = ["a", "b"].map((value): Fields => ({ field: "title", operator: "contains", value }));
    await world.send("POST", "/api/v1/routing_rules", { conditions, outcome: { action: "drop" } });
    for (const address of ["webhooks/chat", "webhooks/by hand", "runbooks/failover", "routing_rules/workspace/1"])
      expect((await accepted(address)).exit).toBe(0);
    const { io } = world;
    const answering = (change: (list: readonly Json[]) => readonly Json[], name: string) =>
      Object.assign(
        world.io,
        answeringIo(
          { ...io, fetch: original },
          altersObjects(
            ({ [name]: list }) => isList(list),
            ({ [name]: list, ...row }) => ({ ...row, [name]: change(isList(list) ? list : []) }),
          ),
        ),
      );
    const original = io.fetch;
    answering((list) => list.toReversed(), "subscribed_events");
    expect((await looked()).exit).toBe(0);
    answering((list) => list.toReversed(), "conditions");
    const { exit, stdout } = await looked();
    expect(exit, stdout).toBe(0);
    answering((list) => list.slice(1), "subscribed_events");
    expect((await looked()).exit).toBe(2);
    // Steps are in the order of their positions, wherever they stand in the answer.
    answering((list) => list.toReversed(), "steps");
    expect((await looked()).exit).toBe(0);
    const placed = (step: Json, position: number): Json => ({ ...(step as Fields), position });
    answering((list) => list.toReversed().map(placed), "steps");
    expect((await looked()).exit).toBe(2);
  });

  test("is recorded beside the settings and is no drift, and all other differences are", async () => {
    await changed();
    const before = await looked();
    expect(before.exit).toBe(2);
    const told = await accepted("severities/critical");
    expect(told).toMatchObject({ exit: 0, stderr: "" });
    expect(told.stdout).toBe(
      `1 difference accepted until ${UNTIL}, in incidentctl.accepted.json:\n  severities/critical  name\n`,
    );
    expect(written()).toMatchObject({
      version: 2,
      accepted: [{ address: "severities/critical", path: "/name", until: UNTIL, why: "for the audit" }],
    });
    expect(statSync(file()).mode & 0o777 & ~process.umask()).toBe(0o644 & ~process.umask());
    const after = await looked();
    expect(after.exit).toBe(2);
    expect(after.stdout).toContain("Accepted\n  severities/critical  name  until 2026-12-31: for the audit\n");
    expect(after.stdout).not.toContain("Very bad");
    expect(after.stdout).toMatch(/Drift: 1 differs, 1 not in the configuration\. 1 accepted\.\n$/);
    await accepted("severities/major");
    await accepted("webhooks/by hand");
    const quiet = await looked();
    expect(quiet.exit).toBe(0);
    expect(quiet.stdout).toMatch(/No new drift\. 3 accepted\.\n$/);
    expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("is reported again when either side changes", async () => {
    await changed();
    await accepted("severities/critical");
    await rename("critical", "Worse");
    const again = await memory();
    expect(again.known).toEqual([]);
    expect(again.new).toContainEqual(
      expect.objectContaining({ address: "severities/critical", accepted: { until: UNTIL, because: "for the audit" } }),
    );
    expect((await looked()).stdout).toContain("Accepted, but changed since\n  severities/critical");
    await rename("critical", "Very bad");
    expect((await memory()).known).toHaveLength(1);
    await world.write({ "config.yaml": FILES["config.yaml"].replace("Critical", "Outage") });
    expect((await memory()).known).toEqual([]);
  });

  test("is reported again when an undeclared resource changes in a field that the report does not show", async () => {
    await changed();
    await hook("second");
    await accepted("webhooks/second");
    expect((await memory()).known).toHaveLength(1);
    const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: { id: string; name: string }[] };
    const id = webhooks.find(({ name }) => name === "second")?.id;
    await world.send("PATCH", `/api/v1/webhooks/${id}`, { url: "https://elsewhere.example.com/x" });
    const { known, new: fresh } = await memory();
    expect(known).toEqual([]);
    expect(fresh.map(({ address }: { address: string }) => address)).toContain("webhooks/second");
  });

  test("counts to the end of its last day in UTC, and is then reported as expired", async () => {
    await changed();
    await accepted("severities/critical", { until: "2026-11-21" });
    expect((await memory()).known).toHaveLength(1);
    const later = { ...world.io, now: () => new Date("2026-11-22T00:00:00Z") };
    const { stdout, exit } = await world.run<DriftOptions>((options, _io, console) => drift(options, later, console), {
      paths: ["."],
      target: ["severities/critical"],
    });
    expect(exit).toBe(2);
    expect(stdout).toContain("Expired\n  severities/critical  name  until 2026-11-21: for the audit");
  });

  test("is resolved when there is no difference any more, and removed by the next acceptance", async () => {
    await changed();
    await accepted("severities/critical");
    await rename("critical", "Critical");
    const { resolved } = await memory();
    expect(resolved).toMatchObject([{ address: "severities/critical", path: "/name" }]);
    // What is narrowed to something else knows nothing about it.
    const narrow = JSON.parse((await looked({ format: "json", kinds: "webhooks" })).stdout).drift;
    expect(narrow.resolved).toEqual([]);
    const told = await accepted("severities/major");
    expect(told.stdout).toContain("Removed, because there is no difference any more:\n  severities/critical  name\n");
    expect(written().accepted.map(({ address }: { address: string }) => address)).toEqual(["severities/major"]);
  });

  test("for another service does not count here, and stays in the file", async () => {
    await changed();
    await accepted("severities/critical");
    const elsewhere = { ...written().accepted[0], host: "https://other.example.com" };
    writeFileSync(file(), JSON.stringify({ version: 2, accepted: [elsewhere] }));
    expect(await memory()).toMatchObject({ known: [], resolved: [] });
    await accepted("severities/major");
    expect(written().accepted).toHaveLength(2);
  });

  test("and at this one, at the same place, counts by itself", async () => {
    await changed();
    await accepted("severities/critical");
    const [here] = written().accepted;
    const elsewhere = { ...here, host: "https://other.example.com", fingerprint: "0".repeat(16) };
    writeFileSync(file(), JSON.stringify({ version: 2, accepted: [here, elsewhere] }));
    expect((await memory()).known).toMatchObject([{ address: "severities/critical" }]);
    await rename("critical", "Critical");
    const { resolved } = await memory();
    expect(resolved).toMatchObject([{ address: "severities/critical", path: "/name" }]);
  });
});

describe("the fingerprint", () => {
  test("is the same in every run, in text, JSON and Markdown, until the drift changes", async () => {
    await changed();
    const { fingerprint } = await memory();
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect((await memory()).fingerprint).toBe(fingerprint);
    expect((await looked()).stdout).toContain(`\nFingerprint: ${fingerprint}\n`);
    expect((await looked({ format: "markdown" })).stdout).toContain(`<!-- incidentctl:fingerprint ${fingerprint} -->`);
    await rename("major", "Awful");
    expect((await memory()).fingerprint).not.toBe(fingerprint);
  });

  test("is none if there is no drift", async () => {
    await changed();
    await accepted("severities/critical");
    await accepted("severities/major");
    await accepted("webhooks/by hand");
    expect((await memory()).fingerprint).toBeNull();
    const { stdout } = await looked({ format: "markdown" });
    expect(stdout).toContain("<!-- incidentctl:fingerprint none -->");
    expect(stdout).toContain("**No new drift. 3 accepted.**");
    expect(stdout).toContain("<details><summary>Accepted: 3</summary>");
  });
});

describe("drift accept", () => {
  test("an invalid or past date, or no reason, exits with 64", async () => {
    await changed();
    for (const wrong of [{ until: "tomorrow" }, { until: "2026-02-30" }, { until: "2026-11-20" }, { because: " " }]) {
      expect((await accepted("severities/critical", wrong)).exit).toBe(64);
    }
    expect((await accepted("nonsense")).exit).toBe(64);
    expect(world.requests).toEqual([]);
  });

  test("an address without a difference exits with 1 and suggests one with a difference", async () => {
    await changed();
    const told = await accepted("severities/critica");
    expect(told.exit).toBe(1);
    expect(told.stderr).toContain('did you mean "severities/critical"?');
    expect((await accepted("severities/minor")).exit).toBe(1);
  });

  test("a secret is not stored, not even as a hash", async () => {
    world = await openWorld({
      "config.yaml": `webhooks:\n  - { name: pager, url: "\${env:HOOK}", subscribed_events: [incident.created] }\n`,
    });
    world.io.env.HOOK = "https://a.example.com/very-secret-part";
    await hook("pager");
    const told = await accepted("webhooks/pager");
    expect(told.exit).toBe(1);
    expect(told.stderr).toContain("cannot accept webhooks/pager url: it is secret");
    expect(() => written()).toThrow("ENOENT");
  });

  test.each([
    ["", "it is not a JSON object"],
    ['{"version":3,"accepted":[]}', "its version is neither 1 nor 2"],
    ['{"version":2,"accepted":[{"host":1}]}', "item 1 is incomplete"],
    [
      '{"version":2,"accepted":[{"host":"h","address":"a/b","path":"","fingerprint":"0","until":"soon","why":"x"}]}',
      "item 1 is incomplete",
    ],
    ['{"version":1}', "it has no list"],
    ['{"version":1,"accepted":[{"address":"severities/critical"}]}', "item 1 is incomplete"],
  ])("a file with %j does not count as empty", async (text, why) => {
    await changed();
    writeFileSync(file(), text);
    const { exit, stderr } = await looked();
    expect(exit).toBe(1);
    expect(stderr).toContain(why);
  });
});

test("the help of drift accept lists its own flags and those of every command, and none of the report", async () => {
  world = await openWorld(FILES);
  const lines: string[] = [];
  const io = { ...world.io, stdout: { terminal: false, write: (text: string) => lines.push(text) } };
  expect(await runCommandLine(["drift", "accept", "--help"], io)).toBe(0);
  const help = lines.join("");
  for (const flag of ["--until", "--because", "--quiet", "--no-color"]) expect(help).toContain(flag);
  for (const flag of ["--report", "--kinds"]) expect(help).not.toContain(flag);
});

test("drift accept refuses flags of the report", async () => {
  await changed();
  world.io.env.INCIDENTCTL_TOKEN = world.emulator.serviceToken;
  world.io.env.INCIDENTCTL_ADMIN_TOKEN = world.emulator.adminToken;
  const words = ["drift", "accept", "severities/critical", "--until", UNTIL, "--because", "why not"];
  expect(await runCommandLine([...words, "--report", "json=a.json"], world.io)).toBe(64);
  expect(await runCommandLine(["drift", "--kinds", "severities", ...words.slice(1)], world.io)).toBe(64);
  expect(await runCommandLine(words.slice(0, 5), world.io)).toBe(64);
  expect(await runCommandLine([...words, "--until", UNTIL], world.io)).toBe(64);
  expect(await runCommandLine([...words, "--format", "markdown"], world.io)).toBe(64);
  world.io.env.INCIDENTCTL_TOKEN = world.emulator.serviceToken;
  world.io.env.INCIDENTCTL_ADMIN_TOKEN = world.emulator.adminToken;
  expect(await runCommandLine([...words, "--format", "json", "."], world.io)).toBe(0);
  expect(written().accepted).toHaveLength(1);
});
