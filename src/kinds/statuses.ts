/** Statuses: ordered, each in a lifecycle stage that decides whether an incident is live. */

import type { Kind } from "./kind.ts";
import { asColor, asText } from "./same.ts";

export const statuses: Kind = {
  name: "statuses",
  title: "status",
  room: "statuses",
  source: "Status",
  key: ["slug"],
  collection: { path: "/statuses" },
  member: { path: "/statuses/{id}" },
  address: ["slug"],
  list: "statuses",
  item: "status",
  slug: "option",
  order: "position",
  required: ["name", "lifecycle_stage"],
  disable: "enabled",
  keepsOnePer: "lifecycle_stage",
  countedBy: "status_id",
  fields: {
    lifecycle_stage: { attention: true },
    default: { read: ["is_default", "default"] },
    color: { same: asColor },
    description: { same: asText },
  },
  caution: (live, declared, held) =>
    declared.lifecycle_stage === undefined || declared.lifecycle_stage === live.lifecycle_stage || held === 0
      ? undefined
      : {
          field: "lifecycle_stage",
          message: `moving the status from ${live.lifecycle_stage} to ${declared.lifecycle_stage} would change the state of ${held ?? "the"} incidents that have it; declare a new status instead`,
        },
};
