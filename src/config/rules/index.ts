/** The rules of each kind beyond its schema. */

import { PROVIDERS } from "../../kinds/rows/alert-sources.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { checkCatalogEntry, checkCatalogType } from "./catalog.ts";
import { checkCustomField } from "./custom-fields.ts";
import { checkFormField, checkRunbook } from "./forms-and-runbooks.ts";
import { checkAgent, checkApiKey, checkGrant } from "./permissions.ts";
import { checkRoutingRule } from "./routing-rules.ts";
import { type CheckedConfiguration, checkContext, type ResourceRule } from "./rule.ts";
import { checkWebhook } from "./webhooks.ts";

/** Only a status of a live stage can be the default: an incident cannot begin with a closed one. */
const checkStatus: ResourceRule = ({ fields, address }, { error }) => {
  const { default: isDefault, lifecycle_stage: stage } = fields;
  if (isDefault !== true || (stage !== "closed" && stage !== "canceled")) return;
  error("E_DEFAULT", `${address} is the default, but its stage is ${stage}`, "/default", {
    help: "Only a status of the stage triage or active can be the default.",
  });
};

/** Warns of a provider that no service is known to accept. */
const checkAlertSource: ResourceRule = ({ fields: { provider } }, { warning, findings }) => {
  if (typeof provider !== "string" || PROVIDERS.includes(provider)) return;
  warning("W_PROVIDER", `"${provider}" is not a known provider, so the service may refuse it`, "/provider", {
    help: findings.allowed(provider, PROVIDERS),
  });
};

/** The rules by the name of the kind. */
const RULES: Readonly<Record<string, ResourceRule>> = {
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

/** Checks a resource by the rule of its kind, if there is one. */
export function checkRules(resource: DeclaredResource, input: CheckedConfiguration): void {
  RULES[resource.kind.name]?.(resource, checkContext(resource, input));
}
