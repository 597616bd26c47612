/** The table of refusals: every rule by which a service refuses to write configuration. */

import type { Refusal } from "./refusal.ts";
import { AGENT_FIELDS, GRANT_FIELDS, SERVICE_KEYS } from "./rows/access.ts";
import { ALERT_SOURCES } from "./rows/alert-sources.ts";
import { CATALOG_ENTRIES } from "./rows/catalog-entries.ts";
import { CATALOG_TYPES } from "./rows/catalog-types.ts";
import { CONDITION_VALUES } from "./rows/conditions.ts";
import { CUSTOM_FIELDS } from "./rows/custom-fields.ts";
import { FORM_FIELDS } from "./rows/forms.ts";
import { OPTION_LISTS } from "./rows/option-lists.ts";
import { ROUTING_RULES } from "./rows/routing-rules.ts";
import { RUNBOOK_FIELDS } from "./rows/runbooks.ts";
import { WEBHOOK_FIELDS } from "./rows/webhooks.ts";

/** The rules by the resources that they are about, in the order of the interface. */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  "Severities, statuses, incident types and incident roles": OPTION_LISTS,
  "Custom fields": CUSTOM_FIELDS,
  "Form fields": FORM_FIELDS,
  "Conditions of forms and runbooks": CONDITION_VALUES,
  Runbooks: RUNBOOK_FIELDS,
  "Catalog types": CATALOG_TYPES,
  "Catalog entries": CATALOG_ENTRIES,
  "Alert sources": ALERT_SOURCES,
  "Routing rules": ROUTING_RULES,
  Webhooks: WEBHOOK_FIELDS,
  "Service keys": SERVICE_KEYS,
  Agents: AGENT_FIELDS,
  Grants: GRANT_FIELDS,
};
