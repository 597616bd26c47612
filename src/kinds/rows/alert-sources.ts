/** Alert sources: known by name, addressed by an endpoint path that the service makes. */

import type { Kind } from "../model/kind.ts";

/** Providers that some service is known to accept. */
export const PROVIDERS: readonly string[] = ["generic", "alertmanager", "datadog", "grafana", "northflank"];

export const alertSources: Kind = {
  name: "alert_sources",
  title: "alert source",
  module: "alert-sources",
  source: "Configuration resources",
  identity: { keys: ["name"], pin: "endpoint_path", idFields: ["endpoint_path", "slug"] },
  endpoint: {
    list: { path: "/alert_sources" },
    member: { path: "/alert_sources/{id}" },
    envelope: { list: "alert_sources", item: "alert_source" },
    permission: "alerts",
  },
  lifecycle: { disable: "enabled", required: ["name"] },
  references: { cascades: ["routing_rules"] },
  fields: {
    provider: { writtenBy: "create", knownValues: () => PROVIDERS },
    enabled: { writtenBy: "update" },
  },
};
