/** Incident types: an ordered list that responders choose from. */

import type { Kind } from "../model/kind.ts";
import { equalColors, equalTexts } from "../values/equality.ts";

export const incidentTypes: Kind = {
  name: "incident_types",
  title: "incident type",
  module: "incident-types",
  source: "Configuration resources",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "option" },
  endpoint: {
    list: { path: "/incident_types" },
    member: { path: "/incident_types/{id}" },
    envelope: { list: "incident_types", item: "incident_type" },
  },
  lifecycle: { order: "position", required: ["name"], disable: "enabled" },
  references: { namedIn: "type" },
  fields: { color: { equals: equalColors }, description: { equals: equalTexts } },
};
