/** Webhooks: known by name, addressed by id; their events are a set. */

import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import { equalSets, sortAsSet } from "../values/equality.ts";

/** The events of the interface. */
export const EVENTS: readonly string[] = [
  "incident.created",
  "incident.updated",
  "incident.accepted",
  "incident.resolved",
  "incident.reopened",
  "incident.canceled",
  "incident.escalated",
  "incident.marked_duplicate",
  "incident.merged_into",
  "lead.assigned",
  "role.assigned",
  "role.unassigned",
  "action.created",
  "action.picked_up",
  "action.completed",
  "action.reassigned",
  "runbook.attached",
  "postmortem.generated",
  "postmortem.edited",
  "relationship.created",
  "milestone.noted",
];

export const webhooks: Kind = defineKind({
  name: "webhooks",
  title: "webhook",
  identity: { keys: ["name"], pin: "id", stable: ["url"], idFields: ["id"] },
  lifecycle: { disable: "enabled", calledByOthers: ["url"], required: ["name", "url"], allowsDuplicates: true },
  fields: {
    url: { attention: true, mayBeSecret: true },
    subscribed_events: { equals: equalSets, canonical: sortAsSet, knownValues: () => EVENTS },
    enabled: { writtenBy: "update" },
  },
});
