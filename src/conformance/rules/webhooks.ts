/** Rules of webhooks: they fire for incidents declared through the API. */

import { make, memberPath, resource } from "../configuration.ts";
import type { Context } from "../context.ts";
import { expectSame, expectShape, expectStatus, expectThat } from "../expectation.ts";
import { type Delivery, type Receiver, startReceiver } from "../receiver.ts";
import { NotApplicable, type Rule, rulesOf } from "../rule.ts";
import { at, like, textAt, timestamp, words } from "../shape.ts";
import { declare, idOf, move } from "../workspace.ts";

const patience = 5_000;
const kind = resource("webhooks");

/** Runs with a webhook that delivers the events to a receiver of ours. */
async function received(
  context: Context,
  events: readonly string[],
  check: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  if (!context.reachesLoopback) throw new NotApplicable("the service cannot deliver to this machine's loopback");
  const receiver = await startReceiver();
  try {
    await make(context, kind, { url: receiver.url, subscribed_events: events });
    await check(receiver);
  } finally {
    await receiver.close();
  }
}

function about(id: string): (delivery: Delivery) => boolean {
  return (delivery) => delivery.text.includes(id);
}

/** The rules of webhook deliveries. */
export const webhookRules: readonly Rule[] = rulesOf("Events", [
  {
    id: "events.4.fires",
    title: "4: webhooks fire for incidents declared through the API",
    check: (context) =>
      received(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        expectThat(delivery !== undefined, "a delivery about the incident within 5 s", null);
      }),
  },
  {
    id: "events.4.subscribed",
    basis: "wire",
    title: "a webhook is told of the events it subscribed to and of no others",
    check: (context) =>
      received(context, ["incident.resolved"], async (receiver) => {
        const id = idOf(await declare(context));
        expectStatus(await move(context, id, "closed"), 200);
        const delivery = await receiver.delivery(about(id), patience);
        expectSame("the first event delivered", delivery?.headers["x-webhook-event"], "incident.resolved");
      }),
  },
  {
    id: "events.4.disabled",
    basis: "wire",
    title: "a disabled webhook is told of nothing",
    check: (context) =>
      received(context, [], async (receiver) => {
        const events = ["incident.created"];
        const off = await make(context, kind, { url: `${receiver.url}off`, subscribed_events: events });
        expectStatus(await context.client.patch(memberPath(kind, off), { enabled: false }), 200);
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), 500);
        expectSame("a delivery", delivery?.text, undefined);
      }),
  },
  {
    id: "events.4.signed",
    basis: "wire",
    title: "a delivery bears X-Webhook-Event, X-Webhook-Delivery and a hex HMAC in X-Webhook-Signature",
    check: (context) =>
      received(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        const header = (name: string) => String(delivery?.headers[name] ?? "");
        expectSame("x-webhook-event", header("x-webhook-event"), "incident.created");
        expectShape("x-webhook-delivery", header("x-webhook-delivery"), words);
        expectShape("x-webhook-signature", header("x-webhook-signature"), like("64 hex digits", /^[0-9a-f]{64}$/));
      }),
  },
  {
    id: "events.4.envelope",
    basis: "wire",
    title: "a delivery's body has id, event_type, workspace_id, occurred_at and the incident",
    check: (context) =>
      received(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        const body = JSON.parse(delivery?.text ?? "null") as Parameters<typeof at>[0];
        expectShape("id", at(body, "id"), words);
        expectSame("event_type", at(body, "event_type"), "incident.created");
        expectShape("workspace_id", at(body, "workspace_id"), words);
        expectShape("occurred_at", at(body, "occurred_at"), timestamp);
        expectSame("incident.id", textAt(body, "incident", "id"), id);
      }),
  },
]);
