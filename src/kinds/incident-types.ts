/** Incident types: an ordered list that responders choose from. */

import type { Kind } from "./kind.ts";
import { asColor, asText } from "./same.ts";

export const incidentTypes: Kind = {
  name: "incident_types",
  title: "incident type",
  room: "incident-types",
  source: "Configuration resources",
  key: ["slug"],
  collection: { path: "/incident_types" },
  member: { path: "/incident_types/{id}" },
  address: ["slug"],
  list: "incident_types",
  item: "incident_type",
  slug: "option",
  order: "position",
  required: ["name"],
  disable: "enabled",
  fields: { color: { same: asColor }, description: { same: asText } },
};
