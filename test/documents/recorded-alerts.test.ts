/** The filters of docs/recorded-alerts.md: what they make of the body of a webhook is what the service reads in it. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";

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
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const prometheus = {
  version: "4",
  status: "firing",
  receiver: "incidents",
  groupLabels: { alertname: "DiskFull" },
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

describe("the filter of the page makes fields of a webhook of", () => {
  test("Datadog", () => {
    const body = {
      id: "7512345678",
      title: "Payments fail",
      body: "37 %",
      priority: "P1",
      status: "Triggered",
      tags: "service:checkout_api,env:staging,team:payments,url:http://a:1",
    };
    expect(filtered("Datadog", body)).toEqual([
      {
        source: "Datadog",
        external_id: "7512345678",
        title: "Payments fail",
        description: "37 %",
        severity_raw: "P1",
        status: "Triggered",
        service: "checkout_api",
        team: "payments",
        environment: "staging",
      },
    ]);
  });

  test.each(["Alertmanager", "Grafana"])("%s", (system) => {
    expect(filtered(system, prometheus)).toEqual([
      {
        alertname: "DiskFull",
        service: "ledger_core",
        severity: "critical",
        env: "production",
        source: system,
        fingerprint: "c1a8e0f2b7d94e55",
        status: "firing",
        title: "Disk almost full",
        description: "4 % left",
        severity_raw: "critical",
        environment: "production",
      },
      expect.objectContaining({ source: system, title: "Lag", status: "resolved", severity_raw: null }),
    ]);
  });

  test("PagerDuty", () => {
    const body = {
      event: {
        event_type: "incident.triggered",
        data: {
          id: "PGR0VU2",
          title: "Checkout is slow",
          status: "triggered",
          urgency: "high",
          priority: { summary: "P1" },
          service: { summary: "checkout_api" },
          teams: [{ summary: "payments" }],
        },
      },
    };
    const shared = { source: "PagerDuty", external_id: "PGR0VU2", title: "Checkout is slow", status: "triggered" };
    expect(filtered("PagerDuty", body)).toEqual([
      { ...shared, service: "checkout_api", severity_raw: "P1", team: "payments" },
    ]);
  });

  test("Sentry", () => {
    const event = {
      issue_id: "1117540176",
      title: "TypeError",
      culprit: "cart in total",
      level: "error",
      environment: "production",
      project_name: "checkout",
    };
    expect(filtered("Sentry", { action: "triggered", data: { event } })).toEqual([
      {
        source: "Sentry",
        external_id: "1117540176",
        title: "TypeError",
        description: "cart in total",
        severity_raw: "error",
        environment: "production",
        service: "checkout",
      },
    ]);
  });
});
