/** The registry: every kind, in the order in which plans show them. A new kind is its file and a line here. */

import type { Kind } from "./model/kind.ts";
import { agents, grants } from "./rows/agents.ts";
import { alertSources } from "./rows/alert-sources.ts";
import { apiKeys } from "./rows/api-keys.ts";
import { catalogEntries, catalogTypes } from "./rows/catalog.ts";
import { customFields } from "./rows/custom-fields.ts";
import { forms } from "./rows/forms.ts";
import { incidentRoles } from "./rows/incident-roles.ts";
import { incidentTypes } from "./rows/incident-types.ts";
import { routingRules } from "./rows/routing-rules.ts";
import { runbooks } from "./rows/runbooks.ts";
import { severities } from "./rows/severities.ts";
import { statuses } from "./rows/statuses.ts";
import { webhooks } from "./rows/webhooks.ts";

/** Every kind of the interface's table of configuration resources, and the kinds nested in them. */
export const kinds: readonly Kind[] = [
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
];
