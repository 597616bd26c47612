import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { configureExampleWorkspace } from "../../../src/emulator/example-workspace/configuration.ts";
import { HttpError } from "../../../src/emulator/http/http-error.ts";
import { listOf, openTestEmulator, readTimeline, startTime, type TestEmulator } from "../test-emulator.ts";
import { answersOf, withNumberedIds } from "./answers.ts";

const open: TestEmulator[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

async function emulator(options: Parameters<typeof openTestEmulator>[0] = {}): Promise<TestEmulator> {
  const service = await openTestEmulator(options);
  open.push(service);
  return service;
}

function load(service: TestEmulator, seed: Fields): number {
  return service.emulator.seeds.load(seed);
}

/** The errors of a seed that is refused. */
async function errorsOf(seed: Fields): Promise<HttpError["errors"]> {
  const service = await emulator();
  const before = await answersOf(service);
  try {
    load(service, seed);
  } catch (error) {
    expect(await answersOf(service)).toEqual(before);
    if (error instanceof HttpError) return error.errors;
    throw error;
  }
  throw new Error("the seed was loaded");
}

async function incidentsOf(service: TestEmulator): Promise<readonly Fields[]> {
  return listOf(await service.send("GET", "/incidents?per_page=100"), "incidents");
}

describe("a seed", () => {
  test("of a few fields makes incidents as if people had declared and resolved them", async () => {
    const service = await emulator();
    load(service, {
      people: [{ name: "Mei", email: "Mei@example.com", chat_user_id: "U9" }],
      incidents: [
        { name: "Slow", severity: "minor", declared_by: "mei@example.com", declared_at: "-2h", lead: "U9" },
        {
          name: "Down",
          severity: "critical",
          status: "resolved",
          declared_at: "-3d",
          resolved_at: "+90m",
          type: "data_issue",
        },
        { name: "False", severity: "minor", status: "canceled", declared_at: "2026-01-02T03:04:05Z" },
      ],
    });
    const [third = {}, second = {}, first = {}] = await incidentsOf(service);
    expect(first).toMatchObject({
      identifier: "INC-1",
      status: { slug: "investigating" },
      lead: { email: "mei@example.com" },
      declared_at: "2026-03-01T10:00:00.000Z",
      source: "seed",
    });
    expect(second).toMatchObject({ resolved_at: "2026-02-26T13:30:00.000Z", type: { slug: "data_issue" } });
    expect(await service.events(second)).toEqual(["incident.created", "incident.resolved"]);
    expect(await service.events(third)).toEqual(["incident.created", "incident.canceled"]);
    expect((await readTimeline(service, first))[0]).toMatchObject({ description: "Mei declared INC-1: Slow" });
    const next = await service.declare();
    expect(next.identifier).toBe("INC-4");
  });

  test("has the same ids in every run, and other emulators start with its content", async () => {
    const seed = {
      people: [{ name: "Mei", email: "mei@example.com", chat_user_id: "U9" }],
      alert_sources: { Datadog: "datadog-path" },
      incidents: [{ name: "Slow", severity: "minor", messages: [{ said_by: "U9", text: "One" }] }],
    };
    const contents: unknown[] = [];
    for (const _ of [1, 2]) {
      const service = await emulator();
      for (const name of ["Datadog", "Grafana"]) await service.send("POST", "/alert_sources", { name });
      load(service, seed);
      service.emulator.seeds.makeIdsStable(seed);
      const { tokens: _tokens, ...content } = service.emulator.seeds.dump();
      contents.push(content);
      const sources = listOf(await service.send("GET", "/alert_sources"), "alert_sources");
      expect(sources[0]?.slug).toBe("datadog-path");
      const copy = await emulator({ content: service.emulator.seeds.dump() });
      expect(await answersOf(copy)).toEqual(await answersOf(service));
      await copy.declare();
      await copy.control("POST", "/reset");
      expect(await answersOf(copy)).toEqual(await answersOf(service));
    }
    expect(contents[1]).toEqual(contents[0]);
  });

  test("fires no webhook and posts nothing", async () => {
    const service = await emulator();
    const hook = { name: "Hook", url: "http://127.0.0.1:9/", subscribed_events: ["incident.created"] };
    await service.send("POST", "/webhooks", hook);
    load(service, { incidents: [{ name: "Past", severity: "minor" }] });
    expect((await service.control("GET", "/deliveries")).body.deliveries).toEqual([]);
    expect((await service.control("GET", "/posts")).body.posts).toEqual([]);
  });
});

describe("a scenario", () => {
  test("makes an incident at each interval, resolved where its time has come", async () => {
    const service = await emulator();
    const incidents = [
      { name: "Slow {n}", severity: "minor", resolved_after: "90m", declared_by: "ada@example.com" },
      { name: "Down {n}", severity: "critical" },
    ];
    expect(load(service, { scenarios: [{ name: "A day", every: "1h", for: "1d", incidents }] })).toBe(24);
    const rows = (await incidentsOf(service)).toReversed();
    expect(rows.map(({ name, resolved_at }) => [name, resolved_at === null]).slice(0, 3)).toEqual([
      ["Slow 1", false],
      ["Down 2", true],
      ["Slow 3", false],
    ]);
    expect(rows[0]).toMatchObject({ declared_at: "2026-02-28T12:00:00.000Z", resolved_at: "2026-02-28T13:30:00.000Z" });
    expect(rows.at(-1)).toMatchObject({ declared_at: "2026-03-01T11:00:00.000Z", resolved_at: null });
  });

  test("of a month, an incident an hour, loads within seconds", async () => {
    const service = await emulator();
    const incidents = [{ name: "Slow", severity: "minor", resolved_after: "30m" }];
    expect(load(service, { scenarios: [{ name: "Month", every: "1h", for: "30d", incidents }] })).toBe(720);
    expect((await service.send("GET", "/incidents")).body.pagination).toMatchObject({ total: 720 });
  });

  test.each([
    ["0h", "30d"],
    ["1s", "9000d"],
  ])("every %s for %s is refused", async (every, period) => {
    const scenario = { name: "Many", every, for: period, incidents: [{ name: "A", severity: "minor" }] };
    expect(await errorsOf({ scenarios: [scenario] })).toEqual([
      { field: "scenarios[0].every", message: "would make more than 200000 incidents" },
    ]);
  });
});

describe("an error of a seed has its field, and nothing is loaded", () => {
  const minor = { name: "A", severity: "minor" };
  test.each<readonly [Fields, string, RegExp]>([
    [{ people: [{ name: "Mei", email: "mei", chat_user_id: "U9" }] }, "people[0].email", /not a valid email/],
    [{ people: [{ name: "M", email: "m@example.com", chat_user_id: "U0001" }] }, "people[0].chat_user_id", /taken/],
    [{ people: [{ name: "Mei", email: "m@example.com" }] }, "people[0].chat_user_id", /is missing/],
    [{ incident: [] }, "incident", /is unknown; allowed: workspace, alert_sources, people, incidents, scenarios/],
    [{ incidents: [{ ...minor, sevrity: "x" }] }, "incidents[0].sevrity", /is unknown; allowed: identifier, name/],
    [
      { incidents: [minor, { name: "B", severity: "criticl" }] },
      "incidents[1].severity",
      /there are critical, major, minor/,
    ],
    [{ incidents: [{ ...minor, status: "done" }] }, "incidents[0].status", /names no resource/],
    [{ incidents: [{ ...minor, lead: "nobody@example.com" }] }, "incidents[0].lead", /names nobody/],
    [{ incidents: [{ ...minor, declared_at: "yesterday" }] }, "incidents[0].declared_at", /is invalid/],
    [{ incidents: [{ ...minor, declared_at: "2026-02-31T99:00:00Z" }] }, "incidents[0].declared_at", /is not a time/],
    [
      { incidents: [{ ...minor, resolved_at: "-1h" }] },
      "incidents[0].resolved_at",
      /needs a status of the stage closed/,
    ],
    [
      { incidents: [{ ...minor, custom_fields: { region: "EU" } }] },
      "incidents[0].custom_fields.region",
      /is not a custom field/,
    ],
    [
      {
        incidents: [
          { ...minor, identifier: "INC-1" },
          { ...minor, identifier: "INC-1" },
        ],
      },
      "incidents[1].identifier",
      /is taken/,
    ],
    [
      { incidents: [{ ...minor, messages: [{ said_by: "U0001", text: "A", thread: 1 }] }] },
      "incidents[0].messages[0].thread",
      /no earlier/,
    ],
    [
      { incidents: [{ ...minor, links: [{ incident: "INC-9", relationship: "related" }] }] },
      "incidents[0].links[0].incident",
      /no other/,
    ],
    [
      { incidents: [{ ...minor, runbooks: [{ runbook: "none" }] }] },
      "incidents[0].runbooks[0].runbook",
      /there is none/,
    ],
    [{ incidents: [{ ...minor, postmortem: { versions: [] } }] }, "incidents[0].postmortem.versions", /can't be empty/],
  ])("%j", async (seed, field, message) => {
    expect(await errorsOf(seed)).toEqual([{ field, message: expect.stringMatching(message) }]);
  });
});

describe("an export", () => {
  test("of the example workspace gives the same responses when it is loaded", async () => {
    const source = await emulator({ seed: true });
    const [incident = {}] = await incidentsOf(source);
    await source.send("POST", `/incidents/${incident.id}/escalate`, { member_id: "grace@example.com", reason: "Help" });
    await source.control("POST", `/incidents/${incident.id}/roles`, {
      role: "incident_lead",
      member_id: "ada@example.com",
    });
    const copy = await emulator();
    const { control } = copy.emulator;
    if (control !== undefined) configureExampleWorkspace(control.service);
    load(copy, (await source.control("GET", "/seed")).body);
    expect(withNumberedIds(await answersOf(copy))).toEqual(withNumberedIds(await answersOf(source)));
    // Each workspace has endpoint paths of its own.
    const dataOf = ({ emulator: { seeds } }: TestEmulator): unknown => ({ ...seeds.export(), alert_sources: {} });
    expect(dataOf(copy)).toEqual(dataOf(source));
  });
});

describe("the control surface", () => {
  test("restores a snapshot with the clock, and keeps the tokens", async () => {
    const service = await emulator({ seed: true });
    const before = await answersOf(service);
    expect((await service.control("POST", "/snapshots", { name: "start" })).body).toEqual({
      name: "start",
      taken_at: startTime,
    });
    await service.control("PUT", "/clock", { advance_ms: 60_000 });
    await service.declare();
    await service.send("DELETE", "/incident_types/data_issue");
    await service.control("POST", "/snapshots", { name: "later" });
    const later = await answersOf(service);
    expect(await service.control("POST", "/snapshots/start/restore")).toMatchObject({ status: 204 });
    expect(await answersOf(service)).toEqual(before);
    expect((await service.control("GET", "/clock")).body.now).toBe(startTime);
    await service.control("POST", "/snapshots/later/restore");
    expect(await answersOf(service)).toEqual(later);
    expect(listOf(await service.control("GET", "/snapshots"), "snapshots").map(({ name }) => name)).toEqual([
      "start",
      "later",
    ]);
    await service.control("DELETE", "/snapshots/start");
    expect((await service.control("POST", "/snapshots/start/restore")).status).toBe(404);
  });

  test("adds the people and incidents of a seed, and refuses one with an error", async () => {
    const service = await emulator();
    const seed = { incidents: [{ name: "One", severity: "minor" }] };
    expect((await service.control("POST", "/seed", seed)).status).toBe(204);
    expect((await incidentsOf(service)).map(({ name }) => name)).toEqual(["One"]);
    const refused = await service.control("POST", "/seed", { incidents: [{ name: "Two", severity: "none" }] });
    expect([refused.status, refused.body.error]).toMatchObject([422, { errors: [{ field: "incidents[0].severity" }] }]);
  });
});
