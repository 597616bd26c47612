/** Webhook deliveries: stored with the event, and sent after its commit. */

import { createHmac, randomUUID } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { setTimeout } from "node:timers/promises";
import type { Fields } from "../../../core/json.ts";
import type { ServiceModule } from "../../service/module.ts";
import { withTimeout } from "../../service/outbound.ts";
import type { ServiceContext, TransactionContext } from "../../service/service-context.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { settingsOf } from "../workspace-settings.ts";
import { webhookEvents, webhookTable } from "./webhooks.ts";

const attempt = {
  type: "object",
  required: ["at", "status", "error"],
  properties: {
    at: { type: "string" },
    // The status of the response; null for an error.
    status: { type: ["integer", "null"] },
    error: { type: ["string", "null"] },
  },
} as const;

const deliveryColumns = {
  id: { type: "string" },
  webhook_id: { type: "string" },
  event_type: { type: "string", enum: webhookEvents as typeof webhookEvents },
  url: { type: "string" },
  // Byte for byte.
  body: { type: "string" },
  created_at: { type: "string" },
  // `refused` if the address is not allowed.
  state: { type: "string", enum: ["pending", "delivered", "failed", "refused"] },
  attempts: { type: "array", items: attempt as typeof attempt },
} as const;

/** The delivery of one event to one webhook. */
export type DeliveryRow = RowOfColumns<typeof deliveryColumns>;

/** The deliveries of all webhooks. */
export const deliveries: Table<DeliveryRow> = indexed(rowTable("deliveries", deliveryColumns), "state");

/** Each body that is queued, as text. */
const deliveryChannel = channel("incidentctl:emulator:delivery");

const version = 1;
/** The number of attempts before a delivery has failed. */
export const maximumAttempts = 3;
const timeoutMilliseconds = 7_000;
/** The pauses before the second and the third attempt. */
const pauses: readonly number[] = [200, 1_000];

/** The module of deliveries. Pending deliveries are resumed when the file is reopened. */
export const webhookDeliveries: ServiceModule = {
  tables: [deliveries],
  endpoints: [],
  resumeUnfinished(service) {
    for (const { id } of service.database.list(deliveries, { state: "pending" })) {
      service.background.run(() => deliver(service, id));
    }
  },
};

/**
 * Queues a delivery for each enabled webhook with a subscription to the event. `describe` returns the objects of the
 * body.
 */
export function queueDeliveries(transaction: TransactionContext, type: string, describe: () => Fields): void {
  const event = webhookEvents.find((candidate) => candidate === type);
  if (event === undefined) return;
  const subscribers = [...transaction.database.rowsById(webhookTable).values()].filter((hook) => {
    return hook.enabled && hook.subscribed_events.includes(event);
  });
  if (subscribers.length === 0) return;
  const envelope = {
    event_type: event,
    workspace_id: settingsOf(transaction.database).id,
    occurred_at: transaction.timestamp,
  };
  const objects = describe();
  for (const { id: webhook_id, url } of subscribers) {
    const id = randomUUID();
    const body = JSON.stringify({ id, version, ...envelope, ...objects });
    deliveryChannel.publish(body);
    const row = { id, webhook_id, event_type: event, url, body, created_at: transaction.timestamp, attempts: [] };
    transaction.database.insert(deliveries, { ...row, state: "pending" });
    transaction.afterCommit((service) => deliver(service, id));
  }
}

/** Sends a delivery, after earlier ones of its webhook, with up to three attempts. */
async function deliver(service: ServiceContext, id: string): Promise<void> {
  const { database, outbound, background } = service;
  const webhookId = database.find(deliveries, { id })?.webhook_id ?? "";
  await outbound.runInOrder(webhookId, async () => {
    for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
      const delivery = database.find(deliveries, { id });
      if (delivery === undefined || background.signal.aborted) return;
      const reason = outbound.rejectionReason(delivery.url);
      if (reason !== undefined) return recordAttempt(service, delivery, "refused", { status: null, error: reason });
      const result = await attemptOnce(service, delivery);
      const isDone = result.status !== null && result.status >= 200 && result.status < 300;
      // Aborted on closing: the delivery stays pending and is resumed when the file is reopened.
      if (!isDone && background.signal.aborted) return;
      const state = isDone ? "delivered" : attempt === maximumAttempts ? "failed" : "pending";
      recordAttempt(service, delivery, state, result);
      if (isDone) return;
      const pause = pauses[attempt - 1];
      if (pause !== undefined) await setTimeout(pause, undefined, { signal: background.signal });
    }
  });
}

type AttemptResult = Omit<DeliveryRow["attempts"][number], "at">;

async function attemptOnce(
  { database, outbound, background }: ServiceContext,
  { id, webhook_id, event_type, url, body }: DeliveryRow,
): Promise<AttemptResult> {
  const secret = database.find(webhookTable, { id: webhook_id })?.secret;
  if (secret === undefined) return { status: null, error: "the webhook was deleted" };
  try {
    const response = await outbound.send(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "incidentctl-emulator",
        "x-webhook-event": event_type,
        "x-webhook-delivery": id,
        "x-webhook-signature": signatureOf(body, secret),
      },
      body,
      // A redirect could lead to an address that is not allowed.
      redirect: "manual",
      signal: withTimeout(background.signal, timeoutMilliseconds),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: errorText(error) };
  }
}

/** The signature of a body: HMAC-SHA256 in hexadecimal. */
export function signatureOf(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}

function recordAttempt(
  service: ServiceContext,
  delivery: DeliveryRow,
  state: DeliveryRow["state"],
  result: AttemptResult,
): void {
  const attempts = [...delivery.attempts, { at: service.now().toISOString(), ...result }];
  service.database.update(deliveries, delivery.id, { state, attempts });
}
