/** Webhook deliveries, with their signature and every attempt. */

import { counted } from "../../../core/value-text.ts";
import { requireFound } from "../../http/http-error.ts";
import { type DeliveryRow, deliveries, maximumAttempts, signatureOf } from "../../modules/webhooks/delivery.ts";
import { webhookTable } from "../../modules/webhooks/webhooks.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Facts, Followed, Panel, Pill, type PillTone, Source, TablePanel, Time } from "../parts.tsx";

const maximumRows = 100;

const stateTones: { readonly [State in DeliveryRow["state"]]: PillTone } = {
  pending: "attention",
  delivered: "added",
  failed: "alarm",
  refused: "removed",
};

export const deliveryPages: readonly WebPage[] = [
  { method: "GET", path: "/deliveries", view: list },
  { method: "GET", path: "/deliveries/:id", view: detail },
];

function list({ database }: PageContext): PageResult {
  const webhooks = database.rowsById(webhookTable);
  return {
    title: "Deliveries",
    heading: "Webhook deliveries",
    note: (
      <>
        Every delivery is recorded. It is sent only if <code>--deliver-to</code> allows the address, and refused if not.
      </>
    ),
    body: (
      <Followed
        part="deliveries"
        note={`${counted(database.count(deliveries), "delivery", "deliveries")}, the newest first`}
      >
        <DataTable
          label="Deliveries"
          columns={{
            Event: ({ id, event_type }) => <a href={`/deliveries/${id}`}>{event_type}</a>,
            State: statePill,
            Webhook: ({ webhook_id }) => webhooks.get(webhook_id)?.name ?? "deleted",
            Time: ({ created_at }) => <Time at={created_at} />,
            Attempts: ({ attempts }) => attempts.length,
          }}
          rows={database.list(deliveries, {}, { order: "created_at DESC, rowid DESC", limit: maximumRows })}
          empty="There is no delivery yet. An enabled webhook with a subscription gets one for each event."
        />
      </Followed>
    ),
  };
}

function statePill({ state }: DeliveryRow): Markup {
  return <Pill tone={stateTones[state]}>{state}</Pill>;
}

function detail({ database, param }: PageContext): PageResult {
  const delivery = requireFound(database.find(deliveries, { id: param("id") }));
  const webhook = database.find(webhookTable, { id: delivery.webhook_id });
  return {
    title: `Delivery of ${delivery.event_type}`,
    heading: delivery.event_type,
    crumbs: ["/deliveries", "Webhook deliveries", delivery.event_type],
    mark: statePill(delivery),
    body: (
      <>
        <Panel title="Request">
          <Facts facts={requestFacts(delivery, webhook?.name, webhook?.secret)} />
        </Panel>
        <TablePanel
          label="Attempts"
          note={`${maximumAttempts} at most`}
          columns={{
            Time: ({ at }) => <Time at={at} />,
            Status: ({ status }) => status ?? "none",
            Error: ({ error }) => error ?? "none",
          }}
          rows={delivery.attempts}
          empty="Nothing has been sent yet."
        />
        <Panel title="Body" note="byte for byte; the signature is over these bytes">
          <Source label="Body" text={delivery.body} />
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
