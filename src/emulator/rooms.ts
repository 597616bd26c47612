/** The rooms of the emulator, in the order in which a new workspace is seeded: one import and one line per room. */

import { agents } from "./access/agents.ts";
import { apiKeys } from "./access/api-keys.ts";
import { grants } from "./access/grants.ts";
import { permissionSets } from "./access/permission-sets.ts";
import { accessTables } from "./access/principals.ts";
import { catalogEntries } from "./catalog/catalog-entries.ts";
import { catalogTypes } from "./catalog/catalog-types.ts";
import { alertSources } from "./configuration/alert-sources.ts";
import { customFields } from "./configuration/custom-fields.ts";
import { forms } from "./configuration/forms.ts";
import { incidentRoles } from "./configuration/incident-roles.ts";
import { incidentTypes } from "./configuration/incident-types.ts";
import { routingRules } from "./configuration/routing-rules.ts";
import { runbooks } from "./configuration/runbooks.ts";
import { severities } from "./configuration/severities.ts";
import { statuses } from "./configuration/statuses.ts";
import { webhooks } from "./configuration/webhooks.ts";
import { webhookDeliveries } from "./deliveries/delivery.ts";
import { actionItemRoom } from "./incidents/action-items.ts";
import { escalationRoom } from "./incidents/escalations.ts";
import { incidentRoom } from "./incidents/incidents.ts";
import { linkRoom } from "./incidents/links.ts";
import { participantRoom } from "./incidents/participants.ts";
import { postmortemRoom } from "./incidents/postmortem.ts";
import { runbookAttachments } from "./incidents/runbook-attachments.ts";
import { runbookClaims } from "./incidents/runbook-claims.ts";
import { timeline } from "./incidents/timeline.ts";
import { transcript } from "./incidents/transcript.ts";
import type { Room } from "./room.ts";
import { routingDryRun } from "./routing/dry-run.ts";
import { alertIngest } from "./routing/ingest.ts";
import { workspaceSettings } from "./workspace-settings.ts";

/** Every room, and first the tables that authentication itself reads. */
export const rooms: readonly Room[] = [
  { tables: accessTables, routes: [] },
  workspaceSettings,
  severities,
  statuses,
  incidentTypes,
  incidentRoles,
  catalogTypes,
  catalogEntries,
  customFields,
  forms,
  runbooks,
  alertSources,
  routingRules,
  webhooks,
  apiKeys,
  agents,
  grants,
  permissionSets,
  webhookDeliveries,
  incidentRoom,
  timeline,
  transcript,
  actionItemRoom,
  escalationRoom,
  participantRoom,
  linkRoom,
  runbookAttachments,
  runbookClaims,
  postmortemRoom,
  routingDryRun,
  alertIngest,
];
