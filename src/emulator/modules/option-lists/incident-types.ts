/** Incident types: an option list with colors and without a default. */

import { objectSchema, present } from "../../http/response-schema.ts";
import type { ServiceModule } from "../../service/module.ts";
import type { Table } from "../../store/table.ts";
import { type OptionRow, optionColor, optionListModule, optionProperties, optionTable } from "./option-list.ts";

/** The incident types. */
export const incidentTypeTable: Table<OptionRow> = optionTable("incident_types");

const incidentType = objectSchema("IncidentType", { ...optionProperties, color: optionColor });

/** The module of /api/v1/incident_types. */
export const incidentTypes: ServiceModule = optionListModule({
  path: "incident_types",
  singular: "incident_type",
  table: incidentTypeTable,
  names: ["IncidentTypes", "IncidentType"],
  schema: incidentType,
  present: (row) => present(incidentType, row),
  builtInSlug: undefined,
  protectionReason: () => undefined,
  defaultReason: () => undefined,
  initialEntries: [
    { name: "Service Outage", position: 1 },
    { name: "Performance Degradation", position: 2 },
    { name: "Security Incident", position: 3 },
    { name: "Data Issue", position: 4 },
  ],
});
