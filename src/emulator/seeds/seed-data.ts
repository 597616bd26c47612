/** The data of a seed: people and incidents, which the interface cannot create with their past. */

import type { Fields } from "../../core/json.ts";
import { refuseUnknownMembers, validateBody } from "../http/body-schema.ts";
import type { BodySchema, ValueSchema } from "../http/value-schema.ts";
import { type MilestoneKind, milestoneKinds } from "../modules/incident-record/event.ts";

/** A person by email address or chat user ID, or a machine by its kind and name. */
export type SeedActor = string | { readonly type: "agent" | "api_key"; readonly name: string };

/** A person of the workspace. */
export interface SeedPerson {
  readonly name: string;
  readonly email: string;
  readonly chat_user_id: string;
  readonly role?: "admin" | "member";
}

/** An event of a timeline. The rest of a milestone follows from its `message`, the number of a message in the list, from 1. */
export interface SeedEvent {
  readonly event_type: string;
  readonly description: string;
  readonly occurred_at?: string;
  readonly actor?: SeedActor | null;
  readonly milestone?: {
    readonly kind: MilestoneKind;
    readonly statement: string;
    readonly message?: number;
    readonly said_by?: string;
    readonly said_at?: string;
    readonly message_text?: string;
    readonly permalink?: string;
  };
  readonly dismissed_at?: string;
}

/** A message of the channel. `thread` is the number of the thread's first message in the list, from 1. */
interface SeedMessage {
  readonly said_by: SeedActor;
  readonly text: string;
  readonly said_at?: string;
  readonly thread?: number;
}

/** An action item. */
interface SeedActionItem {
  readonly description: string;
  readonly kind?: "action" | "followup";
  readonly status?: "open" | "in_progress" | "done";
  readonly assignee?: SeedActor | null;
  readonly created_by?: SeedActor;
  readonly created_at?: string;
}

/** A postmortem with the bodies of all its versions, the current one last. */
export interface SeedPostmortem {
  readonly title?: string;
  readonly status?: "draft" | "in_progress" | "in_review" | "completed";
  readonly updated_at?: string;
  readonly versions: readonly {
    readonly html: string;
    readonly written_by?: SeedActor | null;
    readonly written_at?: string;
  }[];
}

/** An attached runbook. Each step may name the number of its action item in the list, from 1. */
export interface SeedRunbook {
  readonly runbook: string;
  readonly attached_at?: string;
  readonly steps?: readonly {
    readonly title: string;
    readonly instruction?: string | null;
    readonly action_item?: number;
  }[];
}

/** An incident. Resources are named by slug. */
export interface SeedIncident {
  readonly identifier?: string;
  readonly name: string;
  readonly summary?: string | null;
  readonly severity: string;
  readonly status?: string;
  readonly type?: string | null;
  readonly lead?: string | null;
  readonly source?: string;
  readonly visibility?: "public" | "private";
  readonly declared_by?: SeedActor | null;
  readonly declared_at?: string;
  readonly detected_at?: string;
  readonly resolved_at?: string;
  readonly updated_at?: string;
  readonly idempotency_key?: string;
  readonly custom_fields?: Fields;
  readonly timeline?: readonly SeedEvent[];
  readonly messages?: readonly SeedMessage[];
  readonly participants?: readonly string[];
  readonly roles?: readonly { readonly role: string; readonly person: string }[];
  readonly action_items?: readonly SeedActionItem[];
  readonly runbooks?: readonly SeedRunbook[];
  readonly links?: readonly { readonly incident: string; readonly relationship: "related" | "duplicate" }[];
  readonly escalations?: readonly {
    readonly person: string;
    readonly reason?: string | null;
    readonly escalated_at?: string;
    readonly acknowledged_at?: string;
    readonly nudged_at?: string;
  }[];
  readonly postmortem?: SeedPostmortem;
}

/** Incidents at regular times, up to now. The incidents of the list are taken in turn. */
export interface SeedScenario {
  readonly name: string;
  readonly every: string;
  readonly for: string;
  readonly incidents: readonly (Pick<
    SeedIncident,
    "name" | "severity" | "type" | "summary" | "source" | "declared_by" | "lead" | "visibility" | "custom_fields"
  > & { readonly resolved_after?: string })[];
}

/** A seed. */
export interface SeedData {
  readonly workspace?: { readonly name?: string; readonly transcript_access?: boolean };
  /** The endpoint paths of alert sources, by name. Without one, it is made from the name. */
  readonly alert_sources?: Readonly<Record<string, string>>;
  readonly people?: readonly SeedPerson[];
  readonly incidents?: readonly SeedIncident[];
  readonly scenarios?: readonly SeedScenario[];
}

const word = { type: "string", minLength: 1 } as const;
const person = { ...word, description: "A person by email address or chat user ID." } as const;
const actor: ValueSchema = {
  type: ["string", "object"],
  description: "A person by email address or chat user ID, or a machine, such as { type: agent, name: Scribe }.",
  required: ["type", "name"],
  properties: { type: { type: "string", enum: ["agent", "api_key"] }, name: word },
};
const optionalActor: ValueSchema = { ...actor, type: ["string", "object", "null"] };
const time = {
  type: "string",
  pattern: "^([+-](\\d+[dhms])+|\\d{4}-\\d{2}-\\d{2}([T ].*)?)$",
  description:
    "A time, or a duration such as -3d or -2h30m before now. Inside an incident, +5m is after its declaration.",
} as const;
const duration = { type: "string", pattern: "^(\\d+[dhms])+$", description: "A duration, such as 1h or 30d." } as const;
const slug = { ...word, description: "A slug." } as const;
const optionalText = { type: ["string", "null"] } as const;
const visibility = { type: "string", enum: ["public", "private"], description: "public if absent." } as const;
const customFields = { type: "object", description: "Values by the slug of a custom field." } as const;

/** An object that names its members, the first ones required. */
function object(
  required: readonly string[],
  properties: { readonly [name: string]: ValueSchema },
  description?: string,
): ValueSchema {
  return { type: "object", required, properties, ...(description === undefined ? {} : { description }) };
}

function list(items: ValueSchema, description?: string): ValueSchema {
  return { type: "array", items, ...(description === undefined ? {} : { description }) };
}

const milestone = object(["kind", "statement"], {
  kind: { type: "string", enum: milestoneKinds },
  statement: word,
  message: {
    type: "integer",
    minimum: 1,
    description: "The number of the noted message in `messages`. It gives the rest.",
  },
  said_by: { ...word, description: "The name of the speaker." },
  said_at: time,
  message_text: { type: "string" },
  permalink: { type: "string" },
});

const incident = object(
  ["name", "severity"],
  {
    identifier: {
      type: "string",
      pattern: "^INC-[1-9]\\d{0,8}$",
      description: "INC-<number>; the next number if absent.",
    },
    name: word,
    summary: optionalText,
    severity: slug,
    status: { ...word, description: "A slug; the workspace's default status if absent." },
    type: { ...optionalText, description: "A slug." },
    lead: { ...optionalText, description: person.description },
    source: { type: "string", description: "seed if absent." },
    visibility,
    declared_by: optionalActor,
    declared_at: { ...time, description: `${time.description} Now if absent.` },
    detected_at: time,
    resolved_at: { ...time, description: "Of a closed incident; its declaration if absent." },
    updated_at: time,
    idempotency_key: word,
    custom_fields: customFields,
    timeline: list(
      object(["event_type", "description"], {
        event_type: { ...word, description: "Such as incident.created." },
        description: { type: "string" },
        occurred_at: time,
        actor: { ...optionalActor, description: `${actor.description} Absent for an automated event.` },
        milestone,
        dismissed_at: time,
      }),
      "The events; made from the incident if absent.",
    ),
    messages: list(
      object(["said_by", "text"], {
        said_by: actor,
        text: { type: "string" },
        said_at: time,
        thread: { type: "integer", minimum: 1, description: "The number of the thread's first message in this list." },
      }),
      "The conversation in the channel.",
    ),
    participants: list(person, "People in the channel, besides the lead and those who said something."),
    roles: list(object(["role", "person"], { role: slug, person })),
    action_items: list(
      object(["description"], {
        description: word,
        kind: { type: "string", enum: ["action", "followup"] },
        status: { type: "string", enum: ["open", "in_progress", "done"] },
        assignee: optionalActor,
        created_by: actor,
        created_at: time,
      }),
    ),
    runbooks: list(
      object(["runbook"], {
        runbook: slug,
        attached_at: time,
        steps: list(
          object(["title"], {
            title: word,
            instruction: optionalText,
            action_item: {
              type: "integer",
              minimum: 1,
              description: "The number of its action item, if it is claimed.",
            },
          }),
          "Those of the runbook if absent.",
        ),
      }),
    ),
    links: list(
      object(["incident", "relationship"], {
        incident: { ...word, description: "The identifier of the other incident." },
        relationship: { type: "string", enum: ["related", "duplicate"] },
      }),
    ),
    escalations: list(
      object(["person"], {
        person,
        reason: optionalText,
        escalated_at: time,
        acknowledged_at: time,
        nudged_at: time,
      }),
    ),
    postmortem: object(["versions"], {
      title: word,
      status: { type: "string", enum: ["draft", "in_progress", "in_review", "completed"] },
      updated_at: time,
      versions: {
        ...list(object(["html"], { html: { type: "string" }, written_by: optionalActor, written_at: time })),
        minItems: 1,
        description: "The bodies, the current one last.",
      },
    }),
  },
  "An incident. Resources are named by slug.",
);

const scenario = object(["name", "every", "for", "incidents"], {
  name: word,
  every: duration,
  for: { ...duration, description: "How long before now it begins, such as 30d." },
  incidents: {
    ...list(
      object(["name", "severity"], {
        name: word,
        severity: slug,
        type: { ...optionalText, description: "A slug." },
        summary: optionalText,
        source: { type: "string" },
        declared_by: optionalActor,
        lead: { ...optionalText, description: person.description },
        visibility,
        custom_fields: customFields,
        resolved_after: { ...duration, description: "It stays open if absent." },
      }),
    ),
    minItems: 1,
    description: "The incidents, taken in turn.",
  },
});

/** The members of a seed's data, without the configuration, which only the program can apply. */
export const seedSchema: BodySchema = {
  type: "object",
  properties: {
    workspace: object([], { name: word, transcript_access: { type: "boolean" } }),
    alert_sources: { type: "object", description: "Endpoint paths of alert sources, by name." },
    people: list(
      object(["name", "email", "chat_user_id"], {
        name: word,
        email: { type: "string", format: "email" },
        chat_user_id: word,
        role: { type: "string", enum: ["admin", "member"], description: "member if absent." },
      }),
      "People, besides those of every workspace. A person with a known email address is changed.",
    ),
    incidents: list(incident),
    scenarios: list(scenario, "Incidents at regular times, up to now, for demonstrations and load."),
  },
};

/** The data, validated. Throws 422 with the field of each error. */
export function readSeedData(input: Fields): SeedData {
  refuseUnknownMembers(seedSchema, input);
  return validateBody(seedSchema, input) as unknown as SeedData;
}
