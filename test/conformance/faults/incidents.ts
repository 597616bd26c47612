/** Faults in incidents and in what belongs to them. */

import { at, rowsAt, textAt } from "../../../src/conformance/value-shape.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import {
  bodyToSend,
  changeError,
  changeRequest,
  changeResponse,
  fieldsOf,
  intercept,
  mapRows,
  matches,
  type PlantedFault,
  type ProxiedRequest,
  pathOf,
  without,
} from "./planted-fault.ts";

const incident = /^incidents\/[^/]+$/;
const postmortem = /^incidents\/[^/]+\/postmortem$/;
let counter = 0;

/** The event's time, so many minutes later. */
function minutesLater(event: Fields, minutes: number): string {
  return new Date(Date.parse(textAt(event, "occurred_at")) + minutes * 60_000).toISOString();
}

function fresh(): string {
  counter += 1;
  return `fault ${counter}`;
}

/** Answers that match the test show the first time of resolution of an incident for ever. */
function leftResolved(test: (request: ProxiedRequest) => boolean): PlantedFault["wrap"] {
  return (fetch) => {
    const times = new Map<string, Json>();
    const keep = (each: Fields): Fields => {
      const id = textAt(each, "id");
      if ((each.resolved_at ?? null) !== null) times.set(id, each.resolved_at ?? null);
      return { ...each, resolved_at: times.get(id) ?? each.resolved_at ?? null };
    };
    return intercept(fetch, async (request, send) => {
      if (!request.path.startsWith("incidents")) return undefined;
      const { status, body } = await send(request.method, pathOf(request), bodyToSend(request));
      const one = at(body, "incident");
      if (one === undefined && !Array.isArray(at(body, "incidents"))) return { status, body };
      const kept = one === undefined ? mapRows(body, keep) : { incident: keep(fieldsOf(one)) };
      return { status, body: test(request) ? kept : body };
    });
  };
}

/** What is created below an incident, with the rule that asks for 201. */
const accepted201: readonly (readonly [path: RegExp, foundBy: string])[] = [
  [/\/action_items$/, "items.status"],
  [/\/escalate$/, "responders.escalate.recorded"],
  [/\/shoutout$/, "responders.shoutout.status"],
  [/\/runbook_steps\/claim$/, "responders.claim.status"],
  [/\/link$/, "lifecycle.event.related"],
  [/\/postmortem$/, "postmortem.status"],
];

export const incidentFaults: readonly PlantedFault[] = [
  {
    title: "a first idempotency key returns 200",
    foundBy: ["incidents.post.created"],
    wrap: changeResponse(matches("POST", /^incidents$/), ({ status, body }) => ({
      status: status === 201 ? 200 : status,
      body,
    })),
  },
  {
    title: "a repeated idempotency key creates another incident",
    foundBy: ["incidents.post.repeated", "incidents.post.original"],
    wrap: changeRequest(
      (request) => matches("POST", /^incidents$/)(request) && request.body.idempotency_key !== undefined,
      ({ body }) => ({ body: { ...body, idempotency_key: fresh() } }),
    ),
  },
  {
    title: "every token has idempotency keys of its own",
    foundBy: ["authentication.8.keys"],
    wrap: changeRequest(matches("POST", /^incidents$/), ({ body, token }) => ({
      body: { ...body, idempotency_key: `${textAt(body, "idempotency_key")} ${token}` },
    })),
  },
  {
    title: "an idempotency key never expires",
    foundBy: ["incidents.post.expired"],
    wrap(fetch) {
      const made = new Map<string, Json>();
      return intercept(fetch, async (request, send) => {
        if (!matches("POST", /^incidents$/)(request)) return undefined;
        const key = textAt(request.body, "idempotency_key");
        const original = made.get(key);
        if (original !== undefined) return { status: 200, body: original };
        const response = await send("POST", "incidents", request.body);
        if (response.status === 201) made.set(key, response.body);
        return response;
      });
    },
  },
  {
    title: "unknown custom fields are accepted",
    foundBy: ["incidents.fields.unknown", "incidents.fields.each", "errors.errors"],
    wrap: changeRequest(matches("POST", /^incidents$/), ({ body }) => ({ body: without(body, "custom_fields") })),
  },
  {
    title: "a validation error names the first failing field only",
    foundBy: ["incidents.fields.each", "errors.errors"],
    wrap: changeResponse(matches("POST", /^incidents$/), ({ status, body }) => ({
      status,
      body: changeError(body, (error) => ({ ...error, errors: rowsAt(error, "errors").slice(0, 1) })),
    })),
  },
  ...["lead", "type", "detected_at", "resolved_at", "custom_fields"].map(
    (field): PlantedFault => ({
      title: `the list of incidents has no ${field}`,
      foundBy: ["incident.shown"],
      wrap: changeResponse(matches("GET", /^incidents$/), ({ status, body }) => ({
        status,
        body: mapRows(body, (row) => without(row, field)),
      })),
    }),
  ),
  {
    title: "the list of incidents ignores severity_id",
    foundBy: ["incidents.list.severity_id", "incidents.list.both"],
    wrap: changeRequest(matches("GET", /^incidents$/), ({ query }) => {
      const rest = new URLSearchParams(query);
      rest.delete("severity_id");
      return { query: rest };
    }),
  },
  {
    title: "a refused change of an incident leaves its name changed",
    foundBy: ["incidents.patch.single"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", incident)(request)) return undefined;
        const response = await send("PATCH", request.path, request.body);
        const { name } = request.body;
        if (response.status >= 400 && name !== undefined) await send("PATCH", request.path, { name });
        return response;
      }),
  },
  {
    title: "a canceled incident may be resolved, and a resolved one canceled",
    foundBy: ["lifecycle.canceled.resolve", "lifecycle.resolved.cancel", "errors.incident_not_active.resolve"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", incident)(request) || request.body.status_id === undefined) return undefined;
        const response = await send("PATCH", request.path, request.body);
        if (response.status !== 422) return response;
        const statuses = rowsAt((await send("GET", "statuses")).body, "statuses");
        const active = statuses.find((status) => status.lifecycle_stage === "active");
        await send("PATCH", request.path, { status_id: active?.id ?? null });
        return send("PATCH", request.path, request.body);
      }),
  },
  {
    title: "resolved_at is never set",
    foundBy: ["incident.resolved_at.resolved", "lifecycle.resolve.active"],
    wrap: changeResponse(matches("PATCH", incident), ({ status, body }) => {
      const held = at(body, "incident");
      return { status, body: held === undefined ? body : { incident: { ...fieldsOf(held), resolved_at: null } } };
    }),
  },
  {
    title: "an incident declared with a closed-stage status has no resolved_at",
    foundBy: ["incident.resolved_at.declared"],
    wrap: changeResponse(matches("POST", /^incidents$/), ({ status, body }) => {
      const held = at(body, "incident");
      return { status, body: held === undefined ? body : { incident: { ...fieldsOf(held), resolved_at: null } } };
    }),
  },
  {
    title: "texts end at the character U+0000",
    foundBy: ["incident.name.whole", "incidents.post.key.whole"],
    wrap: changeRequest(matches("POST", /^incidents$/), ({ body }) => {
      const cut = Object.entries(body).map(([name, value]): [string, Json] => [
        name,
        typeof value === "string" ? (value.split("\0")[0] ?? "") : value,
      ]);
      return { body: Object.fromEntries(cut) };
    }),
  },
  {
    title: "an empty list counts as no answer",
    foundBy: ["incidents.fields.list"],
    wrap: changeRequest(
      (request) => matches("POST", /^incidents$/)(request) && JSON.stringify(request.body).includes("[]"),
      ({ body }) => ({ body: without(body, "custom_fields") }),
    ),
  },
  {
    title: "events that happen at once are listed out of order",
    foundBy: ["timeline.ordered.parallel"],
    wrap: changeResponse(matches("GET", /\/timeline$/), ({ status, body }) => {
      const [first, second, ...others] = rowsAt(body, "timeline");
      const swapped = [second, first, ...others].filter((event) => event !== undefined);
      const apart = swapped.map((event, index) => ({
        ...event,
        occurred_at: minutesLater(event, [1, 0][index] ?? index),
      }));
      return { status, body: { ...fieldsOf(body), timeline: apart } };
    }),
  },
  {
    title: "an incident that absorbs another must be live",
    foundBy: ["lifecycle.duplicate.absorber", "lifecycle.duplicate.mutual"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!request.path.endsWith("/link") || request.body.relationship !== "duplicate") return undefined;
        const absorber = await send("GET", `incidents/${textAt(request.body, "other_incident_id")}`);
        if (at(absorber.body, "incident", "status", "lifecycle_stage") !== "canceled") return undefined;
        return { status: 422, body: { error: { type: "incident_not_active", message: "It is canceled" } } };
      }),
  },
  {
    title: "a link that exists already is not recorded again",
    foundBy: ["lifecycle.related.again"],
    wrap(fetch) {
      const links = new Map<string, Json>();
      return intercept(fetch, async (request, send) => {
        if (!request.path.endsWith("/link") || request.body.relationship !== "related") return undefined;
        const link = `${request.path} ${textAt(request.body, "other_incident_id")}`;
        const body = links.get(link) ?? (await send("POST", request.path, request.body)).body;
        links.set(link, body);
        return { status: 201, body };
      });
    },
  },
  {
    title: "the count of references is missing where a deletion is refused for another reason",
    foundBy: ["disabled.3.only"],
    wrap: changeResponse(matches("DELETE", /^statuses\/canceled$/), ({ status, body }) => ({
      status,
      body: changeError(body, (error) => ({ ...error, message: "Canceled is the only enabled status in Canceled." })),
    })),
  },
  {
    title: "a reopened incident keeps the time of its resolution",
    foundBy: ["lifecycle.reopen.closed.active", "lifecycle.reopen.closed.triage"],
    wrap: leftResolved(matches("PATCH", incident)),
  },
  {
    title: "a reopened incident keeps the time of its resolution where it is read",
    foundBy: ["lifecycle.reopen.closed.active", "lifecycle.reopen.closed.triage"],
    wrap: leftResolved(matches("GET", incident)),
  },
  {
    title: "a reopened incident keeps the time of its resolution in the list",
    foundBy: ["lifecycle.reopen.closed.active", "lifecycle.reopen.closed.triage"],
    wrap: leftResolved(matches("GET", /^incidents$/)),
  },
  ...accepted201.map(
    ([path, foundBy]): PlantedFault => ({
      title: `POST ${path.source} returns 200 instead of 201`,
      foundBy: [foundBy],
      wrap: changeResponse(matches("POST", path), ({ status, body }) => ({
        status: status === 201 ? 200 : status,
        body,
      })),
    }),
  ),
  {
    title: "a status that is moved to the closed stage leaves resolved_at of its incidents",
    foundBy: ["lifecycle.stage.moved"],
    wrap: changeResponse(matches("GET", incident), ({ status, body }) => {
      const held = at(body, "incident");
      return { status, body: held === undefined ? body : { incident: { ...fieldsOf(held), resolved_at: null } } };
    }),
  },
  {
    title: "lead_id null is accepted",
    foundBy: ["lifecycle.lead.null", "errors.other.lead-null"],
    wrap: changeRequest(
      (request) => matches("PATCH", incident)(request) && request.body.lead_id === null,
      ({ body }) => ({ body: without(body, "lead_id") }),
    ),
  },
  {
    title: "a duplicate link does not cancel the incident",
    foundBy: ["lifecycle.duplicate.canceled", "lifecycle.duplicate.refused.closed"],
    wrap: changeRequest(matches("POST", /\/link$/), ({ body }) => ({ body: { ...body, relationship: "related" } })),
  },
  {
    title: "a link is recorded on one timeline only",
    foundBy: ["lifecycle.related.active", "lifecycle.duplicate.recorded"],
    wrap(fetch) {
      const targets = new Set<string>();
      return intercept(fetch, async (request, send) => {
        const id = request.path.split("/")[1] ?? "";
        if (request.path.endsWith("/link")) targets.add(textAt(request.body, "other_incident_id"));
        if (!request.path.endsWith("/timeline") || !targets.has(id)) return undefined;
        const { status, body } = await send("GET", pathOf(request));
        const kept = Object.entries(fieldsOf(body)).map(([name, value]): [string, Json] => [
          name,
          Array.isArray(value) ? value.slice(0, 1) : value,
        ]);
        return { status, body: Object.fromEntries(kept) };
      });
    },
  },
  {
    title: "a person who matches nobody returns 422",
    foundBy: ["errors.404.person", "items.assignee.nobody", "lifecycle.lead.nobody"],
    wrap: changeResponse(
      ({ body }) => JSON.stringify(body).includes("nobody@"),
      ({ status, body }) => ({ status: status === 404 ? 422 : status, body }),
    ),
  },
  {
    title: "a stale postmortem body is accepted",
    foundBy: ["postmortem.3.stale", "errors.other.stale"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", postmortem)(request) || request.body.html === undefined) return undefined;
        const response = await send("PATCH", request.path, request.body);
        if (response.status !== 409) return response;
        const version = at((await send("GET", request.path)).body, "version") ?? null;
        return send("PATCH", request.path, { ...request.body, version });
      }),
  },
  {
    title: "a postmortem's html is appended to the body there is",
    foundBy: ["postmortem.1.replaces"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", postmortem)(request) || request.body.html === undefined) return undefined;
        const before = textAt((await send("GET", request.path)).body, "html");
        return send("PATCH", request.path, { ...request.body, html: `${before}${textAt(request.body, "html")}` });
      }),
  },
  {
    title: "creating a drafted postmortem does not say that it is being drafted",
    foundBy: ["postmortem.generated"],
    wrap: changeResponse(matches("POST", postmortem), ({ status, body }) => ({
      status,
      body: status < 300 ? without(fieldsOf(body), "generation_state") : body,
    })),
  },
  {
    title: "a dismissed note stays in the timeline",
    foundBy: ["notes.dismissed"],
    wrap: (fetch) =>
      intercept(fetch, async (request, send) => {
        if (!matches("PATCH", /\/dismiss$/)(request)) return undefined;
        const [, incident, , note] = request.path.split("/");
        const { body } = await send("GET", `incidents/${incident}/timeline?per_page=100`);
        const event = Object.values(fieldsOf(body))
          .flatMap((value) => rowsAt(value))
          .find((each) => each.id === note);
        const milestone = { ...fieldsOf(event?.milestone), dismissed_at: new Date().toISOString() };
        return { status: 200, body: { ...event, milestone } };
      }),
  },
  {
    title: "what is not a note may be dismissed",
    foundBy: ["notes.refused", "errors.other.not-a-note"],
    wrap: changeResponse(matches("PATCH", /\/dismiss$/), ({ status, body }) => ({
      status: status === 422 ? 200 : status,
      body,
    })),
  },
  {
    title: "the transcript comes oldest first",
    foundBy: ["transcript.order", "transcript.before"],
    wrap: changeResponse(matches("GET", /\/transcript$/), ({ status, body }) => ({
      status,
      body: status === 200 ? { ...fieldsOf(body), messages: [...rowsAt(body, "messages")].reverse() } : body,
    })),
  },
];
