/** Resources for the emulator's pages: some of every kind that they show, with texts that would be markup if they were not escaped. */

import { isFields, isList, type Json } from "../../src/core/json.ts";
import type { EmulatorProcess } from "./emulator-process.ts";

/** A text that runs a script and breaks out of attributes, unless it is escaped. */
const markup = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

/** Names of resources that {@link fillWorkspace} creates. */
export interface Workspace {
  readonly severityId: string;
  readonly webhookId: string;
  readonly sourceSlug: string;
}

/** Creates a custom field that the declare form asks by severity, a source with rules, a webhook, a runbook, an agent and an alert. */
export async function fillWorkspace({ send }: EmulatorProcess, hook = "http://127.0.0.1:9/hook"): Promise<Workspace> {
  const severityId = idIn(itemsOf((await send("GET", "/severities")).severities)[0]);
  await send("POST", "/custom_fields", {
    ...{ name: "Region", field_type: "single_select", option_source: "fixed", options: ["Europe", `Asia ${markup}`] },
    description: `Where customers notice it ${markup}`,
  });
  const critical = { condition_field: "severity", operator: "one_of", values: ["critical"] };
  await send("PATCH", "/forms/declare", { custom_field: "region", required: true, conditions: [critical] });
  await send("POST", "/runbooks", {
    name: `Fail over ${markup}`,
    summary: "Moves traffic away",
    conditions: [critical],
  });
  await send("POST", "/catalog/types/service/entries", { name: `Checkout ${markup}` });
  await send("POST", "/agents", { name: `Deploys ${markup}` });
  const source = await send("POST", "/alert_sources", { name: `Grafana ${markup}` });
  const slug = String(isFields(source.alert_source) ? source.alert_source.slug : source.slug);
  const outcomes: readonly (readonly [field: string, value: string, outcome: { [name: string]: Json }])[] = [
    ["title", "[test]", { action: "drop" }],
    ["service", "checkout", { action: "auto_create_incident", severity_id: severityId }],
  ];
  for (const [field, value, outcome] of outcomes) {
    await send("POST", "/routing_rules", { conditions: [{ field, operator: "contains", value }], outcome });
  }
  const everything = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
  await send("POST", "/routing_rules", { conditions: [], outcome: everything });
  const events = { subscribed_events: ["incident.created"] };
  const webhook = await send("POST", "/webhooks", { name: `Status page ${markup}`, url: hook, ...events });
  await send("POST", `/alerts/${slug}`, { title: `Slow ${markup}`, service: "search" });
  await send("POST", "/incidents", {
    ...{ idempotency_key: "k1", name: `Checkout fails ${markup}`, summary: markup, severity_id: severityId },
    ...{ source: markup, custom_fields: { region: "Europe" } },
  });
  return { severityId, webhookId: idIn(webhook), sourceSlug: slug };
}

function itemsOf(list: Json | undefined): readonly Json[] {
  return isList(list) ? list : [];
}

function idIn(item: Json | undefined): string {
  if (isFields(item) && typeof item.id === "string") return item.id;
  throw new Error(`no id in ${JSON.stringify(item)}`);
}
