/** Control endpoints for the service: reset, seed, clock, dialects, faults, log, deliveries and settings. */

import type { Fields } from "../../core/json.ts";
import { type Dialects, dialectChoices, parseDialects } from "../dialects.ts";
import { badRequest, notFound, requireFound, unprocessable } from "../http/http-error.ts";
import { type BodySchema, nonBlankText, type SchemaValue } from "../http/value-schema.ts";
import { deliveries } from "../modules/webhooks/delivery.ts";
import { webhookTable } from "../modules/webhooks/webhooks.ts";
import { changeSettings, settingsOf } from "../modules/workspace-settings.ts";
import { openapi } from "../openapi/service-document.ts";
import { seedSchema } from "../seeds/seed-data.ts";
import type { Control } from "./control.ts";
import { type ControlEndpoint, controlEndpoint } from "./control-endpoint.ts";
import { type Fault, faultSchema } from "./faults.ts";
import { anyObject, flag, list, object, optionalText, optionalWhole, text, time, whole } from "./response-schema.ts";

const clockBody = {
  type: "object",
  properties: {
    now: { type: "string", format: "date-time", description: "Sets the time." },
    advance_ms: { type: "number", description: "Moves the time forward." },
    stopped: { type: "boolean", description: "true makes the time stand still, false lets it run." },
  },
} as const;

const dialectsBody: BodySchema = {
  type: "object",
  properties: Object.fromEntries(
    dialectChoices().map(([name, values]) => [
      name,
      { type: "string", enum: values, description: `By default ${values[0]}.` },
    ]),
  ),
};

const settingsBody = {
  type: "object",
  properties: {
    name: { ...nonBlankText },
    transcript_access: { type: "boolean", description: "Whether transcripts are readable, with the ability." },
  },
} as const;

const clockSchema = object({ now: time, stopped: flag });

const dialectsSchema = object(
  Object.fromEntries(dialectChoices().map(([name, values]) => [name, { ...text, enum: values }])),
);

const workspaceSchema = object({ id: text, name: text, transcript_access: flag });

/** The endpoints of this group. */
export const serviceEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint("GET", "/openapi.json", "The interface of the service as OpenAPI 3.1.", {
    response: anyObject,
    handle: ({ control }) => openapi(control.service.dialects),
  }),
  controlEndpoint("POST", "/reset", "Restores the state of the start. The tokens stay.", {
    handle: ({ control }) => control.reset(),
  }),
  controlEndpoint("GET", "/clock", "Reads the service's clock.", {
    response: clockSchema,
    handle: ({ control }) => clockState(control),
  }),
  controlEndpoint("PUT", "/clock", "Sets, moves, stops or starts the service's clock.", {
    response: clockSchema,
    body: clockBody,
    handle: ({ control, body: { now, advance_ms, stopped } }) => {
      if (now !== undefined) control.clock.set(new Date(now));
      if (advance_ms !== undefined) control.clock.advance(advance_ms);
      if (stopped === true) control.clock.stop();
      if (stopped === false) control.clock.run();
      return clockState(control);
    },
  }),
  controlEndpoint("GET", "/dialects", "Reads the dialects.", {
    response: dialectsSchema,
    handle: ({ control }) => control.service.dialects,
  }),
  controlEndpoint("PATCH", "/dialects", "Changes dialects, for all later requests.", {
    response: dialectsSchema,
    body: dialectsBody,
    handle: ({ control, body }) => {
      control.switchDialects(readDialects(body));
      return control.service.dialects;
    },
  }),
  controlEndpoint(
    "GET",
    "/requests",
    "Lists the last 10,000 requests: principal, body, status, number of the committed change, and applied faults. Without tokens and response bodies.",
    {
      response: list(
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
      query: { after: { type: "integer", minimum: 0, description: "Only requests with a higher number." } },
      handle: ({ control, query }) => {
        const after = readAfter(query("after"));
        return { requests: control.log.list().filter(({ number }) => number > after) };
      },
    },
  ),
  controlEndpoint("DELETE", "/requests", "Empties the list of requests. The numbers continue.", {
    handle: ({ control }) => control.log.clear(),
  }),
  controlEndpoint(
    "GET",
    "/faults",
    "Lists the faults, with the numbers of requests that matched (`seen`) and that were affected (`met`).",
    {
      response: list("faults", object({ id: text, phase: text, action: anyObject, seen: whole, met: whole })),
      handle: ({ control }) => ({ faults: control.faults.list() }),
    },
  ),
  controlEndpoint("POST", "/faults", "Adds a fault.", {
    status: 201,
    response: object({ id: text }),
    body: faultSchema,
    handle: ({ control, body }) => {
      try {
        return { id: control.faults.add(readFault(body)) };
      } catch (error) {
        throw unprocessable(error instanceof Error ? error.message : String(error));
      }
    },
  }),
  controlEndpoint("DELETE", "/faults", "Removes all faults.", {
    handle: ({ control }) => control.faults.clear(),
  }),
  controlEndpoint("DELETE", "/faults/:id", "Removes a fault.", {
    handle: ({ control, param }) => control.faults.clear(param("id")),
  }),
  controlEndpoint("GET", "/deliveries", "Lists the webhook deliveries with every attempt.", {
    response: list(
      "deliveries",
      object({
        id: text,
        webhook_id: text,
        event_type: text,
        url: text,
        body: text,
        created_at: time,
        state: { ...text, enum: ["pending", "delivered", "failed", "refused"] },
        attempts: { type: "array", items: object({ at: time, status: optionalWhole, error: optionalText }) },
      }),
    ),
    handle: ({ database }) => ({ deliveries: database.list(deliveries) }),
  }),
  controlEndpoint("GET", "/webhooks/:id/secret", "Reads the signing secret of a webhook.", {
    response: object({ secret: text }),
    handle: ({ database, param }) => {
      const { secret } = requireFound(database.find(webhookTable, { id: param("id") }));
      return { secret };
    },
  }),
  controlEndpoint("GET", "/workspace", "Reads the workspace's settings.", {
    response: workspaceSchema,
    handle: ({ database }) => settingsOf(database),
  }),
  controlEndpoint("PATCH", "/workspace", "Changes the workspace's settings.", {
    response: workspaceSchema,
    body: settingsBody,
    handle: ({ database, body }) => {
      changeSettings(database, body);
      return settingsOf(database);
    },
  }),
];

/** The number of a request. Throws 400 for anything but a whole number. */
function readAfter(text = "0"): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest("The query parameter after must be a whole number");
}

/** The time, and whether it stands still. */
function clockState({ clock }: Control): object {
  return { now: clock.now().toISOString(), stopped: clock.isStopped };
}

/** The dialects in a body of names and values. Throws 422 with the known ones for an unknown name or value. */
function readDialects(body: object): Partial<Dialects> {
  try {
    return parseDialects(Object.entries(body).map(([name, value]) => `${name}=${String(value)}`));
  } catch (error) {
    throw unprocessable(error instanceof Error ? error.message : String(error));
  }
}

/** The fault with its headers as text. */
function readFault({ action, ...match }: SchemaValue<typeof faultSchema>): Fault {
  const { headers, ...rest } = action;
  if (headers === undefined) return { ...match, action: rest };
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...match, action: { ...rest, headers: Object.fromEntries(texts) } };
}

const snapshotBody = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", pattern: "^[\\w.-]{1,100}$", description: "Replaces an earlier one of the name." },
  },
} as const;

const snapshotSchema = object({ name: text, taken_at: time });

/** The endpoints of this group. */
export const contentEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint("GET", "/seed", "Exports the people and incidents as a seed, without the configuration.", {
    response: anyObject,
    handle: ({ control }) => control.seeds.export(),
  }),
  controlEndpoint("POST", "/seed", "Adds people and incidents; those of the example workspace without a body.", {
    body: seedSchema,
    handle: ({ control, body }) => {
      if (Object.keys(body).length === 0) control.seed();
      else control.seeds.load(body as Fields);
    },
  }),
  controlEndpoint("GET", "/snapshots", "Lists the snapshots.", {
    response: list("snapshots", snapshotSchema),
    handle: ({ control }) => ({ snapshots: control.snapshots }),
  }),
  controlEndpoint("POST", "/snapshots", "Keeps the content of the workspace and the position of the clock in memory.", {
    body: snapshotBody,
    status: 201,
    response: snapshotSchema,
    handle: ({ control, body }) => control.takeSnapshot(body.name),
  }),
  controlEndpoint(
    "POST",
    "/snapshots/:name/restore",
    "Restores a snapshot. The tokens of the start, dialects, faults and the log of requests stay.",
    {
      handle: ({ control, param }) => {
        if (!control.restoreSnapshot(param("name"))) throw notFound();
      },
    },
  ),
  controlEndpoint("DELETE", "/snapshots/:name", "Removes a snapshot.", {
    handle: ({ control, param }) => control.removeSnapshot(param("name")),
  }),
];
