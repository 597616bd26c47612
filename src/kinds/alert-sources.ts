/** Alert sources: known by name, addressed by an endpoint path that the service makes. */

import type { Kind } from "./kind.ts";

export const alertSources: Kind = {
  name: "alert_sources",
  title: "alert source",
  room: "alert-sources",
  source: "Configuration resources",
  key: ["name"],
  pin: "endpoint_path",
  collection: { path: "/alert_sources" },
  member: { path: "/alert_sources/{id}" },
  address: ["endpoint_path", "slug"],
  list: "alert_sources",
  item: "alert_source",
  disable: "enabled",
  required: ["name"],
  cascades: ["routing_rules"],
  fields: {
    provider: { only: "create" },
    enabled: { only: "update" },
  },
};
