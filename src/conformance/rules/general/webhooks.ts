/** Rules of webhooks: they fire for incidents declared through the API. */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../../core/json.ts";
import { expectSame, expectShape, expectStatus, expectThat } from "../../expectation.ts";
import { findResource } from "../../fixtures/configuration-resources.ts";
import { declare, idOf, moveToStage } from "../../fixtures/incidents.ts";
import { createMember, memberPath } from "../../fixtures/requests.ts";
import { rulesOf } from "../../row.ts";
import type { RuleContext } from "../../rule.ts";
import { type ConformanceRule, NotApplicable } from "../../rule.ts";
import { at, nonEmptyString, stringLike, textAt, timestamp } from "../../value-shape.ts";

const patience = 5_000;
const kind = findResource("webhooks");

/** Checks with a webhook that delivers the events to a receiver of ours. */
async function withReceiver(
  context: RuleContext,
  events: readonly string[],
  check: (receiver: WebhookReceiver) => Promise<void>,
): Promise<void> {
  if (!context.reachesLoopback)
    throw new NotApplicable("needs deliveries to this machine's loopback (--reaches-loopback)");
  const receiver = await startReceiver();
  try {
    await createMember(context, kind, { url: receiver.url, subscribed_events: events });
    await check(receiver);
  } finally {
    await receiver.close();
  }
}

function about(id: string): (delivery: ReceivedDelivery) => boolean {
  return (delivery) => delivery.text.includes(id);
}

/** The rules of webhook deliveries. */
export const webhookRules: readonly ConformanceRule[] = rulesOf("Events", {
  "events.4.fires": {
    title: "4: webhooks fire for incidents declared through the API",
    check: (context) =>
      withReceiver(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        expectThat(delivery !== undefined, "a delivery about the incident within 5 s", null);
      }),
  },
  "events.4.subscribed": {
    basis: "wire",
    title: "a webhook receives the events it subscribed to and of no others",
    check: (context) =>
      withReceiver(context, ["incident.resolved"], async (receiver) => {
        const id = idOf(await declare(context));
        expectStatus(await moveToStage(context, id, "closed"), 200);
        const delivery = await receiver.delivery(about(id), patience);
        expectSame("the first event delivered", delivery?.headers["x-webhook-event"], "incident.resolved");
      }),
  },
  "events.4.disabled": {
    basis: "wire",
    title: "a disabled webhook receives nothing",
    check: (context) =>
      withReceiver(context, [], async (receiver) => {
        const events = ["incident.created"];
        const off = await createMember(context, kind, { url: `${receiver.url}off`, subscribed_events: events });
        expectStatus(await context.client.patch(memberPath(kind, off), { enabled: false }), 200);
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), 500);
        expectSame("a delivery", delivery?.text, undefined);
      }),
  },
  "events.4.signed": {
    basis: "wire",
    title: "a delivery bears X-Webhook-Event, X-Webhook-Delivery and a hex HMAC in X-Webhook-Signature",
    check: (context) =>
      withReceiver(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        const header = (name: string) => String(delivery?.headers[name] ?? "");
        expectSame("x-webhook-event", header("x-webhook-event"), "incident.created");
        expectShape("x-webhook-delivery", header("x-webhook-delivery"), nonEmptyString);
        expectShape(
          "x-webhook-signature",
          header("x-webhook-signature"),
          stringLike("64 hex digits", /^[0-9a-f]{64}$/),
        );
      }),
  },
  "events.4.envelope": {
    basis: "wire",
    title: "a delivery's body has id, event_type, workspace_id, occurred_at and the incident",
    check: (context) =>
      withReceiver(context, ["incident.created"], async (receiver) => {
        const id = idOf(await declare(context));
        const delivery = await receiver.delivery(about(id), patience);
        const body = JSON.parse(delivery?.text ?? "null") as Json;
        expectShape("id", at(body, "id"), nonEmptyString);
        expectSame("event_type", at(body, "event_type"), "incident.created");
        expectShape("workspace_id", at(body, "workspace_id"), nonEmptyString);
        expectShape("occurred_at", at(body, "occurred_at"), timestamp);
        expectSame("incident.id", textAt(body, "incident", "id"), id);
      }),
  },
});

/** One delivery as it arrived. */
interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A running receiver. */
interface WebhookReceiver {
  readonly url: string;
  /** The first delivery that satisfies the test, or undefined when none came in time. */
  delivery(test: (delivery: ReceivedDelivery) => boolean, milliseconds: number): Promise<ReceivedDelivery | undefined>;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and responds to every POST with 204. */
async function startReceiver(): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      deliveries.push({ headers: request.headers, text: Buffer.concat(parts).toString("utf8") });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async delivery(test, milliseconds) {
      const deadline = Date.now() + milliseconds;
      for (;;) {
        const found = deliveries.find(test);
        if (found !== undefined || Date.now() > deadline) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
