/** Webhooks: known by name, addressed by id; their events are a set. */

import { equalSets, sortAsSet } from "./equality.ts";
import type { Kind } from "./kind.ts";

export const webhooks: Kind = {
  name: "webhooks",
  title: "webhook",
  module: "webhooks",
  source: "Configuration resources",
  identity: { keys: ["name"], pin: "id", idFields: ["id"] },
  endpoint: {
    list: { path: "/webhooks" },
    member: { path: "/webhooks/{id}" },
    envelope: { list: "webhooks", item: "webhook" },
  },
  lifecycle: { disable: "enabled", required: ["name", "url"], allowsDuplicates: true },
  fields: {
    url: { attention: true, mayBeSecret: true },
    subscribed_events: { equals: equalSets, canonical: sortAsSet },
    enabled: { writtenBy: "update" },
  },
};
