/** Webhook deliveries, with their signature and every attempt. */

import { requireFound } from "../../http/http-error.ts";
import { type DeliveryRow, deliveries, maximumAttempts, signatureOf } from "../../modules/webhooks/delivery.ts";
import { webhookTable } from "../../modules/webhooks/webhooks.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, DataTable, Facts, Heading, Panel, Pause, Pill, type PillTone, Time } from "../parts.tsx";

const maximumRows = 100;

const stateTones: { readonly [State in DeliveryRow["state"]]: PillTone } = {
  pending: "attention",
  delivered: "added",
  failed: "alarm",
  refused: "removed",
};

/** The pages of deliveries. */
export const deliveryPages: readonly WebPage[] = [
  { method: "GET", path: "/deliveries", view: list },
  { method: "GET", path: "/deliveries/:id", view: detail },
];

function list({ database }: PageContext): PageResult {
  const names = new Map(database.list(webhookTable).map(({ id, name }) => [id, name]));
  const rows = database.list(deliveries, {}, { order: "created_at DESC, rowid DESC", limit: maximumRows });
  return {
    title: "Deliveries",
    body: (
      <>
        <Heading
          title="Webhook deliveries"
          note={
            <>
              Every delivery is recorded. It is sent only if <code>--deliver-to</code> allows the address, and refused
              if not.
            </>
          }
        />
        <Pause />
        <section class="panel" data-poll="2" data-part="deliveries">
          <p class="quiet">{`${counted(database.count(deliveries), "delivery", "deliveries")}, the newest first`}</p>
          <DataTable
            label="Deliveries"
            head={["Event", "State", "Webhook", "Time", "Attempts"]}
            empty="There is no delivery yet. An enabled webhook with a subscription gets one for each event."
            rows={rows.map(({ id, created_at, event_type, webhook_id, state, attempts }) => [
              <a href={`/deliveries/${id}`}>{event_type}</a>,
              <Pill tone={stateTones[state]}>{state}</Pill>,
              names.get(webhook_id) ?? "deleted",
              <Time at={created_at} />,
              attempts.length,
            ])}
          />
        </section>
      </>
    ),
  };
}

function detail({ database, param }: PageContext): PageResult {
  const delivery = requireFound(database.find(deliveries, { id: param("id") }));
  const webhook = database.find(webhookTable, { id: delivery.webhook_id });
  return {
    title: `Delivery of ${delivery.event_type}`,
    body: (
      <>
        <p class="crumbs">
          <a href="/deliveries">Webhook deliveries</a> / {delivery.event_type}
        </p>
        <Heading title={delivery.event_type}>
          <Pill tone={stateTones[delivery.state]}>{delivery.state}</Pill>
        </Heading>
        <Panel title="Request">
          <Facts facts={requestFacts(delivery, webhook?.name, webhook?.secret)} />
        </Panel>
        <Panel title="Attempts" note={`${maximumAttempts} at most`}>
          <DataTable
            label="Attempts"
            head={["Time", "Status", "Error"]}
            empty="Nothing has been sent yet."
            rows={delivery.attempts.map(({ at, status, error }) => [
              <Time at={at} />,
              status ?? "none",
              error ?? "none",
            ])}
          />
        </Panel>
        <Panel title="Body" note="byte for byte; the signature is over these bytes">
          <section class="wide" tabindex={0} aria-label="Body">
            <pre>{delivery.body}</pre>
          </section>
        </Panel>
      </>
    ),
  };
}

function requestFacts(
  { id, url, event_type, body, created_at }: DeliveryRow,
  webhook: string | undefined,
  secret: string | undefined,
): readonly (readonly [name: string, value: Markup])[] {
  return [
    ["Webhook", webhook ?? "deleted"],
    ["Address", <code>{url}</code>],
    ["Created", <Time at={created_at} />],
    ["X-Webhook-Event", <code>{event_type}</code>],
    ["X-Webhook-Delivery", <code>{id}</code>],
    [
      "X-Webhook-Signature",
      secret === undefined ? "unknown: the webhook was deleted" : <code>{signatureOf(body, secret)}</code>,
    ],
  ];
}
