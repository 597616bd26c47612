/** The table of refusals: every rule by which a service refuses to write configuration. */

import { AGENT_FIELDS, GRANT_FIELDS, SERVICE_KEYS } from "./access.ts";
import { ALERT_SOURCES } from "./alert-sources.ts";
import { CATALOG_ENTRIES } from "./catalog-entries.ts";
import { CATALOG_TYPES } from "./catalog-types.ts";
import { CONDITION_VALUES } from "./conditions.ts";
import { CUSTOM_FIELDS } from "./custom-fields.ts";
import { FORM_FIELDS } from "./forms.ts";
import { OPTION_LISTS } from "./option-lists.ts";
import type { Refusal } from "./refusal.ts";
import { ROUTING_RULES } from "./routing-rules.ts";
import { RUNBOOK_FIELDS } from "./runbooks.ts";
import { WEBHOOK_FIELDS } from "./webhooks.ts";

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
