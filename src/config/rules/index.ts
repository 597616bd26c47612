/** The rules of each kind beyond its schema. */

import { checkAlertSource } from "./alert-sources.ts";
import { checkCatalogEntry, checkCatalogType } from "./catalog.ts";
import { checkCustomField } from "./custom-fields.ts";
import { checkFormField } from "./forms.ts";
import { checkAgent, checkApiKey, checkGrant } from "./permissions.ts";
import { checkRoutingRule } from "./routing-rules.ts";
import type { ResourceRule } from "./rule.ts";
import { checkRunbook } from "./runbooks.ts";
import { checkStatus } from "./statuses.ts";
import { checkWebhook } from "./webhooks.ts";

/** The rules by the name of the kind. */
export const checks: Readonly<Record<string, ResourceRule>> = {
  statuses: checkStatus,
  custom_fields: checkCustomField,
  forms: checkFormField,
  runbooks: checkRunbook,
  catalog_types: checkCatalogType,
  catalog_entries: checkCatalogEntry,
  alert_sources: checkAlertSource,
  routing_rules: checkRoutingRule,
  webhooks: checkWebhook,
  api_keys: checkApiKey,
  agents: checkAgent,
  grants: checkGrant,
};
