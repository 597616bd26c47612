/** The rooms of the emulator, in the order in which a new workspace is seeded: one import and one line per room. */

import { accessTables } from "./access/principals.ts";
import { alertSources } from "./configuration/alert-sources.ts";
import { customFields } from "./configuration/custom-fields.ts";
import { forms } from "./configuration/forms.ts";
import { incidentRoles } from "./configuration/incident-roles.ts";
import { incidentTypes } from "./configuration/incident-types.ts";
import { severities } from "./configuration/severities.ts";
import { statuses } from "./configuration/statuses.ts";
import { webhooks } from "./configuration/webhooks.ts";
import { incidentRoom } from "./incidents/incidents.ts";
import { runbookAttachments } from "./incidents/runbook-attachments.ts";
import type { Room } from "./room.ts";

/** Every room, and first the tables that authentication itself reads. */
export const rooms: readonly Room[] = [
  { tables: accessTables, routes: [] },
  severities,
  statuses,
  incidentTypes,
  incidentRoles,
  customFields,
  forms,
  alertSources,
  webhooks,
  incidentRoom,
  runbookAttachments,
];
