/** Webhooks: an address that the service can call, and events that it knows. */

import { didYouMean } from "../suggest.ts";
import { type Check, textsOf } from "./rule.ts";

const EVENTS: ReadonlySet<string> = new Set([
  "incident.created",
  "incident.updated",
  "incident.accepted",
  "incident.resolved",
  "incident.reopened",
  "incident.canceled",
  "incident.escalated",
  "incident.marked_duplicate",
  "incident.merged_into",
  "lead.assigned",
  "role.assigned",
  "role.unassigned",
  "action.created",
  "action.picked_up",
  "action.completed",
  "action.reassigned",
  "runbook.attached",
  "postmortem.generated",
  "postmortem.edited",
  "relationship.created",
  "milestone.noted",
]);

const LONGEST_URL = 2048;

/** Holds a webhook's address and events against what the service can use. */
export const checkWebhook: Check = ({ fields, place }, { findings }) => {
  if (typeof fields.url === "string") {
    const [refused, help] = urlFlaw(fields.url) ?? [];
    if (refused !== undefined) findings.error("E_URL", `the URL ${refused}`, place("/url"), { help });
    else if (isPrivate(new URL(fields.url).hostname)) {
      findings.warning(
        "W_URL_PRIVATE",
        "the URL leads to a private address, which the service may refuse",
        place("/url"),
      );
    }
  }
  for (const [index, event] of textsOf(fields.subscribed_events).entries()) {
    if (EVENTS.has(event)) continue;
    findings.warning("W_UNKNOWN_EVENT", `"${event}" is not a known event`, place(`/subscribed_events/${index}`), {
      help: didYouMean(event, EVENTS) ?? "The service silently drops names that it does not know.",
    });
  }
};

function urlFlaw(text: string): readonly [refused: string, help?: string] | undefined {
  if (text.length > LONGEST_URL) return [`has more than ${LONGEST_URL} characters`];
  if (!URL.canParse(text) || /\s/.test(text)) return ["is not a full address", "Begin with https://."];
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:")
    return [`begins with ${protocol}`, "Only https:// and http:// are called."];
  if (username !== "" || password !== "")
    return ["holds a user name or a password", "Secrets have no place in a configuration."];
  return hostname.endsWith(".") ? ["has a host that ends with a dot"] : undefined;
}

function isPrivate(hostname: string): boolean {
  return (
    /^(?:localhost|.*\.localhost|.*\.internal|.*\.local)$/.test(hostname) ||
    /^(?:0|10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname) ||
    /^\[(?:::1?|f[cd].*|fe80.*)\]$/.test(hostname)
  );
}
