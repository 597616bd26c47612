/** Refusals of alert sources. */

import type { Fields } from "../../../src/core/json.ts";
import type { Refusal, Request } from "../refusal.ts";

const SOURCES = "wire 2.9";
const source = (name: string): Request => ["POST", "/alert_sources", { name }];
const _rule = (more: Fields): Request => ["POST", "/routing_rules", { outcome: { action: "drop" }, ...more }];
const workspace = (fields: string): string =>
  `routing_rules:\n  workspace:\n    - name: first\n      ${fields} # here\n`;
const _outcome = (fields: string): string => workspace(`outcome: { ${fields} }`);

export const ALERT_SOURCES: readonly Refusal[] = [
  {
    rule: "An alert source has a name.",
    source: SOURCES,
    files: "alert_sources:\n  - { provider: datadog } # here\n",
    address: "alert_sources",
    request: ["POST", "/alert_sources", { provider: "datadog" }],
    status: 400,
    reason: "name",
    caught: "validate",
    code: "E_REQUIRED",
  },
  {
    rule: "The name of an alert source is not blank.",
    source: SOURCES,
    files: 'alert_sources:\n  - { name: " " } # here\n',
    address: "alert_sources",
    request: source(" "),
    status: 422,
    reason: "name can't be blank",
    caught: "validate",
    code: "E_NAME",
  },
  {
    rule: "No two alert sources have one name.",
    source: SOURCES,
    files: "alert_sources:\n  - { name: Datadog }\n  - { name: Datadog } # here\n",
    address: "alert_sources/Datadog",
    live: { first: source("Datadog") },
    request: source("Datadog"),
    status: 422,
    reason: "name has already been taken",
    caught: "validate",
    code: "E_DUP_OBJECT",
  },
  {
    rule: "No two alert sources have one name, and blanks at the ends of a name do not count.",
    source: SOURCES,
    files: 'alert_sources:\n  - { name: Datadog }\n  - { name: "Datadog " } # here\n',
    address: "alert_sources/Datadog ",
    live: { first: source("Datadog") },
    request: source("Datadog "),
    status: 422,
    reason: "name has already been taken",
    caught: "validate",
    code: "E_NAME",
  },
  {
    rule: "No two alert sources have one name, pinned ones included.",
    source: SOURCES,
    files:
      "alert_sources:\n  - { name: Datadog, endpoint_path: '{first.slug}' }\n  - { name: Datadog, endpoint_path: '{second.slug}' } # here\n",
    address: "alert_sources/Datadog",
    live: { first: source("Datadog"), second: source("Grafana") },
    request: ["PATCH", "/alert_sources/{second.slug}", { name: "Datadog" }],
    status: 422,
    reason: "name has already been taken",
    caught: "validate",
    code: "E_DUP_OBJECT",
  },
  {
    rule: "An alert source does not take the name of another live one.",
    source: SOURCES,
    files: "alert_sources:\n  - { name: Datadog, endpoint_path: '{second.slug}' } # here\n",
    address: "alert_sources/Datadog",
    live: { first: source("Datadog"), second: source("Grafana") },
    request: ["PATCH", "/alert_sources/{second.slug}", { name: "Datadog" }],
    status: 422,
    reason: "name has already been taken",
    caught: "plan",
    code: "E_NAME_TAKEN",
  },
  {
    rule: "The provider of an alert source is one that the service knows.",
    source: SOURCES,
    files: "alert_sources:\n  - { name: Nagios, provider: nagios } # here\n",
    address: "alert_sources/Nagios",
    request: ["POST", "/alert_sources", { name: "Nagios", provider: "nagios" }],
    status: 422,
    reason: "provider must be one of",
    caught: "service",
    code: "W_PROVIDER",
    why: "The interface does not list the providers; those of a service differ from build to build.",
  },
];
