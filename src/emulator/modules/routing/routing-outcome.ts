/** The outcome of a routing rule: the action and its targets. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import type { SchemaValue } from "../../http/value-schema.ts";

/** The action on an alert. */
export type RoutingAction = (typeof routingActions)[number];

/** Every action of a rule. */
export const routingActions = ["auto_create_incident", "attach_to_incident", "notify_only", "drop"] as const;

const targetTypes = ["member", "team", "owning_team", "channel"] as const;

const targetSchema = {
  title: "RoutingTarget",
  type: "object",
  properties: {
    type: { type: "string", enum: targetTypes as typeof targetTypes, examples: ["owning_team"] },
    member_id: { type: "string", description: "Of the type member." },
    entry_id: { type: "string", description: "Of the type team: the id of its catalog entry." },
    of: { type: "string", description: "Of the type owning_team: a field of the alert.", examples: ["service"] },
    channel_id: { type: "string", description: "Of the type channel." },
  },
  required: ["type"],
  additionalProperties: {},
} as const;

/** The schema of an outcome, which keeps properties that the service does not know. */
export const outcomeSchema = {
  title: "RoutingOutcome",
  type: "object",
  properties: {
    action: { type: "string", enum: routingActions as typeof routingActions, examples: ["notify_only"] },
    notify: {
      anyOf: [targetSchema as typeof targetSchema, { type: "null" }],
      description: "Of the action notify_only.",
      examples: [{ type: "owning_team", of: "service" }],
    },
    invite: {
      type: ["array", "null"],
      items: targetSchema as typeof targetSchema,
      description: "Of the actions auto_create_incident and attach_to_incident.",
    },
    severity_id: { type: ["string", "null"] },
  },
  required: ["action"],
  additionalProperties: {},
} as const;

/** The outcome of a rule. */
export type RoutingOutcome = SchemaValue<typeof outcomeSchema>;

/** Whether the fields are a valid outcome. */
export function isOutcome(fields: Fields): fields is RoutingOutcome & Fields {
  return outcomeError(fields) === undefined;
}

/** The property that names the target, by target type. */
const targets: ReadonlyMap<string, string> = new Map([
  ["member", "member_id"],
  ["team", "entry_id"],
  ["owning_team", "of"],
  ["channel", "channel_id"],
]);

/** The error in an outcome; undefined if it is valid. Ids are not looked up. */
export function outcomeError(outcome: Fields): string | undefined {
  const { action, notify, invite, severity_id } = outcome;
  if (!isAction(action)) return `needs an action, one of ${routingActions.join(", ")}`;
  if (severity_id != null && typeof severity_id !== "string") return "needs an id in severity_id";
  return notifyError(action, notify) ?? inviteError(action, invite);
}

/** Whether the value names an action. */
export function isAction(value: Json | undefined): value is RoutingAction {
  return routingActions.some((action) => action === value);
}

function notifyError(action: RoutingAction, notify: Json | undefined): string | undefined {
  if (notify == null) return undefined;
  if (action !== "notify_only") return `of ${action} takes no notify`;
  return targetError("notify", notify);
}

function inviteError(action: RoutingAction, invite: Json | undefined): string | undefined {
  if (invite == null) return undefined;
  if (action !== "auto_create_incident" && action !== "attach_to_incident") return `of ${action} takes no invite`;
  if (!isList(invite)) return "needs a list in invite";
  const errors = invite.map((target, index) => {
    const name = `invite ${index + 1}`;
    return isFields(target) && target.type === "channel" ? `takes no channel in ${name}` : targetError(name, target);
  });
  return errors.find((error) => error !== undefined);
}

function targetError(name: string, target: Json): string | undefined {
  const member = isFields(target) && typeof target.type === "string" ? targets.get(target.type) : undefined;
  if (!isFields(target) || member === undefined)
    return `needs a type in ${name}, one of ${[...targets.keys()].join(", ")}`;
  const value = target[member];
  return typeof value === "string" && value !== "" ? undefined : `needs ${member} in ${name}`;
}
