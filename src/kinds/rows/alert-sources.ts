/** Alert sources: known by name, addressed by an endpoint path that the service makes. */

import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";

/** Providers that some service is known to accept. */
export const PROVIDERS: readonly string[] = ["generic", "alertmanager", "datadog", "grafana", "northflank"];

export const alertSources: Kind = defineKind({
  name: "alert_sources",
  title: "alert source",
  identity: { keys: ["name"], pin: "endpoint_path", stable: ["provider"], idFields: ["endpoint_path", "slug"] },
  endpoint: {
    permission: "alerts",
  },
  lifecycle: { disable: "enabled", calledByOthers: ["endpoint_path", "slug"], required: ["name"] },
  references: { cascades: ["routing_rules"] },
  fields: {
    provider: { writtenBy: "create", creationDefault: "generic", knownValues: () => PROVIDERS },
    enabled: { writtenBy: "update" },
  },
});
