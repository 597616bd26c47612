/** The data of a seed: people and incidents, which the interface cannot create with their past. */

import type { Fields } from "../../core/json.ts";
import { refuseUnknownMembers, validateBody } from "../http/body-schema.ts";
import { type BodySchema, notBlank, type SchemaValue } from "../http/value-schema.ts";
import { milestoneKinds } from "../modules/incident-record/event.ts";

// `isolatedDeclarations` requires the type assertions, and schemas that differ in the description alone share a type.
const word = { type: "string", pattern: notBlank as string } as const;
const slug = { type: "string", pattern: notBlank as string, description: "A slug." } as const;
const person = {
  type: "string",
  pattern: notBlank as string,
  description: "A person by email address or chat user ID.",
} as const;
const optionalText = { type: ["string", "null"] } as const;
const visibility = { type: "string", enum: ["public", "private"], description: "public if absent." } as const;
const customFields = { type: "object", description: "Values by the slug of a custom field." } as const;
const time = {
  type: "string",
  pattern: "^([+-](\\d+[dhms])+|\\d{4}-\\d{2}-\\d{2}([T ].*)?)$",
  description:
    "A time, or a duration such as -3d or -2h30m before now. Inside an incident, +5m is after its declaration." as string,
} as const;
const duration = {
  type: "string",
  pattern: "^(\\d+[dhms])+$",
  description: "A duration, such as 1h or 30d." as string,
} as const;
const actor = {
  type: ["string", "object"],
  description:
    "A person by email address or chat user ID, or a machine, such as { type: agent, name: Scribe }." as string,
  required: ["type", "name"],
  properties: { type: { type: "string", enum: ["agent", "api_key"] }, name: word as typeof word },
} as const;
const optionalActor = {
  type: ["string", "object", "null"],
  description: actor.description as string,
  required: ["type", "name"],
  properties: actor.properties as typeof actor.properties,
} as const;

const personOfWorkspace = {
  type: "object",
  required: ["name", "email", "chat_user_id"],
  properties: {
    name: word as typeof word,
    email: { type: "string", format: "email" },
    chat_user_id: word as typeof word,
    role: { type: "string", enum: ["admin", "member"], description: "member if absent." },
  },
} as const;

const event = {
  type: "object",
  required: ["event_type", "description"],
  properties: {
    event_type: { ...word, description: "Such as incident.created." } as typeof word,
    description: { type: "string" },
    occurred_at: time as typeof time,
    actor: {
      ...optionalActor,
      description: `${actor.description} Absent for an automated event.`,
    } as typeof optionalActor,
    milestone: {
      type: "object",
      required: ["kind", "statement"],
      properties: {
        kind: { type: "string", enum: milestoneKinds as typeof milestoneKinds },
        statement: word as typeof word,
        message: {
          type: "integer",
          minimum: 1,
          description: "The number of the noted message in `messages`. It gives the rest.",
        },
        said_by: { ...word, description: "The name of the speaker." } as typeof word,
        said_at: time as typeof time,
        message_text: { type: "string" },
        permalink: { type: "string" },
      },
    },
    dismissed_at: time as typeof time,
  },
} as const;

const message = {
  type: "object",
  required: ["said_by", "text"],
  properties: {
    said_by: actor as typeof actor,
    text: { type: "string" },
    said_at: time as typeof time,
    thread: { type: "integer", minimum: 1, description: "The number of the thread's first message in this list." },
  },
} as const;

const actionItem = {
  type: "object",
  required: ["description"],
  properties: {
    description: word as typeof word,
    kind: { type: "string", enum: ["action", "followup"] },
    status: { type: "string", enum: ["open", "in_progress", "done"] },
    assignee: optionalActor as typeof optionalActor,
    created_by: actor as typeof actor,
    created_at: time as typeof time,
  },
} as const;

const step = {
  type: "object",
  required: ["title"],
  properties: {
    title: word as typeof word,
    instruction: optionalText as typeof optionalText,
    action_item: { type: "integer", minimum: 1, description: "The number of its action item, if it is claimed." },
  },
} as const;

const runbook = {
  type: "object",
  required: ["runbook"],
  properties: {
    runbook: slug as typeof slug,
    attached_at: time as typeof time,
    steps: { type: "array", items: step as typeof step, description: "Those of the runbook if absent." },
  },
} as const;

const link = {
  type: "object",
  required: ["incident", "relationship"],
  properties: {
    incident: { ...word, description: "The identifier of the other incident." } as typeof word,
    relationship: { type: "string", enum: ["related", "duplicate"] },
  },
} as const;

const escalation = {
  type: "object",
  required: ["person"],
  properties: {
    person: person as typeof person,
    reason: optionalText as typeof optionalText,
    escalated_at: time as typeof time,
    acknowledged_at: time as typeof time,
    nudged_at: time as typeof time,
  },
} as const;

const version = {
  type: "object",
  required: ["html"],
  properties: {
    html: { type: "string" },
    written_by: optionalActor as typeof optionalActor,
    written_at: time as typeof time,
  },
} as const;

const postmortem = {
  type: "object",
  required: ["versions"],
  properties: {
    title: word as typeof word,
    status: { type: "string", enum: ["draft", "in_progress", "in_review", "completed"] },
    updated_at: time as typeof time,
    versions: {
      type: "array",
      items: version as typeof version,
      minItems: 1,
      description: "The bodies, the current one last.",
    },
  },
} as const;

const incident = {
  type: "object",
  required: ["name", "severity"],
  properties: {
    identifier: {
      type: "string",
      pattern: "^INC-[1-9]\\d{0,8}$",
      description: "INC-<number>; the next number if absent.",
    },
    name: word as typeof word,
    summary: optionalText as typeof optionalText,
    severity: slug as typeof slug,
    status: { ...word, description: "A slug; the workspace's default status if absent." } as typeof word,
    type: { ...optionalText, description: "A slug." } as typeof optionalText,
    lead: { ...optionalText, description: person.description } as typeof optionalText,
    source: { type: "string", description: "seed if absent." },
    visibility: visibility as typeof visibility,
    declared_by: optionalActor as typeof optionalActor,
    declared_at: { ...time, description: `${time.description} Now if absent.` } as typeof time,
    detected_at: time as typeof time,
    resolved_at: { ...time, description: "Of a closed incident; its declaration if absent." } as typeof time,
    updated_at: time as typeof time,
    idempotency_key: word as typeof word,
    custom_fields: customFields as typeof customFields,
    timeline: {
      type: "array",
      items: event as typeof event,
      description: "The events; made from the incident if absent.",
    },
    messages: { type: "array", items: message as typeof message, description: "The conversation in the channel." },
    participants: {
      type: "array",
      items: person as typeof person,
      description: "People in the channel, besides the lead and those who said something.",
    },
    roles: {
      type: "array",
      items: {
        type: "object",
        required: ["role", "person"],
        properties: { role: slug as typeof slug, person: person as typeof person },
      },
    },
    action_items: { type: "array", items: actionItem as typeof actionItem },
    runbooks: { type: "array", items: runbook as typeof runbook },
    links: { type: "array", items: link as typeof link },
    escalations: { type: "array", items: escalation as typeof escalation },
    postmortem: postmortem as typeof postmortem,
  },
  description: "An incident. Resources are named by slug.",
} as const;

const incidentOfScenario = {
  type: "object",
  required: ["name", "severity"],
  properties: {
    name: word as typeof word,
    severity: slug as typeof slug,
    type: { ...optionalText, description: "A slug." } as typeof optionalText,
    summary: optionalText as typeof optionalText,
    source: { type: "string" },
    declared_by: optionalActor as typeof optionalActor,
    lead: { ...optionalText, description: person.description } as typeof optionalText,
    visibility: visibility as typeof visibility,
    custom_fields: customFields as typeof customFields,
    resolved_after: { ...duration, description: "It stays open if absent." } as typeof duration,
  },
} as const;

const scenario = {
  type: "object",
  required: ["name", "every", "for", "incidents"],
  properties: {
    name: word as typeof word,
    every: duration as typeof duration,
    for: { ...duration, description: "How long before now it begins, such as 30d." } as typeof duration,
    incidents: {
      type: "array",
      items: incidentOfScenario as typeof incidentOfScenario,
      minItems: 1,
      description: "The incidents, taken in turn.",
    },
  },
} as const;

const seed = {
  type: "object",
  properties: {
    workspace: {
      type: "object",
      required: [],
      properties: { name: word as typeof word, transcript_access: { type: "boolean" } },
    },
    alert_sources: { type: "object", description: "Endpoint paths of alert sources, by name." },
    people: {
      type: "array",
      items: personOfWorkspace as typeof personOfWorkspace,
      description: "People, besides those of every workspace. A person with a known email address is changed.",
    },
    incidents: { type: "array", items: incident as typeof incident },
    scenarios: {
      type: "array",
      items: scenario as typeof scenario,
      description: "Incidents at regular times, up to now, for demonstrations and load.",
    },
  },
} as const;

/** The members of a seed's data, without the configuration, which only the program can apply. */
export const seedSchema: BodySchema = seed;

/** A person by email address or chat user ID, or a machine by its kind and name. */
export type SeedActor = SchemaValue<typeof actor>;

export type SeedPerson = SchemaValue<typeof personOfWorkspace>;

/** An event of a timeline. The rest of a milestone follows from its `message`, the number of a message in the list, from 1. */
export type SeedEvent = SchemaValue<typeof event>;

/** A postmortem with the bodies of all its versions, the current one last. */
export type SeedPostmortem = SchemaValue<typeof postmortem>;

/** An attached runbook. Each step may name the number of its action item in the list, from 1. */
export type SeedRunbook = SchemaValue<typeof runbook>;

/** An incident. Resources are named by slug. */
export type SeedIncident = SchemaValue<typeof incident>;

/** Incidents at regular times, up to now. The incidents of the list are taken in turn. */
export type SeedScenario = SchemaValue<typeof scenario>;

export type SeedData = Omit<SchemaValue<typeof seed>, "alert_sources"> & {
  /** The endpoint paths of alert sources, by name. Without one, it is made from the name. */
  readonly alert_sources?: Readonly<Record<string, string>>;
};

/** The data, validated. Throws 422 with the field of each error. */
export function readSeedData(input: Fields): SeedData {
  refuseUnknownMembers(seedSchema, input);
  return validateBody(seedSchema, input) as SeedData;
}
