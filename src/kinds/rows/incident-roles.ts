/** Incident roles: an ordered list; the lead role is built in. */

import type { Kind } from "../model/kind.ts";
import { optionList } from "./option-list.ts";

export const incidentRoles: Kind = optionList({
  name: "incident_roles",
  title: "incident role",
  lifecycle: {
    builtins: { keys: ["incident_lead"], matches: (row) => row.slug === "incident_lead" },
  },
  references: { incidentsUnknown: true },
});
