/** The rooms of the emulator, in the order in which a new workspace is seeded: one import and one line per room. */

import { accessTables } from "./access/principals.ts";
import { alertSources } from "./configuration/alert-sources.ts";
import { customFields } from "./configuration/custom-fields.ts";
import { forms } from "./configuration/forms.ts";
import { incidentRoles } from "./configuration/incident-roles.ts";
import { incidentTypes } from "./configuration/incident-types.ts";
import { routingRules } from "./configuration/routing-rules.ts";
import { severities } from "./configuration/severities.ts";
import { statuses } from "./configuration/statuses.ts";
import { webhooks } from "./configuration/webhooks.ts";
import { webhookDeliveries } from "./deliveries/delivery.ts";
import { incidentRoom } from "./incidents/incidents.ts";
import { runbookAttachments } from "./incidents/runbook-attachments.ts";
import { timeline } from "./incidents/timeline.ts";
import type { Room } from "./room.ts";
import { workspaceSettings } from "./workspace-settings.ts";

/** Every room, and first the tables that authentication itself reads. */
export const rooms: readonly Room[] = [
  { tables: accessTables, routes: [] },
  workspaceSettings,
  severities,
  statuses,
  incidentTypes,
  incidentRoles,
  customFields,
  forms,
  alertSources,
  routingRules,
  webhooks,
  webhookDeliveries,
  incidentRoom,
  timeline,
  runbookAttachments,
];
