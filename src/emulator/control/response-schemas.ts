/** Schemas of the control surface's responses, for its OpenAPI document. A test validates responses with them. */

import { dialectChoices } from "../dialects.ts";
import type { ValueSchema } from "../http/value-schema.ts";

const text = { type: "string" } as const;
const optionalText = { type: ["string", "null"] } as const;
const flag = { type: "boolean" } as const;
const whole = { type: "integer" } as const;
const optionalWhole = { type: ["integer", "null"] } as const;
const anyObject = { type: "object" } as const;
const time = { type: "string", format: "date-time" } as const;
const optionalTime = { type: ["string", "null"] } as const;

/** An object that always has all of these members. */
function object(properties: { readonly [name: string]: ValueSchema }): ValueSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function list(name: string, items: ValueSchema): ValueSchema {
  return object({ [name]: { type: "array", items } });
}

const actor = object({ id: text, type: text, name: text, email: optionalText });
const personProperties = { id: text, name: text, email: text, chat_user_id: text, role: text };
const escalation = object({
  id: text,
  incident_id: text,
  member_id: text,
  reason: optionalText,
  escalated_at: time,
  acknowledged_at: optionalTime,
  nudged_at: optionalTime,
});
const fault = object({ id: text, phase: text, action: anyObject, seen: whole, met: whole });
const attempt = object({ at: time, status: optionalWhole, error: optionalText });
const snapshot = object({ name: text, taken_at: time });
const version = object({ id: text, postmortem_id: text, version: whole, html: text, written_at: time });

/** The name of what a response holds. */
type ResponseName =
  | "anyObject"
  | "clock"
  | "dialects"
  | "requests"
  | "faults"
  | "faultId"
  | "deliveries"
  | "secret"
  | "workspace"
  | "people"
  | "newPerson"
  | "message"
  | "note"
  | "role"
  | "escalations"
  | "escalation"
  | "versions"
  | "posts"
  | "snapshots"
  | "snapshot"
  | "alerts";

/** The schemas of all responses. */
export const responseSchemas: Readonly<Record<ResponseName, ValueSchema>> = {
  anyObject,
  clock: object({ now: time, stopped: flag }),
  dialects: object(Object.fromEntries(dialectChoices().map(([name, values]) => [name, { ...text, enum: values }]))),
  requests: list(
    "requests",
    object({
      number: whole,
      at: time,
      method: text,
      path: text,
      body: { type: ["object", "null"] },
      principal: { type: ["object", "null"] },
      commit: optionalWhole,
      status: optionalWhole,
      request_id: optionalText,
      faults: { type: "array", items: text },
    }),
  ),
  faults: list("faults", fault),
  faultId: object({ id: text }),
  deliveries: list(
    "deliveries",
    object({
      id: text,
      webhook_id: text,
      event_type: text,
      url: text,
      body: text,
      created_at: time,
      state: { ...text, enum: ["pending", "delivered", "failed", "refused"] },
      attempts: { type: "array", items: attempt },
    }),
  ),
  secret: object({ secret: text }),
  workspace: object({ id: text, name: text, transcript_access: flag }),
  people: list("people", object(personProperties)),
  newPerson: object({ ...personProperties, token: text }),
  message: object({
    id: text,
    incident_id: text,
    thread_id: optionalText,
    said_by: actor,
    said_at: time,
    text,
    redacted: flag,
  }),
  note: object({ id: text, event_type: text, description: text, occurred_at: time, milestone: anyObject }),
  role: object({ incident_id: text, role: text, member_id: optionalText }),
  escalations: list("escalations", escalation),
  escalation,
  versions: list("versions", version),
  snapshots: list("snapshots", snapshot),
  snapshot,
  posts: list(
    "posts",
    object({
      id: text,
      incident_id: optionalText,
      member_id: optionalText,
      channel_id: optionalText,
      text,
      posted_at: time,
    }),
  ),
  alerts: list(
    "alerts",
    object({
      id: text,
      source_id: text,
      fingerprint: text,
      status: text,
      fields: anyObject,
      received_at: time,
      action: optionalText,
      rule_priority: optionalWhole,
      incident_id: optionalText,
    }),
  ),
};
