/** The endpoints of /control that are about the service: reset, seed, clock, dialects, faults, log, deliveries, settings. */

import { type Dialects, parseDialects } from "../dialects.ts";
import type { ValueOf } from "../http/body-schema.ts";
import { notFound, refused } from "../http/http-error.ts";
import { openapi } from "../http/openapi.ts";
import { type Answer, created, noContent, ok } from "../rooms/room.ts";
import { deliveries } from "../rooms/webhooks/delivery.ts";
import { webhookTable } from "../rooms/webhooks/webhooks.ts";
import { changeSettings, settingsOf } from "../rooms/workspace-settings.ts";
import type { Control } from "./control.ts";
import { type ControlRoute, controlRoute, listing } from "./control-endpoint.ts";
import { actionTypes, type Fault, phases } from "./faults.ts";

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
    phase: { type: "string", enum: phases },
    action: {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string", enum: actionTypes },
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

/** The endpoints, as the control surface's HTTP side serves them. */
export const serviceRoutes: readonly ControlRoute[] = [
  controlRoute({ method: "GET", path: "/openapi.json", handle: () => ok(openapi()) }),
  controlRoute({
    method: "POST",
    path: "/reset",
    handle: ({ control }) => {
      control.reset();
      return noContent;
    },
  }),
  controlRoute({
    method: "POST",
    path: "/seed",
    handle: ({ control }) => {
      control.seed();
      return noContent;
    },
  }),
  controlRoute({ method: "GET", path: "/clock", handle: ({ control }) => clockAnswer(control) }),
  controlRoute({
    method: "PUT",
    path: "/clock",
    body: clockBody,
    handle: ({ control, body: { now, advance_ms, stopped } }) => {
      if (now !== undefined) control.clock.set(new Date(now));
      if (advance_ms !== undefined) control.clock.advance(advance_ms);
      if (stopped === true) control.clock.stop();
      if (stopped === false) control.clock.run();
      return clockAnswer(control);
    },
  }),
  controlRoute({ method: "GET", path: "/dialects", handle: ({ control }) => ok({ ...control.service.dialects }) }),
  controlRoute({
    method: "PATCH",
    path: "/dialects",
    body: { type: "object", properties: {} },
    handle: ({ control, body }) => {
      control.switchDialects(readDialects(body));
      return ok({ ...control.service.dialects });
    },
  }),
  controlRoute({ method: "GET", path: "/requests", handle: ({ control }) => listing("requests", control.log.list()) }),
  controlRoute({
    method: "DELETE",
    path: "/requests",
    handle: ({ control }) => {
      control.log.clear();
      return noContent;
    },
  }),
  controlRoute({ method: "GET", path: "/faults", handle: ({ control }) => listing("faults", control.faults.list()) }),
  controlRoute({
    method: "POST",
    path: "/faults",
    body: faultBody,
    handle: ({ control, body }) => {
      try {
        return created({ id: control.faults.add(readFault(body)) });
      } catch (error) {
        throw refused(error instanceof Error ? error.message : String(error));
      }
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/faults",
    handle: ({ control }) => {
      control.faults.clear();
      return noContent;
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/faults/:id",
    handle: ({ control, param }) => {
      control.faults.clear(param("id"));
      return noContent;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/deliveries",
    handle: ({ control }) => listing("deliveries", control.service.database.list(deliveries)),
  }),
  controlRoute({
    method: "GET",
    path: "/webhooks/:id/secret",
    handle: ({ control, param }) => {
      const webhook = control.service.database.find(webhookTable, { id: param("id") });
      if (webhook === undefined) throw notFound();
      return ok({ secret: webhook.secret });
    },
  }),
  controlRoute({ method: "GET", path: "/workspace", handle: ({ control }) => settingsAnswer(control) }),
  controlRoute({
    method: "PATCH",
    path: "/workspace",
    body: settingsBody,
    handle: ({ control, body: { name, transcript_access } }) => {
      changeSettings(control.service.database, {
        ...(name === undefined ? {} : { name }),
        ...(transcript_access === undefined ? {} : { transcript_access }),
      });
      return settingsAnswer(control);
    },
  }),
];

function clockAnswer({ clock }: Control): Answer {
  return ok({ now: clock.now().toISOString(), stopped: clock.isStopped });
}

function settingsAnswer({ service }: Control): Answer {
  const { id, name, transcript_access } = settingsOf(service.database);
  return ok({ id, name, transcript_access });
}

/** Reads dialects from a body of names and values. Throws 422 naming the known ones. */
function readDialects(body: object): Partial<Dialects> {
  try {
    return parseDialects(Object.entries(body).map(([name, value]) => `${name}=${String(value)}`));
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

/** The fault with its headers as text. */
function readFault({ action, ...match }: ValueOf<typeof faultBody>): Fault {
  const { headers, ...rest } = action;
  if (headers === undefined) return { ...match, action: rest };
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...match, action: { ...rest, headers: Object.fromEntries(texts) } };
}
