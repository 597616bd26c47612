/** Webhooks: known by name, addressed by id; their events are a set. */

import type { Kind } from "./kind.ts";
import { asSet, sorted } from "./same.ts";

export const webhooks: Kind = {
  name: "webhooks",
  title: "webhook",
  room: "webhooks",
  source: "Configuration resources",
  key: ["name"],
  pin: "id",
  collection: { path: "/webhooks" },
  member: { path: "/webhooks/{id}" },
  address: ["id"],
  list: "webhooks",
  item: "webhook",
  disable: "enabled",
  required: ["name", "url"],
  repeatable: true,
  fields: {
    url: { attention: true },
    subscribed_events: { same: asSet, inOrder: sorted },
    enabled: { only: "update" },
  },
};
