/** Incident types: an option list with colors and without a default. */

import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionListModule, optionTable } from "./option-list.ts";

/** The incident types. */
export const incidentTypeTable: Table<OptionRow> = optionTable("incident_types");

/** The module of /api/v1/incident_types. */
export const incidentTypes: ServiceModule = optionListModule({
  title: "IncidentType",
  path: "incident_types",
  table: incidentTypeTable,
  own: { color: true },
  initialEntries: [
    { name: "Service Outage", position: 1 },
    { name: "Performance Degradation", position: 2 },
    { name: "Security Incident", position: 3 },
    { name: "Data Issue", position: 4 },
  ],
});
