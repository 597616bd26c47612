/** The registry: every kind, in the order in which plans show them. A new kind is its file and a line here. */

import { agents, grants } from "./agents.ts";
import { alertSources } from "./alert-sources.ts";
import { apiKeys } from "./api-keys.ts";
import { catalogEntries, catalogTypes } from "./catalog.ts";
import { customFields } from "./custom-fields.ts";
import { forms } from "./forms.ts";
import { incidentRoles } from "./incident-roles.ts";
import { incidentTypes } from "./incident-types.ts";
import type { Kind } from "./kind.ts";
import { routingRules } from "./routing-rules.ts";
import { runbooks } from "./runbooks.ts";
import { severities } from "./severities.ts";
import { statuses } from "./statuses.ts";
import { webhooks } from "./webhooks.ts";

/** Every kind of the interface's table of configuration resources, and the three nested ones. */
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
