/** Incident roles: an option list without colors or default. The Incident Lead always exists. */

import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionListModule, optionTable } from "./option-list.ts";

/** The incident roles. */
export const incidentRoleTable: Table<OptionRow> = optionTable("incident_roles");

const lead = "incident_lead";

/** The module of /api/v1/incident_roles. */
export const incidentRoles: ServiceModule = optionListModule({
  title: "IncidentRole",
  path: "incident_roles",
  table: incidentRoleTable,
  own: {},
  builtInSlug: lead,
  protectionReason: ({ name, slug }, _rows, verb) =>
    slug === lead ? `${name} is built in and cannot be ${verb}.` : undefined,
  initialEntries: [{ name: "Incident Lead", position: 1 }],
});
