/** B70 to B83: what an entry may state. */

import { fine, type Row, settings, severity, wrong } from "./row.ts";

const slug = (text: string): string => `severities:\n  - slug: ${text}\n`;
const declare = (fields: string): string => `forms:\n  declare:\n    - {${fields}}\n`;

export const FIELDS: readonly Row[] = [
  wrong("B70: a kind with a slip", "severites: []\n", "E_UNKNOWN_KEY"),
  wrong("B70: a kind in the singular", "severity: []\n", "E_UNKNOWN_KEY"),
  wrong("B70: a kind that lies in another", "grants: []\n", "E_UNKNOWN_KEY"),
  wrong("B70: a setting with a slip", settings("base_ulr: x\n"), "E_UNKNOWN_KEY"),
  wrong("B71: a field with a slip", severity("nmae: A"), "E_UNKNOWN_KEY"),
  wrong("B71: a field of a step with a slip", "runbooks:\n  - slug: a\n    steps: [{titel: x}]\n", "E_UNKNOWN_KEY"),
  wrong(
    "B71: a field of a condition with a slip",
    "routing_rules:\n  workspace:\n    - {conditions: [{field: a, operator: is_empty, vaule: x}], outcome: {action: drop}}\n",
    "E_UNKNOWN_KEY",
  ),
  ...["rank: 1", "id: x", "created_at: x", "updated_at: x", "last_used_at: x", "is_default: true", "priority: 1"].map(
    (field) => wrong(`B72: ${field}`, severity(field), "E_READONLY"),
  ),
  wrong("B72: granted_abilities: [x]", "agents:\n  - {slug: a, granted_abilities: [x]}\n", "E_READONLY"),
  wrong("B72: an id in extra", severity("extra: {id: x}"), "E_READONLY"),
  wrong("B72: tokens: [x]", "agents:\n  - {slug: a, tokens: [x]}\n", "E_SECRET_IN_CONFIG"),
  wrong("B72: token: x", "api_keys:\n  - {name: a, token: x}\n", "E_SECRET_IN_CONFIG"),
  // A name is required on create, and only the service knows what it has: found by the plan, which only reads.
  wrong("B73: a new severity without its name", "severities:\n  - {slug: brand_new}\n", "E_REQUIRED", { live: true }),
  wrong("B73: a new status without its stage", "statuses:\n  - {slug: fresh, name: x}\n", "E_REQUIRED", { live: true }),
  wrong("B74: no slug", "severities:\n  - name: A\n", "E_REQUIRED"),
  wrong("B74: a slug in capitals", slug("Critical"), "E_SLUG"),
  wrong("B74: a slug of two words", slug("very bad"), "E_SLUG"),
  wrong("B74: a slug of 300 characters", slug("a".repeat(300)), "E_SLUG"),
  wrong("B74: a slug that begins with a hyphen", slug("-a"), "E_SLUG"),
  ...["'.'", "'..'", "../api_keys/x", "a/b", "a?b", "a#b", "'%2e%2e'", "a%2fb", "a\\b", "''"].map((text) =>
    wrong(`B75: the slug ${text}`, slug(text), "E_SLUG"),
  ),
  ...["'..'", "a/b", "a%2fb", "''"].flatMap((text) => [
    wrong(`B75: the agent ${text}`, `agents:\n  - slug: ${text}\n`, "E_SLUG"),
    wrong(`B75: the catalog entry ${text}`, `catalog_types:\n  - slug: a\n    entries: [{slug: ${text}}]\n`, "E_SLUG"),
    wrong(`B75: a mention of ${text}`, declare(`custom_field: ${text}`), "E_SLUG"),
  ]),
  ...["../x", "a/b", "..", "a?b", "a#b", "a%2fb", ""].flatMap((text) => [
    wrong(`B76: the endpoint path "${text}"`, `alert_sources:\n  - {name: a, endpoint_path: "${text}"}\n`, "E_PIN"),
    wrong(`B76: the id "${text}"`, `webhooks:\n  - {name: a, id: "${text}"}\n`, "E_PIN"),
    wrong(`B76: the prefix "${text}"`, `api_keys:\n  - {name: a, prefix: "${text}"}\n`, "E_PIN"),
  ]),
  wrong(
    "B77: a runbook's slug that looks like an id",
    "runbooks:\n  - slug: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\n",
    "E_SLUG",
  ),
  // The contract has no positions: the order of the list is the order.
  wrong(
    "B78: two with one position",
    "severities:\n  - {slug: a, position: 1}\n  - {slug: b, position: 1}\n",
    "E_READONLY",
  ),
  wrong("B78: a gap", "severities:\n  - {slug: a, position: 1}\n  - {slug: b, position: 5}\n", "E_READONLY"),
  wrong("B78: beyond the end", severity("position: 99"), "E_READONLY"),
  wrong("B79: two defaults", "severities:\n  - {slug: a, default: true}\n  - {slug: b, default: true}\n", "E_DEFAULT"),
  wrong("B79: a disabled default", severity("default: true, enabled: false"), "E_DEFAULT"),
  wrong(
    "B79: a default that ends incidents",
    "statuses:\n  - {slug: a, lifecycle_stage: closed, default: true}\n",
    "E_DEFAULT",
  ),
  // "At most one" in the contract: none is worth a warning.
  fine("B79: no default", "severities:\n  - {slug: a}\n", "A002"),
  wrong("B80: a fifth form", "forms:\n  archive: []\n", "E_UNKNOWN_KEY"),
  wrong("B80: a form with a slip", "forms:\n  declair: []\n", "E_UNKNOWN_KEY"),
  wrong("B81: a hidden severity", declare("system_field: severity, visible: false"), "E_FORM_SYSTEM_FIELD"),
  wrong(
    "B81: an optional status",
    "forms:\n  cancel:\n    - {system_field: status, required: false}\n",
    "E_FORM_SYSTEM_FIELD",
  ),
  wrong("B82: a form field with two names", declare("system_field: name, custom_field: a"), "E_XOR"),
  wrong("B82: a form field without a name", declare("visible: true"), "E_XOR"),
  wrong(
    "B83: a required field that is hidden",
    declare("system_field: name, visible: false, required: true"),
    "E_FORM_UNDECLARABLE",
  ),
];
