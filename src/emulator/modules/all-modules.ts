/** All modules, in the order in which they fill a new workspace. */

import type { ServiceModule } from "../service/module.ts";
import { agents } from "./access/agents.ts";
import { apiKeys } from "./access/api-keys.ts";
import { grantable, grants } from "./access/grants.ts";
import { permissionSets } from "./access/permission-sets.ts";
import { tokens } from "./access/tokens.ts";
import { catalogEntries } from "./catalog/catalog-entries.ts";
import { catalogTypes } from "./catalog/catalog-types.ts";
import { transcript } from "./chat/transcript.ts";
import { customFields } from "./custom-fields/custom-fields.ts";
import { forms } from "./forms/forms.ts";
import { incidentModule } from "./incidents/incidents.ts";
import { linkModule } from "./incidents/links.ts";
import { timeline } from "./incidents/timeline.ts";
import { optionLists } from "./option-lists/option-lists.ts";
import { members } from "./people.ts";
import { postmortemModule } from "./postmortems/postmortems.ts";
import { actionItemModule } from "./responders/action-items.ts";
import { escalationModule } from "./responders/escalations.ts";
import { participantModule } from "./responders/participants.ts";
import { alertIngest } from "./routing/alert-ingest.ts";
import { alertSources } from "./routing/alert-sources.ts";
import { routingDryRun } from "./routing/evaluation.ts";
import { routingRules } from "./routing/routing-rules.ts";
import { runbookAttachments } from "./runbooks/runbook-attachments.ts";
import { runbooks } from "./runbooks/runbooks.ts";
import { webhookDeliveries } from "./webhooks/delivery.ts";
import { webhooks } from "./webhooks/webhooks.ts";
import { workspaceSettings } from "./workspace-settings.ts";

export const allModules: readonly ServiceModule[] = [
  { tables: [members], endpoints: [] },
  workspaceSettings,
  ...optionLists,
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
  { tables: [tokens], endpoints: [] },
  grantable,
  webhookDeliveries,
  incidentModule,
  timeline,
  transcript,
  actionItemModule,
  escalationModule,
  participantModule,
  linkModule,
  runbookAttachments,
  postmortemModule,
  routingDryRun,
  alertIngest,
];
