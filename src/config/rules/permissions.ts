/** Rules of permissions of service keys and abilities of agents: only some can be granted. */

import { isDay } from "../../core/clock.ts";
import type { Findings } from "../../core/findings.ts";
import { isFields } from "../../core/json.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import { type ResourceRule, textsOf } from "./rule.ts";

/** Resources that only an admin's personal token can access. */
const NEVER_GRANTED: ReadonlySet<string> = new Set([
  "integrations",
  "api_keys",
  "permissions",
  "workspace",
  "ai_accounts",
]);

/** The actions on every resource. */
const ACTIONS: readonly string[] = ["read", "create", "update", "delete"];

/** Resources with fewer actions. */
const FEWER_ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([["map", ["read"]]]);

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

/** Other names of resources → the name in permissions. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["alert_sources", "alerts"],
  ["routing_rules", "policies"],
  ["routing", "policies"],
  ["catalog_types", "catalog"],
  ["transcripts", "incident_transcripts"],
]);

/** Checks the permissions of a service key. */
export const checkApiKey: ResourceRule = (apiKey, { findings }) => {
  const { permissions } = apiKey.fields;
  for (const [resource, actions] of Object.entries(isFields(permissions) ? permissions : {})) {
    const at = `/permissions/${resource}`;
    checkResource(resource, at, apiKey, findings);
    for (const [index, action] of textsOf(actions).entries()) {
      checkAction(resource, action, `${at}/${index}`, apiKey, findings);
    }
  }
};

/** Checks the ability and the expiry date of a grant. */
export const checkGrant: ResourceRule = (grant, { findings }) => {
  const { ability, expires_at } = grant.fields;
  if (typeof ability === "string") {
    const [resource = "", action = ""] = ability.split(".");
    checkResource(resource, "/ability", grant, findings);
    checkAction(resource, action, "/ability", grant, findings);
  }
  if (typeof expires_at !== "string" || isMoment(expires_at)) return;
  findings.error("E_DATE", `"${expires_at}" is not a date and time`, grant.place("/expires_at"), {
    help: "Write it like 2026-12-31T00:00:00Z, with the time zone.",
  });
};

/** Warns of a hyphen in the slug of an agent. */
export const checkAgent: ResourceRule = ({ key, place }, { findings }) => {
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
    const name = ALIASES.get(resource);
    findings.warning("W_PERMISSION", `"${resource}" is not a known resource`, place(at), {
      help: name === undefined ? findings.guess(resource, KNOWN) : `Its permissions are named "${name}".`,
    });
  }
}

function checkAction(
  resource: string,
  action: string,
  at: string,
  { place }: DeclaredResource,
  findings: Findings,
): void {
  const actions = FEWER_ACTIONS.get(resource) ?? ACTIONS;
  if (!KNOWN.has(resource) || actions.includes(action)) return;
  findings.error("E_PERMISSION", `there is no action "${action}" on "${resource}"`, place(at), {
    help: findings.guess(action, actions) ?? `There ${actions.length === 1 ? "is" : "are"}: ${actions.join(", ")}.`,
  });
}

/** Whether a text is an existing day, or a time with its zone. */
function isMoment(text: string): boolean {
  const [day, time] = [text.slice(0, 10), text.slice(10)];
  if (!/^(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(time)) return false;
  return isDay(day) && !Number.isNaN(Date.parse(text));
}
