/** Workspaces that a random search found, each the shortest case: plans and undos that meant something else than they said. */

import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Fields, Json } from "../../src/core/json.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { KILLED, Program, type Run, STOPS, type Stop } from "../differential/program.ts";
import { DifferentialService, type ListName } from "../differential/service.ts";
import { isLarger } from "../support/samples/sample-size.ts";

const APPROVALS = ["--yes", "--allow-delete", "--max-removals", "100", "--accept-routing-window"];

const service = new DifferentialService();
const program = new Program(service);
afterAll(async () => {
  await program.close();
  await service.close();
});
// The built program, with which they were found, takes three times as long.
beforeEach(() => program.begin(isLarger));

/** People make a workspace that speaks these dialects. */
async function workspace(dialects: Partial<Dialects>, requests: readonly (readonly [string, string, Json])[]) {
  service.begin(dialects);
  for (const [method, path, body] of requests) {
    const status = await service.write(method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(300);
  }
}

/** Runs the program on files with this document. */
function run(document: Fields, args: readonly string[], stop?: Stop): Promise<Run> {
  program.write(stringify(document), {});
  return program.run(args, stop);
}

async function apply(document: Fields): Promise<Run> {
  const ran = await run(document, ["apply", ...APPROVALS]);
  expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
  return ran;
}

/** Undoes the last run; returns what undo and its apply say. */
async function undo(document: Fields): Promise<string> {
  const planned = await run(document, ["undo", "--out", "undo.plan"]);
  expect(planned.exit, planned.stdout + planned.stderr).toBe(0);
  const ran = await run(document, ["apply", "--plan", "undo.plan", ...APPROVALS]);
  expect(ran.exit, planned.stdout + planned.stderr + ran.stdout + ran.stderr).toBe(0);
  return planned.stdout + planned.stderr + ran.stdout + ran.stderr;
}

async function slugs(list: ListName): Promise<readonly Json[]> {
  service.forget();
  return (await service.list(list)).map(({ slug }) => slug ?? null);
}

/** Two fields over one type, on the declare form: a condition's value does not tell which of them it reads. */
const TWO_FIELDS = [
  ["POST", "/catalog/types", { name: "Squad" }],
  ["POST", "/catalog/types/squad/entries", { name: "Red" }],
  [
    "POST",
    "/custom_fields",
    { name: "Owner", field_type: "catalog_reference", option_source: "catalog", catalog_type: "squad" },
  ],
  [
    "POST",
    "/custom_fields",
    { name: "Helper", field_type: "catalog_reference", option_source: "catalog", catalog_type: "squad" },
  ],
  ["PATCH", "/forms/declare", { custom_field: "owner", visible: true, required: false }],
  ["PATCH", "/forms/declare", { custom_field: "helper", visible: true, required: false }],
] as const;

const OWNED_BY_RED = [{ condition_field: "custom_field", custom_field: "owner", operator: "one_of", values: ["red"] }];

describe("a condition whose field the service does not return refers to every field that it may read", () => {
  const CONDITION = ["PATCH", "/forms/declare", { system_field: "summary", conditions: OWNED_BY_RED }] as const;
  const DIALECTS: readonly Partial<Dialects>[] = [
    { readable: "partial" },
    { condition_values: "id" },
    { readable: "partial", condition_values: "id" },
    { readable: "partial", condition_values: "id", delete_guard: "incidents" },
  ];

  test.each(DIALECTS)("an entry that it holds stays: %o", async (dialects) => {
    await workspace(dialects, [...TWO_FIELDS, CONDITION]);
    const { stdout } = await apply({ catalog_types: [{ slug: "squad", entries: [{ slug: "blue", name: "Blue" }] }] });
    expect(stdout).toContain("catalog_types/squad/entries/red is not in the configuration but stays");
    expect(await slugs("entries")).toContain("red");
  });
});

describe.each<Partial<Dialects>>([
  { delete_guard: "incidents" },
  // The conditions are not returned: what they may name depends on the runbook too.
  { delete_guard: "incidents", readable: "partial" },
])("what goes because its referrer goes depends on that: %o", (dialects) => {
  const REQUESTS = [
    ["POST", "/severities", { name: "Sev" }],
    ["POST", "/incident_types", { name: "It" }],
    [
      "POST",
      "/runbooks",
      {
        name: "Book",
        conditions: [
          { condition_field: "severity", operator: "one_of", values: ["sev", "critical"] },
          { condition_field: "incident_type", operator: "one_of", values: ["it", "data_issue"] },
        ],
      },
    ],
  ] as const;
  const DOCUMENT = {
    severities: ["critical", "major", "minor"].map((slug) => ({ slug })),
    incident_types: ["service_outage", "performance_degradation", "security_incident", "data_issue"].map((slug) => ({
      slug,
    })),
    runbooks: [],
  };

  /** The runbook is attached to an incident, so that the service refuses to delete it. */
  async function attached() {
    await workspace(dialects, REQUESTS);
    const idOf = async (list: ListName, key: string) => (await service.list(list)).find(({ slug }) => slug === key)?.id;
    const status = await service.write("POST", "/incidents", {
      idempotency_key: "1",
      name: "Down",
      summary: "Why.",
      severity_id: (await idOf("severities", "critical")) ?? null,
      incident_type_id: (await idOf("incident_types", "data_issue")) ?? null,
    });
    expect(status).toBeLessThan(300);
  }

  async function expectKept() {
    expect(await slugs("runbooks")).toContain("book");
    service.forget();
    const rows = [...(await service.list("severities")), ...(await service.list("incident_types"))];
    expect(rows.filter(({ slug }) => slug === "sev" || slug === "it")).toMatchObject([
      { enabled: false },
      { enabled: false },
    ]);
  }

  test("it is disabled if the service refuses to delete the referrer, and the next plan is empty", async () => {
    await attached();
    const { stdout } = await apply(DOCUMENT);
    await expectKept();
    expect(stdout).toMatch(/disabled instead {2}op-\d+ {2}severities\/sev .*\n +runbooks\/book stays/);
    const next = await run(DOCUMENT, ["plan", "--detailed-exitcode"]);
    expect(next.exit, next.stdout).toBe(0);
    const undone = await undo(DOCUMENT);
    expect(undone).not.toContain("W_UNDO");
    service.forget();
    const rows = [...(await service.list("severities")), ...(await service.list("incident_types"))];
    expect(rows.filter(({ slug }) => slug === "sev" || slug === "it")).toMatchObject([
      { enabled: true },
      { enabled: true },
    ]);
  });

  test.each(STOPS.filter((how) => how.startsWith("killed")))(
    "also if the run is %s any write, and resumed",
    async (how) => {
      for (let at = 0; at < 13; at++) {
        program.begin(at === 9);
        await attached();
        const stopped = await run(DOCUMENT, ["apply", ...APPROVALS], { at, how });
        if (stopped.exit !== KILLED) break;
        const resumed = await run(DOCUMENT, ["resume", ...APPROVALS.slice(1)]);
        expect(resumed.exit, `${at}: ${resumed.stdout}${resumed.stderr}`).toBe(0);
        const next = await run(DOCUMENT, ["plan", "--detailed-exitcode"]);
        expect(next.exit, `${at}: ${next.stdout}`).toBe(0);
        await expectKept();
      }
    },
  );
});

test.each<Partial<Dialects>>([
  { delete_guard: "incidents" },
  // The conditions are not returned; what they name is known because the program has sent them.
  { delete_guard: "incidents", readable: "partial" },
])("what a runbook no longer names stays if its update is refused, and the run goes on: %o", async (dialects) => {
  await workspace(dialects, []);
  const document = (severities: readonly string[], named: readonly string[]): Fields => ({
    severities: severities.map((slug) => ({ slug, name: slug })),
    runbooks: [
      {
        slug: "book",
        name: "Book",
        conditions: [{ condition_field: "severity", operator: "one_of", values: named }],
      },
    ],
  });
  const kept = ["critical", "major", "minor"];
  await apply(document([...kept, "sev"], ["critical", "sev"]));
  const next = document(kept, ["critical"]);
  const ran = await run(next, ["apply", ...APPROVALS, "--keep-going"], { at: 0, how: "unprocessable" });
  expect(ran.stdout).toMatch(/failed {2}op-1 {2}runbooks\/book .*\n.*\n +skipped {2}1 operation: required operations/);
  expect(await slugs("severities")).toContain("sev");
  await apply(next);
  expect(await slugs("severities")).toEqual(kept);
});

describe("what is switched off gains nothing before it is off", () => {
  /** Applies a document, and looks at rows after every write. */
  async function states(
    requests: readonly (readonly [string, string, Json])[],
    document: Fields,
    look: () => Promise<readonly Fields[]>,
  ) {
    const rows: Fields[] = [];
    for (let at = 0; ; at++) {
      program.begin(at === 0);
      await workspace({}, requests);
      const ran = await run(document, ["apply", ...APPROVALS], { at, how: "killed after" });
      service.forget();
      rows.push(...(await look()));
      if (ran.exit !== KILLED) return rows;
    }
  }

  /** The rows of a list with a name. */
  const named = (list: ListName, name: string) => async () =>
    (await service.list(list)).filter((row) => row.name === name);

  test("a webhook that is renamed and gets another address", async () => {
    const url = "https://hook.example.com/new";
    const old = { name: "A", url: "https://hook.example.com/old", subscribed_events: ["incident.created"] };
    const document = { webhooks: [{ name: "B", renamed_from: "A", url, enabled: false }] };
    const rows = await states([["POST", "/webhooks", old]], document, named("webhooks", "B"));
    expect(rows.map((row) => [row.url, row.enabled])).toEqual(rows.map(() => [url, false]));
    expect(rows.length).toBeGreaterThan(0);
  });

  test("a service key that is renamed and gets more permissions", async () => {
    const old = { name: "K", permissions: { incidents: ["read"] } };
    const permissions = { incidents: ["read", "delete"] };
    const document = { api_keys: [{ name: "K2", renamed_from: "K", active: false, permissions }] };
    const rows = await states([["POST", "/api_keys", old]], document, named("api_keys", "K2"));
    expect(rows.map(({ active }) => active)).toEqual(rows.map(() => false));
    expect(rows.length).toBeGreaterThan(0);
  });

  test("an agent that gets a grant", async () => {
    const document = {
      agents: [{ slug: "bot", name: "Bot", enabled: false, grants: [{ ability: "incidents.update" }] }],
    };
    const granted = await states([["POST", "/agents", { name: "Bot" }]], document, async () =>
      (await service.list("grants")).length > 0 ? service.list("agents") : [],
    );
    expect(granted.map(({ enabled }) => enabled)).toEqual(granted.map(() => false));
    expect(granted.length).toBeGreaterThan(0);
  });

  test("a source that is renamed, and whose rules are written under its new name", async () => {
    const requests = [
      ["POST", "/alert_sources", { name: "A", provider: "generic" }],
      ["POST", "/routing_rules?source=A", { conditions: [], outcome: { action: "drop" } }],
    ] as const;
    const notify = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
    const document = {
      alert_sources: [{ name: "B", renamed_from: "A", enabled: false }],
      routing_rules: { sources: { B: [{ outcome: notify }] } },
    };
    const rows = await states(requests, document, named("alert_sources", "B"));
    expect(rows.at(-1)).toMatchObject({ name: "B", enabled: false });
  });
});

test("an entry that refers to itself is detached, and deleted", async () => {
  await workspace({}, [
    ["POST", "/catalog/types", { name: "Svc" }],
    [
      "PATCH",
      "/catalog/types/svc",
      { attributes: [{ name: "Up", attribute_type: "reference", reference_type: "svc" }] },
    ],
    ["POST", "/catalog/types/svc/entries", { name: "A" }],
  ]);
  const [entry] = (await service.list("entries")).filter(({ type }) => type === "svc");
  expect(await service.write("PATCH", `/catalog/entries/${entry?.id}`, { attributes: { up: entry?.id ?? null } })).toBe(
    200,
  );
  await apply({ catalog_types: [{ slug: "svc", entries: [] }] });
  service.forget();
  expect((await service.list("entries")).filter(({ type }) => type === "svc")).toEqual([]);
});

test("a condition on a field that is live on the form, and not listed, is no finding", async () => {
  await workspace({}, [
    [
      "POST",
      "/custom_fields",
      { name: "Fld", field_type: "single_select", option_source: "fixed", options: ["EU", "US"] },
    ],
    ["PATCH", "/forms/update", { custom_field: "fld", visible: true, required: false }],
  ]);
  const condition = { condition_field: "custom_field", custom_field: "fld", operator: "one_of", values: ["EU"] };
  const document = {
    custom_fields: [{ slug: "fld", name: "Fld", field_type: "single_select", options: ["EU", "US"] }],
    forms: { update: [{ system_field: "next_update", conditions: [condition] }] },
  };
  for (const command of ["validate", "plan"]) {
    const { stdout, stderr } = await run(document, [command]);
    expect(stdout + stderr).not.toMatch(/A006|forms\/fld/);
  }
});

test("an undo leaves a condition alone whose field the service does not return, and restores the rest", async () => {
  await workspace({ readable: "partial", condition_values: "id" }, [
    ...TWO_FIELDS,
    ["PATCH", "/forms/update", { system_field: "next_update", conditions: OWNED_BY_RED }],
  ]);
  const document = {
    severities: [
      { slug: "critical", name: "Worst" },
      { slug: "major", name: "Major", default: true },
      { slug: "minor", name: "Minor" },
    ],
    forms: { update: [{ system_field: "next_update", conditions: [] }] },
  };
  await apply(document);
  const said = await undo(document);
  expect(said).toMatch(/forms\/update\/next_update: conditions cannot be restored.*W_UNDO/);
  service.forget();
  expect((await service.list("severities")).map(({ name }) => name)).toContain("Critical");
});

test("an undo of a source's first rules says that the service does not connect it with the workspace's again", async () => {
  await workspace({ fallback: "sticky" }, [
    ["POST", "/alert_sources", { name: "S", provider: "generic" }],
    ["POST", "/routing_rules", { conditions: [], outcome: { action: "drop" } }],
  ]);
  const notify = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
  const document = { routing_rules: { sources: { S: [{ outcome: notify }] } } };
  await apply(document);
  const said = await undo(document);
  expect(said).toContain("routing_rules/S");
  expect(said).toMatch(/all its alerts are dropped/);
  expect(said).not.toContain("no routing gap");
});

test("an undo leaves alone a value that the journal only refers to, by a variable that is not known any more", async () => {
  const url = "https://hook.example.com/2";
  const hook = (name: string, more: Fields = {}): Fields => ({ name, url, subscribed_events: [], ...more });
  await workspace({}, [
    ["POST", "/webhooks", hook("Alpha")],
    ["POST", "/webhooks", hook("pager")],
    ["POST", "/webhooks", hook("pager", { url: "https://hook.example.com/3" })],
  ]);
  const pagers = (await service.list("webhooks")).filter(({ name }) => name === "pager");
  const document = {
    webhooks: [
      hook("Alpha", { url: "${env:HOOK}", enabled: false }),
      ...pagers.map(({ id }) => hook("pager", { id: id ?? null, url: "https://hook.example.com/4" })),
    ],
  };
  program.write(stringify(document), { HOOK: url });
  const applied = await program.run(["apply", ...APPROVALS]);
  expect(applied.exit, applied.stdout + applied.stderr).toBe(0);
  expect(await undo(document)).not.toContain('→ "(secret)"');
});

test("an undo gives the default back to a resource that was to be deleted, and is disabled instead", async () => {
  await workspace({}, [
    ["POST", "/runbooks", { name: "Book", conditions: [] }],
    [
      "PATCH",
      "/runbooks/book",
      { conditions: [{ condition_field: "severity", operator: "one_of", values: ["critical", "major", "minor"] }] },
    ],
  ]);
  const rows = await service.list("severities");
  const former = rows.find(({ is_default: isDefault }) => isDefault === true)?.slug ?? null;
  const status = await service.write("POST", "/incidents", {
    idempotency_key: "1",
    name: "Down",
    summary: "Why.",
    severity_id: rows.find(({ slug }) => slug === "major")?.id ?? null,
  });
  expect(status).toBeLessThan(300);
  const others = rows
    .filter(({ slug }) => slug !== former)
    .map(({ slug, name }): Fields => ({ slug: slug ?? null, name: name ?? null }));
  const document = {
    runbooks: [],
    severities: others.map((one, index) => (index === 0 ? { ...one, default: true } : one)),
  };
  await apply(document);
  expect(await undo(document)).not.toContain("W_UNDO");
  service.forget();
  expect((await service.list("severities")).filter(({ is_default: isDefault }) => isDefault === true)).toMatchObject([
    { slug: former, enabled: true },
  ]);
});
