/** Incident roles: a list without color or default, in which the Incident Lead cannot be absent. */

import type { Table } from "../../store/table.ts";
import type { Room } from "../room.ts";
import { type OptionRow, optionListRoom, optionTable } from "./option-list.ts";

/** The incident roles. */
export const incidentRoleTable: Table<OptionRow> = optionTable("incident_roles");

const lead = "incident_lead";

/** The room of /api/v1/incident_roles. */
export const incidentRoles: Room = optionListRoom({
  path: "incident_roles",
  entry: "incident_role",
  table: incidentRoleTable,
  colored: false,
  hasDefault: false,
  staged: false,
  builtIn: lead,
  extras: () => ({}),
  refusal: ({ name, slug }, _rows, verb) => (slug === lead ? `${name} is built in and cannot be ${verb}.` : undefined),
  defaultRefusal: () => undefined,
  seeded: [{ name: "Incident Lead", position: 1 }],
});
