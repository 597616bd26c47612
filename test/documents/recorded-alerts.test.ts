/** The filters of docs/recorded-alerts.md: what they make of the body of a webhook is what the embedded service makes of it. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defined, type Fields, fieldsIn, type Json } from "../../src/core/json.ts";
import { ALERT_FIELDS } from "../../src/kinds/routing/context.ts";
import { listOf, openTestEmulator } from "../emulator/test-emulator.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/recorded-alerts.md", import.meta.url)), "utf8");

/** The filter below the paragraph that begins with the name of a system. */
function filterOf(system: string): string {
  const [, text = ""] = page.split(new RegExp(`^${system}[ ,:]`, "m"));
  return /```jq\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
}

function filtered(system: string, body: object): readonly Fields[] {
  const { stdout, stderr } = spawnSync("jq", ["-c", filterOf(system)], {
    input: JSON.stringify(body),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const prometheus: Fields = {
  version: "4",
  status: "firing",
  receiver: "incidents",
  groupLabels: { alertname: "DiskFull" },
  commonLabels: {},
  alerts: [
    {
      status: "firing",
      labels: { alertname: "DiskFull", service: "ledger_core", severity: "critical", env: "production" },
      annotations: { summary: "Disk almost full", description: "4 % left" },
      startsAt: "2026-01-01T00:00:00Z",
      fingerprint: "c1a8e0f2b7d94e55",
    },
    { status: "resolved", labels: { alertname: "Lag" }, annotations: {}, fingerprint: "9e0f57ac11d2b603" },
  ],
};

const fullDisk: Fields = {
  fingerprint: "c1a8e0f2b7d94e55",
  status: "firing",
  title: "Disk almost full",
  description: "4 % left",
  service: "ledger_core",
  severity_raw: "critical",
  environment: "production",
};
const lag: Fields = { fingerprint: "9e0f57ac11d2b603", status: "resolved", title: "Lag" };

/** The body of a webhook of each system, and the fields that routing knows of its alerts. */
const WEBHOOKS: Readonly<Record<string, { readonly body: Fields; readonly alerts: readonly Fields[] }>> = {
  Datadog: {
    body: payload({
      $ALERT_CYCLE_KEY: "5581930415",
      $EVENT_TITLE: "[Triggered] Payments fail",
      $TEXT_ONLY_MSG: "37 %",
      $ALERT_PRIORITY: "P1",
      $ALERT_TRANSITION: "Triggered",
      "$TAGS[service]": "checkout_api",
      "$TAGS[env]": "staging",
    }),
    alerts: [
      {
        external_id: "5581930415",
        title: "[Triggered] Payments fail",
        description: "37 %",
        severity_raw: "P1",
        status: "Triggered",
        service: "checkout_api",
        environment: "staging",
      },
    ],
  },
  Alertmanager: { body: prometheus, alerts: [fullDisk, lag] },
  Grafana: {
    body: { ...prometheus, version: "1", title: "[FIRING:1] DiskFull", state: "alerting" },
    alerts: [fullDisk, lag],
  },
  PagerDuty: {
    body: {
      event: {
        id: "5ac64822-4adc-4fda-ade0-410becf0de4f",
        event_type: "incident.triggered",
        resource_type: "incident",
        data: {
          id: "PGR0VU2",
          type: "incident",
          title: "Checkout is slow",
          status: "triggered",
          urgency: "high",
          priority: { id: "PSO75BM", type: "priority_reference", summary: "P1" },
          service: { id: "PF9KMXH", type: "service_reference", summary: "checkout_api" },
          teams: [{ id: "PFCVPS0", type: "team_reference", summary: "payments" }],
        },
      },
    },
    alerts: [
      {
        external_id: "PGR0VU2",
        title: "Checkout is slow",
        status: "triggered",
        service: "checkout_api",
        severity_raw: "P1",
        team: "payments",
      },
    ],
  },
  Sentry: {
    body: {
      action: "triggered",
      data: {
        event: {
          event_id: "e4874d664c3540c1a32eab185f12c5ab",
          issue_id: "1117540176",
          title: "TypeError: cart is undefined",
          culprit: "cart in total",
          level: "error",
          message: "",
          project: 1,
          tags: [
            ["environment", "production"],
            ["level", "error"],
          ],
          url: "https://sentry.example.com/api/0/projects/shop/checkout/events/e4874d664c3540c1a32eab185f12c5ab/",
        },
        triggered_rule: "New issue",
      },
    },
    alerts: [
      {
        external_id: "1117540176",
        title: "TypeError: cart is undefined",
        description: "cart in total",
        severity_raw: "error",
        environment: "production",
        service: "checkout",
      },
    ],
  },
};

/** The body that Datadog sends for the payload of the page. */
function payload(variables: Readonly<Record<string, string>>): Fields {
  const [, text = ""] = /^Datadog[\s\S]*?```json\n([\s\S]*?)```/m.exec(page) ?? [];
  return JSON.parse(text, (_name, value: Json) => (typeof value === "string" ? (variables[value] ?? null) : value));
}

/** The texts of an alert in the fields that routing knows. */
function known(alert: Fields): Fields {
  return Object.fromEntries(
    Object.entries(alert).filter(([name, value]) => ALERT_FIELDS.includes(name) && typeof value === "string"),
  );
}

test.each(Object.entries(WEBHOOKS))("the filter of the page makes these fields of a webhook of %s", (system, one) => {
  const alerts = filtered(system, one.body);
  expect(alerts.map(({ source }) => source)).toEqual(one.alerts.map(() => system));
  expect(alerts.map(known)).toEqual(one.alerts);
});

test.each(Object.entries(WEBHOOKS))(
  "the embedded service makes the same fields of a webhook of %s",
  async (system, one) => {
    const service = await openTestEmulator();
    const { body } = await service.send("POST", "/alert_sources", { name: system });
    expect((await service.send("POST", `/alerts/${body.slug}`, one.body)).status).toBe(201);
    const alerts = listOf(await service.control("GET", "/alerts"), "alerts");
    await service.close();
    // The project of Sentry is a name of the sender, which only the mapping of a source can make a service of the catalog.
    const expected = one.alerts.map(({ service: name, ...fields }) =>
      system === "Sentry" ? fields : { ...fields, service: name },
    );
    const made = alerts.map(({ fields }) => known(fieldsIn(fields)));
    expect(made).toEqual(expect.arrayContaining(expected.map((fields) => defined(fields))));
    expect(made).toHaveLength(expected.length);
  },
);

test("what lacks most of its parts is an alert too, and another event of PagerDuty is none", () => {
  expect(filtered("Sentry", { data: { event: { title: "x" } } }).map(known)).toEqual([{ title: "x" }]);
  const triggered = {
    event_type: "incident.triggered",
    data: { title: "x", priority: null, urgency: "low", teams: [] },
  };
  expect(filtered("PagerDuty", { event: triggered }).map(known)).toEqual([{ title: "x", severity_raw: "low" }]);
  expect(filtered("PagerDuty", { event: { ...triggered, event_type: "incident.acknowledged" } })).toEqual([]);
  expect(filtered("Alertmanager", { alerts: [{ labels: { alertname: "x" } }] }).map(known)).toEqual([{ title: "x" }]);
});
