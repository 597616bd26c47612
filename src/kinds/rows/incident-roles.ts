/** Incident roles: an ordered list; the lead role is built in. */

import type { Kind } from "../model/kind.ts";
import { equalTexts } from "../values/equality.ts";

export const incidentRoles: Kind = {
  name: "incident_roles",
  title: "incident role",
  module: "incident-roles",
  source: "Configuration resources",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "option" },
  endpoint: {
    list: { path: "/incident_roles" },
    member: { path: "/incident_roles/{id}" },
    envelope: { list: "incident_roles", item: "incident_role" },
  },
  lifecycle: {
    order: "position",
    required: ["name"],
    disable: "enabled",
    builtins: { keys: ["incident_lead"], matches: (row) => row.slug === "incident_lead" },
  },
  references: { usedUnseen: true },
  fields: { description: { equals: equalTexts } },
};
