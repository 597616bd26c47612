/** A007: a webhook that anybody can read, or that tells the same twice. */

import { parseUrl } from "../../core/url.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside, textsOf } from "../reading.ts";
import { isEnabled, type Subject, type View } from "../view.ts";

export const webhookAddress: Analyzer = {
  id: "A007",
  name: "webhook-address",
  severity: "warning",
  title: "A webhook goes over plain http, or two webhooks have one URL.",
  why: "Over http whoever is on the way reads every incident and can change it. Two webhooks with one URL deliver each event twice, and whoever switches one off wonders why it goes on.",
  fix: "Use https, and put the events of both into one webhook.",
  find,
};

function* find(view: View): Iterable<Hit> {
  if (!view.manages("webhooks")) return;
  const firsts = new Map<string, Subject>();
  for (const webhook of view.subjects("webhooks")) {
    const { url } = webhook.fields;
    const parsed = typeof url === "string" ? parseUrl(url) : undefined;
    if (parsed === undefined || !isEnabled(webhook)) continue;
    const { protocol, href } = parsed;
    if (protocol === "http:" && webhook.declared !== undefined) {
      yield { message: `${webhook.address} sends over plain http`, ...about(webhook, "/url") };
    }
    const first = firsts.get(href);
    if (first === undefined) firsts.set(href, webhook);
    else yield doubled(first, webhook);
  }
}

/** The URL itself is not told: it may hold a secret. */
function doubled(first: Subject, second: Subject): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  const shared = new Set(textsOf(other.fields.subscribed_events));
  const events = textsOf(own.fields.subscribed_events);
  const known = other.fields.subscribed_events !== undefined && own.fields.subscribed_events !== undefined;
  const apart = known && !events.some((event) => shared.has(event));
  return {
    message: `${own.address} has the same URL as ${other.address}`,
    ...about(own, "/url"),
    ...beside(other, "the other one", "/url"),
    ...(apart ? { severity: "note" } : {}),
  };
}
