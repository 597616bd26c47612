/** Incident roles: an ordered list; the lead role is built in. */

import type { Kind } from "./kind.ts";
import { asText } from "./same.ts";

export const incidentRoles: Kind = {
  name: "incident_roles",
  title: "incident role",
  room: "incident-roles",
  source: "Configuration resources",
  key: ["slug"],
  collection: { path: "/incident_roles" },
  member: { path: "/incident_roles/{id}" },
  address: ["slug"],
  list: "incident_roles",
  item: "incident_role",
  slug: "option",
  order: "position",
  required: ["name"],
  disable: "enabled",
  builtin: (row) => row.slug === "incident_lead",
  builtins: ["incident_lead"],
  fields: { description: { same: asText } },
};
