/** Agents, born without abilities, and the grants that give them some. */

import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import { equalInstants, equalSets, equalTexts, isBlank, sortAsSet } from "../values/equality.ts";
import { grantableAbilities } from "./permissions.ts";

export const agents: Kind = defineKind({
  name: "agents",
  title: "agent",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "sent" },
  endpoint: {
    admin: true,
    permission: "permissions",
  },
  lifecycle: {
    disable: "enabled",
    calledByOthers: [],
    required: ["name"],
    secret: {
      field: "token",
      tokens: { rotate: "/agents/{id}/rotate", end: "/agents/{id}/tokens/{prefix}", list: "tokens" },
    },
  },
  references: { cascades: ["grants"] },
  fields: {
    description: { equals: equalTexts },
    enabled: { writtenBy: "update" },
  },
});

/** An environment of a grant without access whose environments are not returned: no list of them is for all. No slug is like it. */
const DELETED = "(deleted)";

export const grants: Kind = defineKind({
  name: "grants",
  title: "grant",
  module: "agents",
  parent: { kind: "agents", field: "grants" },
  identity: { keys: ["ability", "permission_set"], idFields: ["id"] },
  endpoint: {
    list: { path: "/grants", query: { principal_kind: "agent", principal_id: "{parent}" } },
    create: { path: "/grants" },
    admin: true,
    permission: "permissions",
  },
  lifecycle: { ownedByParent: true },
  references: {
    dependsOn: ["agents", "catalog_entries"],
    onlyIn: { catalog_entries: "environment" },
    of: () => (fields) =>
      (Array.isArray(fields.environments) ? fields.environments : []).map((slug, index) => ({
        at: `/environments/${index}`,
        kind: "catalog_entries",
        scope: "environment",
        key: String(slug),
      })),
  },
  reviewReason: ({ isNew }) => (isNew ? "the agent gains this ability" : undefined),
  codec: {
    parentFields: (lookup, scope) => ({ principal_kind: "agent", principal_id: lookup.id("agents", scope) }),
    decode: () => (row) =>
      row.no_access === true && isBlank(row.environments ?? null) ? { ...row, environments: [DELETED] } : row,
  },
  fields: {
    ability: { knownValues: grantableAbilities },
    environments: { equals: equalSets, canonical: sortAsSet, limits: true },
    expires_at: { equals: equalInstants, inFuture: true },
  },
});
