import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { AcceptingStage, addresses, CONFIG, SETTINGS, UNTIL } from "./accepting-stage.ts";

const stage = new AcceptingStage();
const { opened, rename, hook, severity, accepted, planned, applied, on } = stage;

describe("an accepted field", () => {
  test("is no change of a plan and stays in an apply, and the rest is applied", async () => {
    await opened(CONFIG.replace("name: Critical", 'name: Critical, color: "#101010"'));
    await rename("critical", "SEV1");
    await accepted("severities/critical", { by: "bob" });
    await rename("major", "SEV2");
    const made = await planned();
    expect(made.accepted).toEqual(
      [
        { address: "severities/critical", path: "/color", until: UNTIL, by: "bob", why: "for the audit" },
        { address: "severities/critical", path: "/name", until: UNTIL, by: "bob", why: "for the audit" },
      ].sort((left, right) => (left.path < right.path ? 1 : -1)),
    );
    expect(made.summary).toMatchObject({ update: 1, accepted: 2, ignored: 0 });
    expect(addresses(made)).toEqual(["severities/major"]);
    const done = await applied();
    expect(done.exit, done.stderr).toBe(0);
    expect(done.stdout).toContain(
      "Verified: the workspace matches what the files declare, except for accepted differences.",
    );
    expect(await severity("critical")).toMatchObject({ name: "SEV1" });
    expect(await severity("major")).toMatchObject({ name: "Major" });
    const again = await applied();
    expect(again.exit).toBe(0);
    expect(again.stdout).toContain(
      "No changes. The workspace matches what the files declare, except for accepted differences. 2 accepted.",
    );
  });

  test("is listed in every format with its day, its author and its reason", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    const shown = async (format: "text" | "markdown" | "html") =>
      (await stage.world.run(plan, { paths: [], format })).stdout;
    expect(await shown("text")).toContain(
      "Accepted (no change until then)\n  severities/critical  name  until 2026-12-31, by ann: for the audit\n",
    );
    expect(await shown("markdown")).toContain(
      "- `severities/critical` `name`: until 2026-12-31, by ann: for the audit\n",
    );
    expect(await shown("html")).toContain(
      "<li><code>severities/critical</code> <code>name</code> until 2026-12-31, by ann: for the audit</li>",
    );
    const { stdout } = await stage.world.run(drift, { paths: [], format: "json" });
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [],
      operations: [],
      summary: { accepted: 1 },
      accepted: [{ address: "severities/critical", path: "/name", by: "ann" }],
      drift: {
        known: [{ address: "severities/critical", accepted: { until: UNTIL, because: "for the audit", by: "ann" } }],
      },
    });
  });

  test("is a conflict if the files declare another value: the plan is blocked, and apply exits with 3", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    await stage.world.write({ "config.yaml": CONFIG.replace("Critical", "Outage") });
    const made = await planned();
    expect(addresses(made)).toEqual(["severities/critical"]);
    expect(made.accepted).toEqual([]);
    expect(made.blocked).toEqual([
      {
        code: "ACCEPTED",
        message:
          "severities/critical name was accepted until 2026-12-31 (for the audit), but its declared value has changed since; to accept it again, run incidentctl drift accept severities/critical --until 30d --because REASON; to apply it, delete its item from incidentctl.accepted.json",
        commands: ["incidentctl drift accept severities/critical --until 30d --because REASON"],
        addresses: ["severities/critical"],
      },
    ]);
    const refused = await applied({ allowDelete: true });
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain("delete its item from incidentctl.accepted.json");
    expect(stage.world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await accepted("severities/critical");
    expect((await applied()).exit).toBe(0);
    expect(await severity("critical")).toMatchObject({ name: "SEV1" });
  });

  test("is none any more if the files declare the live value", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    await stage.world.write({ "config.yaml": CONFIG.replace("Critical", "SEV1") });
    expect(await planned()).toMatchObject({ changes: [], accepted: [], blocked: [], warnings: [] });
  });

  test("that changes again in the workspace is a change, with a warning", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical");
    await rename("critical", "SEV-1");
    const made = await planned();
    expect(addresses(made)).toEqual(["severities/critical"]);
    expect(made.blocked).toEqual([]);
    expect(made.warnings).toMatchObject([
      {
        code: "W_ACCEPTED",
        message:
          "severities/critical name was accepted until 2026-12-31, but the difference has changed since, so the acceptance no longer holds",
      },
    ]);
  });

  test("is a change after its last day, and the plan says so once", async () => {
    await opened();
    await rename("critical", "SEV1");
    await accepted("severities/critical", { until: "2026-11-22" });
    const last = await on("2026-11-22", plan, { paths: [] });
    expect(last.stdout).toContain("1 accepted.");
    const after = await on("2026-11-23", plan, { paths: [] });
    expect(after.stdout).toContain('severities/critical  name "SEV1" → "Critical"');
    expect(after.stdout.match(/2026-11-22/g)).toHaveLength(1);
    expect(after.stdout).toContain("severities/critical name was accepted until 2026-11-22, but that day has passed");
    const report = await on("2026-11-23", drift, { paths: [] });
    expect(report.stdout.match(/2026-11-22/g)).toHaveLength(1);
    const done = await on("2026-11-23", apply, { paths: [], yes: true });
    expect(done.exit, done.stderr).toBe(0);
    expect(await severity("critical")).toMatchObject({ name: "Critical" });
  });

  test("may say that a resource is disabled, or where it stands", async () => {
    await opened();
    await stage.world.send("PATCH", "/api/v1/severities/major", { enabled: false });
    await stage.world.send("PATCH", "/api/v1/severities/minor", { position: 1 });
    await accepted("severities/major");
    await accepted("severities/minor");
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 2 } });
    await stage.world.write({
      "config.yaml": CONFIG.replace("severities:\n", "severities:\n  - { slug: first, name: First }\n"),
    });
    expect(addresses(await planned())).toEqual(["severities/first"]);
    const done = await applied();
    expect(done.exit, done.stdout + done.stderr).toBe(0);
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 2 }, blocked: [] });
    expect(await severity("major")).toMatchObject({ enabled: false });
  });

  test("that the service does not return is a change again after its last day", async () => {
    const runbooks = (value: string) => `${CONFIG}runbooks:
  - slug: failover
    name: Failover
    conditions: [{ condition_field: severity, operator: one_of, values: [${value}] }]
`;
    await opened(runbooks("critical"), SETTINGS, { dialects: { readable: "partial" } });
    expect((await applied()).exit).toBe(0);
    await stage.world.write({ "config.yaml": runbooks("major") });
    await accepted("runbooks/failover", { until: "2026-11-22" });
    await stage.world.write({ "config.yaml": runbooks("major").replace("name: Minor", "name: Small") });
    expect((await applied()).exit).toBe(0);
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 1 } });
    const after = await on("2026-11-23", plan, { paths: [], format: "json" });
    expect(JSON.parse(after.stdout)).toMatchObject({
      changes: [{ address: "runbooks/failover", fields: [{ path: "/conditions", before: "(not returned)" }] }],
    });
  });
});

describe("an accepted resource", () => {
  test("that is not in the files is not removed and blocks nothing", async () => {
    await opened();
    await hook("by hand");
    await accepted("webhooks/by hand");
    const made = await planned();
    expect(made).toMatchObject({ changes: [], blocked: [], accepted: [{ address: "webhooks/by hand", until: UNTIL }] });
    expect(made.accepted[0].path).toBeUndefined();
    await stage.world.write({ "config.yaml": CONFIG.replace("name: Major", "name: Bad") });
    const done = await applied();
    expect(done.exit, done.stderr).toBe(0);
    expect(await stage.world.send("GET", "/api/v1/webhooks")).toMatchObject({ webhooks: [{ name: "by hand" }] });
  });

  test("stays accepted when its position shifts, or it would be disabled instead of deleted", async () => {
    await opened();
    await stage.world.send("POST", "/api/v1/severities", { name: "Extra" });
    await accepted("severities/extra");
    await stage.world.send("POST", "/api/v1/severities", { name: "Other", position: 1 });
    await accepted("severities/other");
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 2 } });
    await stage.world.write({
      "config.yaml": `${CONFIG}alert_sources: [{ name: Datadog, provider: datadog }]\n`,
    });
    expect((await applied()).exit).toBe(0);
    await stage.world.send("POST", "/api/v1/routing_rules?source=Datadog", {
      outcome: { action: "auto_create_incident", severity_id: (await severity("extra")).id },
    });
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 2 }, blocked: [] });
  });

  test("that is missing is not created, and a reference to it is an error", async () => {
    const config = CONFIG.replace("webhooks", "  - { slug: local, name: Local }\nwebhooks");
    await opened(config);
    await accepted("severities/local");
    expect(await planned()).toMatchObject({ changes: [], operations: [], accepted: [{ address: "severities/local" }] });
    expect((await applied()).exit).toBe(0);
    expect(await severity("local")).toEqual({});
    await stage.world.write({
      "config.yaml": `${config}alert_sources: [{ name: Datadog, provider: datadog }]
routing_rules: { sources: { Datadog: [{ outcome: { action: auto_create_incident, severity: local } }] } }
`,
    });
    const refused = await applied();
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain(
      "routing_rules/Datadog/1 references severities/local, which is missing in the workspace, and that is accepted",
    );
    await stage.world.write({ "config.yaml": config.replace("name: Local", 'name: Local, color: "#202020"') });
    expect(await planned()).toMatchObject({ blocked: [{ code: "ACCEPTED", addresses: ["severities/local"] }] });
  });

  test("blocks the deletion of the resource that the service would delete it with", async () => {
    await opened("catalog_types: [{ slug: office, name: Office, entries: [] }]\n");
    expect((await applied()).exit).toBe(0);
    await stage.world.send("POST", "/api/v1/catalog/types/office/entries", { name: "Berlin", slug: "berlin" });
    await accepted("catalog_types/office/entries/berlin");
    await stage.world.write({ "config.yaml": "catalog_types: []\n" });
    const refused = await applied({ allowDelete: true });
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(
      "catalog_types/office/entries/berlin was accepted until 2026-12-31 (for the audit), but is deleted with catalog_types/office",
    );
    expect(await stage.world.send("GET", "/api/v1/catalog/types/office/entries")).toMatchObject({
      entries: [{ slug: "berlin" }],
    });
  });
});

describe("accepted rules", () => {
  const rules = (...names: readonly string[]) => `alert_sources: [{ name: Datadog, provider: datadog }]
routing_rules:
  sources:
    Datadog:
${names.map((name) => `      - { conditions: [{ field: service, operator: is_one_of, value: [${name}] }], outcome: { action: drop } }`).join("\n")}
`;
  const live = (name: string) =>
    stage.world.send("POST", "/api/v1/routing_rules?source=Datadog", {
      ...{ conditions: [{ field: "service", operator: "is_one_of", value: [name] }], outcome: { action: "drop" } },
    });

  test("stay as a whole list", async () => {
    await opened(rules("a", "b"));
    expect((await applied()).exit).toBe(0);
    await live("c");
    await accepted("routing_rules/Datadog");
    expect(await planned()).toMatchObject({ changes: [], operations: [], blocked: [] });
    expect((await applied()).exit).toBe(0);
    expect(await stage.world.send("GET", "/api/v1/routing_rules?source=Datadog")).toMatchObject({
      routing_rules: { length: 3 },
    });
  });

  test("block the plan if other rules of the list differ", async () => {
    await opened(rules("a", "b"));
    expect((await applied()).exit).toBe(0);
    await live("c");
    await accepted("routing_rules/Datadog");
    await stage.world.write({ "config.yaml": rules("x", "b") });
    const made = await planned();
    expect(made.blocked).toMatchObject([{ code: "ACCEPTED" }]);
    expect((await applied()).exit).toBe(3);
    expect(await stage.world.send("GET", "/api/v1/routing_rules?source=Datadog")).toMatchObject({
      routing_rules: { length: 3 },
    });
  });

  test("block the plan if the rename of their source is accepted and they are not", async () => {
    await opened(rules("a", "b").replaceAll("Datadog", "Old"));
    expect((await applied()).exit).toBe(0);
    await stage.world.write({
      "config.yaml": rules("a", "b").replace("name: Datadog", "name: Datadog, renamed_from: Old"),
    });
    await accepted("alert_sources/Datadog");
    expect(await planned()).toMatchObject({ changes: [], summary: { accepted: 1 } });
    await stage.world.write({
      "config.yaml": rules("a", "c").replace("name: Datadog", "name: Datadog, renamed_from: Old"),
    });
    expect(await planned()).toMatchObject({ blocked: [{ code: "ACCEPTED", addresses: ["alert_sources/Datadog"] }] });
    expect((await applied()).exit).toBe(3);
  });
});
