/** Incident roles: an option list without colors or default. The Incident Lead always exists. */

import { objectSchema, present } from "../../http/response-schema.ts";
import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionListModule, optionProperties, optionTable } from "./option-list.ts";

/** The incident roles. */
export const incidentRoleTable: Table<OptionRow> = optionTable("incident_roles");

const lead = "incident_lead";

const incidentRole = objectSchema("IncidentRole", optionProperties);

/** The module of /api/v1/incident_roles. */
export const incidentRoles: ServiceModule = optionListModule({
  path: "incident_roles",
  singular: "incident_role",
  table: incidentRoleTable,
  names: ["IncidentRoles", "IncidentRole"],
  schema: incidentRole,
  present: (row) => present(incidentRole, row),
  builtInSlug: lead,
  protectionReason: ({ name, slug }, _rows, verb) =>
    slug === lead ? `${name} is built in and cannot be ${verb}.` : undefined,
  defaultReason: () => undefined,
  initialEntries: [{ name: "Incident Lead", position: 1 }],
});
