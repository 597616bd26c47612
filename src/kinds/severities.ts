/** Severities: ordered from the most severe, one of them the default. */

import type { Kind } from "./kind.ts";
import { asColor, asText } from "./same.ts";

export const severities: Kind = {
  name: "severities",
  title: "severity",
  room: "severities",
  source: "Severity",
  key: ["slug"],
  collection: { path: "/severities" },
  member: { path: "/severities/{id}" },
  address: ["slug"],
  list: "severities",
  item: "severity",
  slug: "option",
  order: "position",
  derives: "rank",
  required: ["name"],
  disable: "enabled",
  countedBy: "severity_id",
  fields: {
    default: { read: ["is_default", "default"] },
    color: { same: asColor },
    description: { same: asText },
  },
};
