/** A007: a webhook over plain http, or two webhooks with the same URL. */

import { listIn } from "../../../core/json.ts";
import { parseUrl } from "../../../core/url.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, relatedPlace } from "../field-values.ts";
import { isEnabled, type PlannedResource, type PlannedWorkspace } from "../planned-workspace.ts";

export const webhookAddress: Analyzer = {
  id: "A007",
  name: "webhook-address",
  severity: "warning",
  title: "A webhook uses plain http, or two webhooks have the same URL.",
  why: "With http, anybody on the network path can read and change every delivery. Two webhooks with the same URL deliver each event twice, and disabling one of them does not stop the deliveries.",
  fix: "Use https. Merge webhooks with the same URL into one.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  if (!workspace.isManaged("webhooks")) return;
  const firsts = new Map<string, PlannedResource>();
  for (const webhook of workspace.resources("webhooks")) {
    const { url } = webhook.fields;
    const parsed = typeof url === "string" ? parseUrl(url) : undefined;
    if (parsed === undefined || !isEnabled(webhook)) continue;
    const { protocol, href } = parsed;
    if (protocol === "http:" && webhook.declared !== undefined) {
      yield { message: `${webhook.address} sends over plain http`, ...placeOf(webhook, "/url") };
    }
    const first = firsts.get(href);
    if (first === undefined) firsts.set(href, webhook);
    else yield sameUrl(first, webhook);
  }
}

/** A hit that does not contain the URL, since it may contain a secret. */
function sameUrl(first: PlannedResource, second: PlannedResource): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  const shared = new Set(listIn(other.fields.subscribed_events).map(String));
  const events = listIn(own.fields.subscribed_events).map(String);
  const known = other.fields.subscribed_events !== undefined && own.fields.subscribed_events !== undefined;
  const apart = known && !events.some((event) => shared.has(event));
  return {
    message: `${own.address} has the same URL as ${other.address}`,
    ...placeOf(own, "/url"),
    ...relatedPlace(other, "the other one", "/url"),
    ...(apart ? { severity: "note" } : {}),
  };
}
