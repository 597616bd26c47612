/** Rules of permissions of service keys and abilities of agents: only some can be granted. */

import { isDay } from "../../core/clock.ts";
import { isFields } from "../../core/json.ts";
import { type Kind, permissionOf } from "../../kinds/kind.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import { type CheckContext, type ResourceRule, textsOf } from "./rule.ts";

/** Resources without a kind that can be granted. */
const OTHER_RESOURCES: readonly string[] = [
  "incidents",
  "approvals",
  "incident_transcripts",
  "investigations",
  "chats",
  "memory",
  "map",
  "handbook",
];

/** Resources without a kind that only an admin's personal token can access. */
const OTHER_ADMIN_RESOURCES: readonly string[] = ["integrations", "workspace", "ai_accounts"];

/** The actions on every resource. */
const ACTIONS: readonly string[] = ["read", "create", "update", "delete"];

/** Resources with fewer actions. */
const FEWER_ACTIONS: ReadonlyMap<string, readonly string[]> = new Map([["map", ["read"]]]);

/** Other names of resources without a kind, or of a kind beside its own → the name in permissions. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["routing", "policies"],
  ["transcripts", "incident_transcripts"],
]);

/** Checks the permissions of a service key. */
export const checkApiKey: ResourceRule = (apiKey, context) => {
  const { permissions } = apiKey.fields;
  for (const [resource, actions] of Object.entries(isFields(permissions) ? permissions : {})) {
    const at = `/permissions/${resource}`;
    checkResource(resource, at, apiKey, context);
    for (const [index, action] of textsOf(actions).entries()) {
      checkAction(resource, action, `${at}/${index}`, apiKey, context);
    }
  }
};

/** Checks the ability and the expiry date of a grant. */
export const checkGrant: ResourceRule = (grant, context) => {
  const { ability, expires_at } = grant.fields;
  if (typeof ability === "string") {
    const [resource = "", action = ""] = ability.split(".");
    checkResource(resource, "/ability", grant, context);
    checkAction(resource, action, "/ability", grant, context);
  }
  if (typeof expires_at !== "string" || isMoment(expires_at)) return;
  context.findings.error("E_DATE", `"${expires_at}" is not a date and time`, grant.place("/expires_at"), {
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

/** The resources that can be granted. */
function grantable(kinds: readonly Kind[]): ReadonlySet<string> {
  return new Set([...kinds.filter(({ endpoint }) => endpoint.admin !== true).map(permissionOf), ...OTHER_RESOURCES]);
}

function checkResource(
  resource: string,
  at: string,
  { place }: DeclaredResource,
  { kinds, findings }: CheckContext,
): void {
  const admin = [
    ...kinds.filter(({ endpoint }) => endpoint.admin === true).map(permissionOf),
    ...OTHER_ADMIN_RESOURCES,
  ];
  if (admin.includes(resource)) {
    findings.error("E_PERMISSION", `permissions on "${resource}" cannot be granted`, place(at), {
      help: "Only an admin's personal token has them.",
    });
    return;
  }
  const known = grantable(kinds);
  if (known.has(resource)) return;
  const kind = kinds.find(({ name, endpoint }) => name === resource && endpoint.admin !== true);
  const name = kind === undefined ? OTHER_NAMES.get(resource) : permissionOf(kind);
  findings.warning("W_PERMISSION", `"${resource}" is not a known resource`, place(at), {
    help: name === undefined ? findings.guess(resource, known) : `Its permissions are named "${name}".`,
  });
}

function checkAction(
  resource: string,
  action: string,
  at: string,
  { place }: DeclaredResource,
  { kinds, findings }: CheckContext,
): void {
  const actions = FEWER_ACTIONS.get(resource) ?? ACTIONS;
  if (actions.includes(action) || !grantable(kinds).has(resource)) return;
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
