/** Control endpoints for the service: reset, seed, clock, dialects, faults, log, deliveries and settings. */

import { type Dialects, dialectChoices, parseDialects } from "../dialects.ts";
import { badRequest, requireFound, unprocessable } from "../http/http-error.ts";
import type { BodySchema, SchemaValue } from "../http/value-schema.ts";
import { deliveries } from "../modules/webhooks/delivery.ts";
import { webhookTable } from "../modules/webhooks/webhooks.ts";
import { changeSettings, settingsOf } from "../modules/workspace-settings.ts";
import { openapi } from "../openapi/service-document.ts";
import { created, type EndpointResult, noContent, ok } from "../service/module.ts";
import type { Control } from "./control.ts";
import { type ControlEndpoint, controlEndpoint, listResult } from "./control-endpoint.ts";
import { type Fault, faultActionTypes, faultPhases } from "./faults.ts";
import { responseSchemas } from "./response-schemas.ts";

const clockBody = {
  type: "object",
  properties: {
    now: { type: "string", format: "date-time", description: "Sets the time." },
    advance_ms: { type: "number", description: "Moves the time forward." },
    stopped: { type: "boolean", description: "true makes the time stand still, false lets it run." },
  },
} as const;

const faultBody = {
  type: "object",
  required: ["phase", "action"],
  properties: {
    method: { type: "string", description: "Any method if absent." },
    path: { type: "string", description: "Any path if absent. With /api/v1; * stands for any characters." },
    nth: { type: "integer", minimum: 1, description: "The first matching request that it applies to; 1 if absent." },
    times: {
      type: "integer",
      minimum: 0,
      description: "The number of requests from the nth on; 1 if absent, 0 for all.",
    },
    phase: { type: "string", enum: faultPhases, description: "The state of the request when the action happens." },
    action: {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string", enum: faultActionTypes },
        status: { type: "integer", minimum: 200, maximum: 599, description: "Of status (503) and html (502)." },
        headers: { type: "object", description: "Of status: additional headers." },
        body: { type: "string", description: "Of status: the body; an empty object if absent." },
        milliseconds: { type: "number", minimum: 0, maximum: 600_000, description: "Of delay; 1000 if absent." },
        bytes: {
          type: "integer",
          minimum: 0,
          description: "Of truncate, and of reset in mid-response: the part of the body that is sent; half if absent.",
        },
        content_type: { type: "string", description: "Of content_type; text/plain if absent." },
      },
    },
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
    name: { type: "string", minLength: 1 },
    transcript_access: { type: "boolean", description: "Whether transcripts are readable, with the ability." },
  },
} as const;

/** The endpoints of this group. */
export const serviceEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: "GET",
    path: "/openapi.json",
    summary: "The interface of the service as OpenAPI 3.1.",
    status: 200,
    response: responseSchemas.anyObject,
    handle: ({ control }) => ok(openapi(control.service.dialects)),
  }),
  controlEndpoint({
    method: "POST",
    path: "/reset",
    summary: "Restores the state of the start. The tokens stay.",
    status: 204,
    handle: ({ control }) => {
      control.reset();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/clock",
    summary: "Reads the service's clock.",
    status: 200,
    response: responseSchemas.clock,
    handle: ({ control }) => clockResult(control),
  }),
  controlEndpoint({
    method: "PUT",
    path: "/clock",
    summary: "Sets, moves, stops or starts the service's clock.",
    status: 200,
    response: responseSchemas.clock,
    body: clockBody,
    handle: ({ control, body: { now, advance_ms, stopped } }) => {
      if (now !== undefined) control.clock.set(new Date(now));
      if (advance_ms !== undefined) control.clock.advance(advance_ms);
      if (stopped === true) control.clock.stop();
      if (stopped === false) control.clock.run();
      return clockResult(control);
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/dialects",
    summary: "Reads the dialects.",
    status: 200,
    response: responseSchemas.dialects,
    handle: ({ control }) => ok({ ...control.service.dialects }),
  }),
  controlEndpoint({
    method: "PATCH",
    path: "/dialects",
    summary: "Changes dialects, for all later requests.",
    status: 200,
    response: responseSchemas.dialects,
    body: dialectsBody,
    handle: ({ control, body }) => {
      control.switchDialects(readDialects(body));
      return ok({ ...control.service.dialects });
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/requests",
    summary:
      "Lists the last 10,000 requests: principal, body, status, number of the committed change, and applied faults. Without tokens and response bodies.",
    status: 200,
    response: responseSchemas.requests,
    query: { after: { type: "integer", minimum: 0, description: "Only requests with a higher number." } },
    handle: ({ control, query }) => {
      const after = readAfter(query("after"));
      return listResult(
        "requests",
        control.log.list().filter(({ number }) => number > after),
      );
    },
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/requests",
    summary: "Empties the list of requests. The numbers continue.",
    status: 204,
    handle: ({ control }) => {
      control.log.clear();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/faults",
    summary: "Lists the faults, with the numbers of requests that matched (`seen`) and that were affected (`met`).",
    status: 200,
    response: responseSchemas.faults,
    handle: ({ control }) => listResult("faults", control.faults.list()),
  }),
  controlEndpoint({
    method: "POST",
    path: "/faults",
    summary: "Adds a fault.",
    status: 201,
    response: responseSchemas.faultId,
    body: faultBody,
    handle: ({ control, body }) => {
      try {
        return created({ id: control.faults.add(readFault(body)) });
      } catch (error) {
        throw unprocessable(error instanceof Error ? error.message : String(error));
      }
    },
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/faults",
    summary: "Removes all faults.",
    status: 204,
    handle: ({ control }) => {
      control.faults.clear();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/faults/:id",
    summary: "Removes a fault.",
    status: 204,
    handle: ({ control, param }) => {
      control.faults.clear(param("id"));
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/deliveries",
    summary: "Lists the webhook deliveries with every attempt.",
    status: 200,
    response: responseSchemas.deliveries,
    handle: ({ control }) => listResult("deliveries", control.service.database.list(deliveries)),
  }),
  controlEndpoint({
    method: "GET",
    path: "/webhooks/:id/secret",
    summary: "Reads the signing secret of a webhook.",
    status: 200,
    response: responseSchemas.secret,
    handle: ({ control, param }) => {
      const webhook = requireFound(control.service.database.find(webhookTable, { id: param("id") }));
      return ok({ secret: webhook.secret });
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/workspace",
    summary: "Reads the workspace's settings.",
    status: 200,
    response: responseSchemas.workspace,
    handle: ({ control }) => settingsResult(control),
  }),
  controlEndpoint({
    method: "PATCH",
    path: "/workspace",
    summary: "Changes the workspace's settings.",
    status: 200,
    response: responseSchemas.workspace,
    body: settingsBody,
    handle: ({ control, body: { name, transcript_access } }) => {
      changeSettings(control.service.database, {
        ...(name === undefined ? {} : { name }),
        ...(transcript_access === undefined ? {} : { transcript_access }),
      });
      return settingsResult(control);
    },
  }),
];

/** The number of a request. Throws 400 for anything but a whole number. */
function readAfter(text = "0"): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest("The query parameter after must be a whole number");
}

function clockResult({ clock }: Control): EndpointResult {
  return ok({ now: clock.now().toISOString(), stopped: clock.isStopped });
}

function settingsResult({ service }: Control): EndpointResult {
  const { id, name, transcript_access } = settingsOf(service.database);
  return ok({ id, name, transcript_access });
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
function readFault({ action, ...match }: SchemaValue<typeof faultBody>): Fault {
  const { headers, ...rest } = action;
  if (headers === undefined) return { ...match, action: rest };
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...match, action: { ...rest, headers: Object.fromEntries(texts) } };
}
