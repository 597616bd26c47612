/** Agents, born without abilities, and the grants that give them some. */

import type { Kind } from "./kind.ts";
import { asInstant, asSet, asText, sorted } from "./same.ts";

export const agents: Kind = {
  name: "agents",
  title: "agent",
  room: "agents",
  source: "Agent",
  key: ["slug"],
  collection: { path: "/agents" },
  member: { path: "/agents/{id}" },
  address: ["slug"],
  list: "agents",
  item: "agent",
  admin: true,
  slug: "sent",
  disable: "enabled",
  required: ["name"],
  reveals: "token",
  tokens: { rotate: "/agents/{id}/rotate", end: "/agents/{id}/tokens/{prefix}", list: "tokens" },
  cascades: ["grants"],
  fields: {
    description: { same: asText },
    enabled: { only: "update" },
  },
};

export const grants: Kind = {
  name: "grants",
  title: "grant",
  room: "agents",
  source: "Reference data and configuration",
  layout: { within: "agents", field: "grants" },
  key: ["ability", "permission_set"],
  collection: { path: "/grants", query: { principal_kind: "agent", principal_id: "{parent}" } },
  creation: { path: "/grants" },
  member: { path: "/grants/{id}" },
  address: ["id"],
  list: "grants",
  item: "grant",
  admin: true,
  part: true,
  after: ["agents", "catalog_entries"],
  fields: {
    environments: { same: asSet, inOrder: sorted },
    expires_at: { same: asInstant },
  },
  owner: (names, scope) => ({ principal_kind: "agent", principal_id: names.id("agents", scope) }),
  references: (fields) =>
    (Array.isArray(fields.environments) ? fields.environments : []).map((slug, index) => ({
      at: `/environments/${index}`,
      kind: "catalog_entries",
      scope: "environment",
      key: String(slug),
    })),
};
