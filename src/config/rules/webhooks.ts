/** Rules of webhooks: a URL that the service can call, and known events. */

import { domainToUnicode } from "node:url";
import { textsIn } from "../../core/json.ts";
import { parseUrl } from "../../core/url.ts";
import { EVENTS } from "../../kinds/rows/webhooks.ts";
import type { CheckContext, ResourceRule } from "./rule.ts";

const LONGEST_URL = 2048;

/** Checks the URL and the events of a webhook. */
export const checkWebhook: ResourceRule = ({ fields }, context) => {
  const { findings, error, warning } = context;
  if (typeof fields.url === "string") {
    const [refused, help] = urlFlaw(fields.url) ?? [];
    if (refused !== undefined) error("E_URL", `the URL ${refused}`, "/url", { help });
    else warnOfHost(new URL(fields.url).hostname, context);
  }
  for (const [index, event] of textsIn(fields.subscribed_events).entries()) {
    if (EVENTS.includes(event)) continue;
    warning("W_UNKNOWN_EVENT", `"${event}" is not a known event`, `/subscribed_events/${index}`, {
      help: `${findings.allowed(event, EVENTS)} The service drops other names.`,
    });
  }
};

function urlFlaw(text: string): readonly [refused: string, help?: string] | undefined {
  if ([...text].length > LONGEST_URL) return [`has more than ${LONGEST_URL} characters`];
  const url = parseUrl(text);
  if (url === undefined || /\s/.test(text)) return ["is not absolute", variableHelp(text) ?? "Begin it with https://."];
  const { protocol, username, password, hostname, port } = url;
  if (protocol !== "https:" && protocol !== "http:")
    return [`begins with ${protocol}`, "Only https:// and http:// are called."];
  if (username !== "" || password !== "")
    return ["has a user name or a password", "Secrets do not belong in a configuration."];
  if (hostname.endsWith(".")) return ["has a host that ends with a dot"];
  if (port === "0") return ["has the invalid port 0"];
  // Letters of other alphabets can look like ASCII.
  if (/[^\p{ASCII}]/u.test(hostOf(text))) return ["has a host outside ASCII", `It would be called as ${hostname}.`];
  return undefined;
}

/** Help for a text that is a variable as a shell writes it; undefined for other texts. */
function variableHelp(text: string): string | undefined {
  const [, name] = /^\$(\w+)$/.exec(text) ?? [];
  return name === undefined ? undefined : `Write \${env:${name}} for the value of an environment variable.`;
}

/** The host in the text. */
function hostOf(text: string): string {
  return /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
}

function warnOfHost(hostname: string, { warning }: CheckContext): void {
  if (isPrivate(hostname)) {
    warning("W_URL_PRIVATE", "the URL leads to a private address, which the service may refuse", "/url");
  }
  const read = domainToUnicode(hostname);
  if (read !== "" && read !== hostname) {
    warning("W_URL_HOST", `the host reads as ${read}, which can look like another host`, "/url");
  }
}

function isPrivate(hostname: string): boolean {
  return (
    /^(?:localhost|.*\.localhost|.*\.internal|.*\.local)$/.test(hostname) ||
    /^(?:0|10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      hostname,
    ) ||
    /^\[(?:::1?|::ffff:.*|64:ff9b::.*|f[cd].*|fe80.*)\]$/.test(hostname)
  );
}
