/** Severities: ordered from the most severe, one of them the default. */

import type { Kind } from "../model/kind.ts";
import { equalColors, equalTexts } from "../values/equality.ts";

export const severities: Kind = {
  name: "severities",
  title: "severity",
  module: "severities",
  source: "Severity",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "option" },
  endpoint: {
    list: { path: "/severities" },
    member: { path: "/severities/{id}" },
    envelope: { list: "severities", item: "severity" },
  },
  lifecycle: {
    order: "position",
    derivedFromPosition: "rank",
    required: ["name"],
    disable: "enabled",
    exclusive: "default",
  },
  references: { countedBy: "severity_id" },
  fields: {
    default: { wireNames: ["is_default", "default"] },
    color: { equals: equalColors },
    description: { equals: equalTexts },
  },
};
