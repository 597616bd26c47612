/** The outcome of a routing rule: the action and its targets. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { isValid } from "../../http/body-schema.ts";
import { validationError } from "../../http/http-error.ts";
import type { SchemaValue, ValueSchema } from "../../http/value-schema.ts";

/** The action on an alert. */
export type RoutingAction = (typeof routingActions)[number];

/** Every action of a rule. */
export const routingActions = ["auto_create_incident", "attach_to_incident", "notify_only", "drop"] as const;

/** The targets by type: the member that names one. */
const targets = {
  owning_team: { of: { type: "string", minLength: 1, description: "A field of the alert.", examples: ["service"] } },
  team: { entry_id: { type: "string", minLength: 1, description: "The id of its catalog entry." } },
  member: { member_id: { type: "string", minLength: 1 } },
  channel: { channel_id: { type: "string", minLength: 1 } },
} as const satisfies { readonly [type: string]: { readonly [member: string]: ValueSchema } };

type TargetType = keyof typeof targets;

const targetTypes = Object.keys(targets) as readonly TargetType[];

function targetSchemaOf(title: string, types: readonly TargetType[]): ValueSchema {
  const choices = types.map((type): ValueSchema => {
    const properties = { type: { type: "string", enum: [type] }, ...targets[type] } as const;
    return { type: "object", properties, required: Object.keys(properties), additionalProperties: {} };
  });
  return { title, oneOf: choices };
}

const targetSchema = targetSchemaOf("RoutingTarget", targetTypes);
const inviteeSchema = targetSchemaOf(
  "RoutingInvitee",
  targetTypes.filter((type) => type !== "channel"),
);

/** The schema of the outcomes with some of the actions. */
interface OutcomeChoice extends ValueSchema {
  readonly type: "object";
  readonly properties: {
    readonly action: { readonly type: "string"; readonly enum: readonly RoutingAction[] };
    readonly notify: { readonly type: readonly ["object", "null"] };
    readonly invite: { readonly type: readonly ["array", "null"] };
    readonly severity_id: { readonly type: readonly ["string", "null"] };
  };
  readonly required: readonly ["action"];
}

type TargetsSchema = Omit<ValueSchema, "type">;

/** The schema of a member that is null or absent. */
const noneOfThem: TargetsSchema = { enum: [null] };

function outcomeChoice(
  actions: readonly RoutingAction[],
  { notify = noneOfThem, invite = noneOfThem }: { readonly [Name in "notify" | "invite"]?: TargetsSchema },
): OutcomeChoice {
  return {
    type: "object",
    properties: {
      action: { type: "string", enum: actions },
      notify: { type: ["object", "null"], ...notify },
      invite: { type: ["array", "null"], ...invite },
      severity_id: { type: ["string", "null"] },
    },
    required: ["action"],
    additionalProperties: {},
  };
}

/** The schema of an outcome, which keeps properties that the service does not know. */
interface OutcomeSchema extends ValueSchema {
  readonly type?: never;
  readonly title: string;
  readonly oneOf: readonly OutcomeChoice[];
}

/** The schema of an outcome, in requests and in responses. */
export const outcomeSchema: OutcomeSchema = {
  title: "RoutingOutcome",
  description: "What is done with an alert. Replaced whole.",
  examples: [{ action: "notify_only", notify: { type: "owning_team", of: "service" } }],
  oneOf: [
    outcomeChoice(["auto_create_incident", "attach_to_incident"], { invite: { items: inviteeSchema } }),
    outcomeChoice(["notify_only"], { notify: { oneOf: [targetSchema, { type: "null" }] } }),
    outcomeChoice(["drop"], {}),
  ],
  refusal: (outcome = null) => {
    return validationError({ field: "outcome", message: outcomeError(isFields(outcome) ? outcome : {}) });
  },
};

/** The outcome of a rule. */
export type RoutingOutcome = SchemaValue<typeof outcomeSchema>;

function outcomeError(outcome: Fields): string {
  const { action, notify, invite, severity_id } = outcome;
  if (!isAction(action)) return `needs an action, one of ${routingActions.join(", ")}`;
  if (severity_id != null && typeof severity_id !== "string") return "needs an id in severity_id";
  return notifyError(action, notify) ?? inviteError(action, invite) ?? "is invalid";
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
  if (isValid(targetSchema, target)) return undefined;
  const type = targetTypes.find((each) => isFields(target) && each === target.type);
  if (type === undefined) return `needs a type in ${name}, one of ${targetTypes.join(", ")}`;
  return `needs ${Object.keys(targets[type]).join()} in ${name}`;
}
