/** Rules of permissions of service keys and abilities of agents: only some can be granted. */

import { isDay } from "../../core/clock.ts";
import { fieldsIn, textsIn } from "../../core/json.ts";
import { permissionOf } from "../../kinds/model/kind.ts";
import { actionsOn, administeredResources, grantableResources } from "../../kinds/rows/permissions.ts";
import type { CheckContext, ResourceRule } from "./rule.ts";

/** Other names of resources without a kind, or of a kind beside its own → the name in permissions. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["routing", "policies"],
  ["transcripts", "incident_transcripts"],
]);

/** Checks the permissions of a service key. */
export const checkApiKey: ResourceRule = (apiKey, context) => {
  const { permissions } = apiKey.fields;
  for (const [resource, actions] of Object.entries(fieldsIn(permissions))) {
    const at = `/permissions/${resource}`;
    checkResource(resource, at, context);
    for (const [index, action] of textsIn(actions).entries()) {
      checkAction(resource, action, `${at}/${index}`, context);
    }
  }
};

/** Checks the ability and the expiry date of a grant. */
export const checkGrant: ResourceRule = (grant, context) => {
  const { ability, expires_at } = grant.fields;
  if (typeof ability === "string") {
    const [resource = "", action = ""] = ability.split(".");
    checkResource(resource, "/ability", context);
    checkAction(resource, action, "/ability", context);
  }
  if (typeof expires_at !== "string" || isMoment(expires_at)) return;
  context.error("E_DATE", `"${expires_at}" is not a date and time`, "/expires_at", {
    help: "Write it like 2026-12-31T00:00:00Z, with the time zone.",
  });
};

/** Warns of a hyphen in the slug of an agent. */
export const checkAgent: ResourceRule = ({ key }, { warning }) => {
  if (!key.includes("-")) return;
  warning("W_AGENT_SLUG", `the service may refuse the hyphen in "${key}"`, "/slug", {
    help: "Underscores are always accepted.",
  });
};

function checkResource(resource: string, at: string, { kinds, findings, error, warning }: CheckContext): void {
  if (administeredResources(kinds).includes(resource)) {
    error("E_PERMISSION", `permissions on "${resource}" cannot be granted`, at, {
      help: "Only an admin's personal token has them.",
    });
    return;
  }
  const known = grantableResources(kinds);
  if (known.includes(resource)) return;
  const kind = kinds.find(({ name, endpoint }) => name === resource && endpoint.admin !== true);
  const name = kind === undefined ? OTHER_NAMES.get(resource) : permissionOf(kind);
  warning("W_PERMISSION", `"${resource}" is not a known resource`, at, {
    help: name === undefined ? findings.allowed(resource, known) : `Its permissions are named "${name}".`,
  });
}

function checkAction(resource: string, action: string, at: string, { kinds, findings, error }: CheckContext): void {
  const actions = actionsOn(resource);
  if (actions.includes(action) || !grantableResources(kinds).includes(resource)) return;
  error("E_PERMISSION", `there is no action "${action}" on "${resource}"`, at, {
    help: findings.allowed(action, actions),
  });
}

/** Whether a text is an existing day, or a time with its zone. */
function isMoment(text: string): boolean {
  const [day, time] = [text.slice(0, 10), text.slice(10)];
  if (!/^(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(time)) return false;
  return isDay(day) && !Number.isNaN(Date.parse(text));
}
