/** Control endpoints for the service: reset, seed, clock, dialects, faults, log, deliveries and settings. */

import { type Dialects, parseDialects } from "../dialects.ts";
import type { SchemaValue } from "../http/body-schema.ts";
import { notFound, unprocessable } from "../http/http-error.ts";
import { openapi } from "../http/openapi.ts";
import { created, type EndpointResult, noContent, ok } from "../modules/module.ts";
import { deliveries } from "../modules/webhooks/delivery.ts";
import { webhookTable } from "../modules/webhooks/webhooks.ts";
import { changeSettings, settingsOf } from "../modules/workspace-settings.ts";
import type { Control } from "./control.ts";
import { type ControlEndpoint, controlEndpoint, listResult } from "./control-endpoint.ts";
import { type Fault, faultActionTypes, faultPhases } from "./faults.ts";

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
    method: { type: "string" },
    path: { type: "string", description: "With /api/v1; * stands for any characters." },
    nth: { type: "integer", minimum: 1 },
    times: { type: "integer", minimum: 0, description: "0 means every matching request from the nth on." },
    phase: { type: "string", enum: faultPhases },
    action: {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string", enum: faultActionTypes },
        status: { type: "integer", minimum: 200, maximum: 599 },
        headers: { type: "object" },
        body: { type: "string" },
        milliseconds: { type: "number", minimum: 0, maximum: 600_000 },
        bytes: { type: "integer", minimum: 0 },
        content_type: { type: "string" },
      },
    },
  },
} as const;

const settingsBody = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, transcript_access: { type: "boolean" } },
} as const;

/** The endpoints of this group. */
export const serviceEndpoints: readonly ControlEndpoint[] = [
  controlEndpoint({ method: "GET", path: "/openapi.json", handle: () => ok(openapi()) }),
  controlEndpoint({
    method: "POST",
    path: "/reset",
    handle: ({ control }) => {
      control.reset();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "POST",
    path: "/seed",
    handle: ({ control }) => {
      control.seed();
      return noContent;
    },
  }),
  controlEndpoint({ method: "GET", path: "/clock", handle: ({ control }) => clockResult(control) }),
  controlEndpoint({
    method: "PUT",
    path: "/clock",
    body: clockBody,
    handle: ({ control, body: { now, advance_ms, stopped } }) => {
      if (now !== undefined) control.clock.set(new Date(now));
      if (advance_ms !== undefined) control.clock.advance(advance_ms);
      if (stopped === true) control.clock.stop();
      if (stopped === false) control.clock.run();
      return clockResult(control);
    },
  }),
  controlEndpoint({ method: "GET", path: "/dialects", handle: ({ control }) => ok({ ...control.service.dialects }) }),
  controlEndpoint({
    method: "PATCH",
    path: "/dialects",
    body: { type: "object", properties: {} },
    handle: ({ control, body }) => {
      control.switchDialects(readDialects(body));
      return ok({ ...control.service.dialects });
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/requests",
    handle: ({ control }) => listResult("requests", control.log.list()),
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/requests",
    handle: ({ control }) => {
      control.log.clear();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/faults",
    handle: ({ control }) => listResult("faults", control.faults.list()),
  }),
  controlEndpoint({
    method: "POST",
    path: "/faults",
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
    handle: ({ control }) => {
      control.faults.clear();
      return noContent;
    },
  }),
  controlEndpoint({
    method: "DELETE",
    path: "/faults/:id",
    handle: ({ control, param }) => {
      control.faults.clear(param("id"));
      return noContent;
    },
  }),
  controlEndpoint({
    method: "GET",
    path: "/deliveries",
    handle: ({ control }) => listResult("deliveries", control.service.database.list(deliveries)),
  }),
  controlEndpoint({
    method: "GET",
    path: "/webhooks/:id/secret",
    handle: ({ control, param }) => {
      const webhook = control.service.database.find(webhookTable, { id: param("id") });
      if (webhook === undefined) throw notFound();
      return ok({ secret: webhook.secret });
    },
  }),
  controlEndpoint({ method: "GET", path: "/workspace", handle: ({ control }) => settingsResult(control) }),
  controlEndpoint({
    method: "PATCH",
    path: "/workspace",
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
