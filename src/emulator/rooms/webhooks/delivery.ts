/** Deliveries: what webhooks are told of an event, written down with the event and sent after its commit. */

import { createHmac, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Fields } from "../../../core/json.ts";
import type { Service } from "../../service-context.ts";
import { indexed, json, key, type Table, table, text, word } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import type { Room } from "../room.ts";
import { settingsOf } from "../workspace-settings.ts";
import { type WebhookEvent, webhookEvents, webhookTable } from "./webhooks.ts";

/** One try of a delivery: the status answered, or why there was none. */
export type Attempt = { readonly at: string; readonly status: number | null; readonly error: string | null };

/** One event told, or to be told, to one webhook. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_type: WebhookEvent;
  readonly url: string;
  /** The body, byte for byte. */
  readonly body: string;
  readonly created_at: string;
  /** `refused` when the address is none that may be sent to. */
  readonly state: "pending" | "delivered" | "failed" | "refused";
  readonly attempts: readonly Attempt[];
}

/** The deliveries of all webhooks. */
export const deliveries: Table<DeliveryRow> = indexed(
  table("deliveries", {
    id: key,
    webhook_id: text,
    event_type: word(),
    url: text,
    body: text,
    created_at: text,
    state: word(),
    attempts: json<readonly Attempt[]>(),
  }),
  "state",
);

const version = 1;
const maximumAttempts = 3;
const timeoutMilliseconds = 7_000;
/** Before the second try and before the third. */
const pauses: readonly number[] = [200, 1_000];

/** The room of deliveries; what an earlier process did not get delivered is sent when its file is opened again. */
export const webhookDeliveries: Room = {
  tables: [deliveries],
  routes: [],
  resume(service) {
    for (const { id } of service.database.list(deliveries, { state: "pending" })) {
      service.background.run(() => deliver(service, id));
    }
  },
};

/** Tells every enabled webhook that subscribed to the event; `describe` gives the event's objects. */
export function announce(act: Act, type: string, describe: () => Fields): void {
  const event = webhookEvents.find((known) => known === type);
  if (event === undefined) return;
  const told = act.database.list(webhookTable, { enabled: true }).filter((hook) => {
    return hook.subscribed_events.includes(event);
  });
  if (told.length === 0) return;
  const occasion = { event_type: event, workspace_id: settingsOf(act.database).id, occurred_at: act.timestamp };
  const objects = describe();
  for (const { id: webhook_id, url } of told) {
    const id = randomUUID();
    const body = JSON.stringify({ id, version, ...occasion, ...objects });
    const row = { id, webhook_id, event_type: event, url, body, created_at: act.timestamp, attempts: [] };
    act.database.insert(deliveries, { ...row, state: "pending" });
    act.afterwards((service) => deliver(service, id));
  }
}

/** Sends a delivery, after the earlier ones of its webhook: up to three times, until it is answered with success. */
async function deliver(service: Service, id: string): Promise<void> {
  const { database, outbound, background } = service;
  const webhookId = database.find(deliveries, { id })?.webhook_id ?? "";
  await outbound.inLine(webhookId, async () => {
    for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
      const delivery = database.find(deliveries, { id });
      if (delivery === undefined || background.signal.aborted) return;
      const refusal = outbound.refusal(delivery.url);
      if (refusal !== undefined) return write(service, delivery, "refused", { status: null, error: refusal });
      const result = await attemptOnce(service, delivery);
      const isDone = result.status !== null && result.status >= 200 && result.status < 300;
      // Given up while closing: it stays pending, and is sent when the file is opened again.
      if (!isDone && background.signal.aborted) return;
      const state = isDone ? "delivered" : attempt === maximumAttempts ? "failed" : "pending";
      write(service, delivery, state, result);
      if (isDone) return;
      const pause = pauses[attempt - 1];
      if (pause !== undefined) await setTimeout(pause, undefined, { signal: background.signal });
    }
  });
}

type Result = Omit<Attempt, "at">;

async function attemptOnce(
  { database, outbound, background }: Service,
  { id, webhook_id, event_type, url, body }: DeliveryRow,
): Promise<Result> {
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
        "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex"),
      },
      body,
      // A redirect could lead out of the addresses that may be sent to.
      redirect: "manual",
      signal: AbortSignal.any([background.signal, AbortSignal.timeout(timeoutMilliseconds)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}

function write(service: Service, delivery: DeliveryRow, state: DeliveryRow["state"], result: Result): void {
  const attempts = [...delivery.attempts, { at: service.now().toISOString(), ...result }];
  service.database.update(deliveries, delivery.id, { state, attempts });
}
