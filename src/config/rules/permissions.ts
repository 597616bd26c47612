/** Permissions of service keys and abilities of agents: what can be granted at all. */

import type { Findings } from "../../core/findings.ts";
import { isFields } from "../../core/json.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Check } from "./rule.ts";

/** Only an admin's personal token reaches these. */
const NEVER_GRANTED: ReadonlySet<string> = new Set([
  "integrations",
  "api_keys",
  "permissions",
  "workspace",
  "ai_accounts",
]);

const KNOWN: ReadonlySet<string> = new Set([
  "incidents",
  "severities",
  "statuses",
  "incident_types",
  "incident_roles",
  "custom_fields",
  "forms",
  "catalog",
  "alerts",
  "policies",
  "runbooks",
  "approvals",
  "webhooks",
  "incident_transcripts",
  "investigations",
  "chats",
  "memory",
  "map",
  "handbook",
]);

/** What people call a resource whose permissions have another name. */
const ALIASES: Readonly<Record<string, string>> = {
  alert_sources: "alerts",
  routing_rules: "policies",
  routing: "policies",
  catalog_types: "catalog",
  transcripts: "incident_transcripts",
};

/** Holds the resources of a service key's permissions against those that can be granted. */
export const checkApiKey: Check = (entry, { findings }) => {
  const { permissions } = entry.fields;
  for (const resource of Object.keys(isFields(permissions) ? permissions : {})) {
    checkResource(resource, `/permissions/${resource}`, entry, findings);
  }
};

/** Holds an agent's ability against those that can be granted, and its end against the calendar. */
export const checkGrant: Check = (entry, { findings }) => {
  const { ability, expires_at } = entry.fields;
  if (typeof ability === "string") checkResource(ability.split(".")[0] ?? "", "/ability", entry, findings);
  if (typeof expires_at !== "string" || isMoment(expires_at)) return;
  findings.error("E_DATE", `"${expires_at}" is not a moment`, entry.place("/expires_at"), {
    help: "Write it like 2026-12-31T00:00:00Z, with the time zone.",
  });
};

/** Warns of an agent's slug that not every service takes. */
export const checkAgent: Check = ({ key, place }, { findings }) => {
  if (!key.includes("-")) return;
  findings.warning("W_AGENT_SLUG", `the service may refuse the hyphen in "${key}"`, place("/slug"), {
    help: "Underscores are always accepted.",
  });
};

function checkResource(resource: string, at: string, { place }: DeclaredResource, findings: Findings): void {
  if (NEVER_GRANTED.has(resource)) {
    findings.error("E_PERMISSION", `permissions on "${resource}" cannot be granted`, place(at), {
      help: "Only an admin's personal token has them.",
    });
  } else if (!KNOWN.has(resource)) {
    const called = ALIASES[resource];
    findings.warning("W_PERMISSION", `"${resource}" is not a known resource`, place(at), {
      help: called === undefined ? findings.guess(resource, KNOWN) : `Its permissions are called "${called}".`,
    });
  }
}

/** A day, or a time with its zone, that the calendar has. */
function isMoment(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  if (match === null || Number.isNaN(Date.parse(text))) return false;
  const [year, month, day] = match.slice(1, 4).map(Number);
  // Date.parse lets the 30th of February run over into March.
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
}
