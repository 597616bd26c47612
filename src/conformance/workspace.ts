/** What rules find in the workspace they are given, and the incidents they declare in it. */

import type { Fields } from "../core/json.ts";
import type { Client, Exchange } from "./client.ts";
import { listed, resource } from "./configuration.ts";
import type { Context } from "./context.ts";
import { expectStatus, incidentOf } from "./expectation.ts";
import { Deviation, NotApplicable } from "./rule.ts";
import { at, rowsAt, textAt } from "./shape.ts";

/** A lifecycle stage. */
export type Stage = "triage" | "active" | "closed" | "canceled";

/** The four lifecycle stages, as the document lists them. */
export const stages: readonly Stage[] = ["triage", "active", "closed", "canceled"];

/** The id of an entry or incident. */
export function idOf(member: Fields): string {
  return textAt(member, "id");
}

/** The id of the first enabled severity. */
export async function severityId(context: Context): Promise<string> {
  const [severity] = await listed(context, resource("severities"));
  if (severity === undefined) throw new NotApplicable("the workspace has no enabled severity");
  return idOf(severity);
}

/** The first enabled status of the stage. */
export async function statusIn(context: Context, stage: Stage): Promise<Fields> {
  const statuses = await listed(context, resource("statuses"));
  const found = statuses.find((status) => status.lifecycle_stage === stage);
  if (found === undefined) throw new NotApplicable(`the workspace has no enabled status of the stage ${stage}`);
  return found;
}

/** A creation body every declare form of an unchanged workspace accepts. */
export async function declaration(context: Context, fields: Fields = {}): Promise<Fields> {
  return {
    idempotency_key: context.name("key"),
    name: context.name("incident"),
    severity_id: await severityId(context),
    ...fields,
  };
}

/** Declares an incident; it is canceled when the rule is over, since none can be deleted. */
export async function declare(context: Context, fields: Fields = {}, client?: Client): Promise<Fields> {
  const body = await declaration(context, fields);
  return declared(context, await (client ?? context.client).post("incidents", body));
}

/** The incident a creation answered with, its cancellation left for the clean-up. */
export function declared(context: Context, exchange: Exchange): Fields {
  const incident = incidentOf(exchange);
  const id = idOf(incident);
  context.cleanup(async () => {
    const canceled = await statusIn(context, "canceled");
    const exchange = await context.client.patch(`incidents/${id}`, { status_id: idOf(canceled) });
    // One that is over already is as cleared up as an incident can be.
    return exchange.status === 422 ? undefined : exchange;
  });
  return incident;
}

/** An incident that rules of the session may read but not change. */
export function sharedIncident(context: Context): Promise<Fields> {
  return context.once("incident", () =>
    declare(context, { summary: "Declared to be read", source: "conformance suite" }),
  );
}

/** Asks for the incident to be put into a status of the stage. */
export async function move(context: Context, id: string, stage: Stage): Promise<Exchange> {
  const status = await statusIn(context, stage);
  return context.client.patch(`incidents/${id}`, { status_id: idOf(status) });
}

/** Declares an incident and brings it to the stage. */
export async function declareIn(context: Context, stage: Stage, fields: Fields = {}): Promise<Fields> {
  if (stage === "triage" || stage === "active") {
    const status = await statusIn(context, stage);
    return declare(context, { status_id: idOf(status), ...fields });
  }
  const incident = await declare(context, fields);
  return incidentOf(await move(context, idOf(incident), stage));
}

/**
 * The incident as it stands now. The document shows no way to read one incident, so a service that has none is
 * read through the list.
 */
export async function readIncident(context: Context, id: string): Promise<Fields> {
  const single = await context.client.get(`incidents/${id}`);
  if (single.status === 200) return incidentOf(single);
  for (let page = 1; ; page += 1) {
    const exchange = await context.client.get(`incidents?per_page=100&page=${page}`);
    expectStatus(exchange, 200);
    const rows = rowsAt(exchange.body, "incidents");
    const found = rows.find((incident) => incident.id === id);
    if (found !== undefined) return found;
    if (rows.length === 0) throw new Deviation("the incident to be readable", "it is on no page of the list", exchange);
  }
}

/** The timeline events of the incident, all pages. */
export async function timelineOf(context: Context, id: string): Promise<readonly Fields[]> {
  const events: Fields[] = [];
  for (let page = 1; ; page += 1) {
    const exchange = await context.client.get(`incidents/${id}/timeline?per_page=100&page=${page}`);
    expectStatus(exchange, 200);
    const rows = eventsOf(exchange);
    events.push(...rows);
    const pages = at(exchange.body, "pagination", "total_pages");
    if (rows.length === 0 || typeof pages !== "number" || page >= pages) return events;
  }
}

/** The events of one timeline answer; the document names no key for the array. */
export function eventsOf(exchange: Exchange): readonly Fields[] {
  for (const key of ["timeline", "events", "timeline_events"]) {
    if (Array.isArray(at(exchange.body, key))) return rowsAt(exchange.body, key);
  }
  const body = exchange.body;
  const arrays = typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : [];
  if (arrays.length !== 1) throw new Deviation("one array of timeline events", exchange.text.slice(0, 200), exchange);
  return rowsAt(arrays[0]);
}

/** Whether the event is a note from the channel conversation. */
export function isNote(event: Fields): boolean {
  return event.event_type === "milestone.noted";
}

/** An incident with at least so many notes: the one the caller named, or one found on the first page of the list. */
export async function incidentWithNotes(
  context: Context,
  count: number,
): Promise<{ id: string; notes: readonly Fields[] }> {
  for (const id of await candidates(context)) {
    const notes = (await timelineOf(context, id)).filter(isNote);
    if (notes.length >= count) return { id, notes };
  }
  throw new NotApplicable(`needs an incident with ${count} or more notes on its timeline (--incident ID)`);
}

/** The id of an incident with at least so many messages in its conversation. */
export async function incidentWithMessages(context: Context, count: number): Promise<string> {
  for (const id of await candidates(context)) {
    const exchange = await transcriptOf(context, id, "limit=500");
    if (rowsAt(exchange.body, "messages").length >= count) return id;
  }
  throw new NotApplicable(`needs an incident with ${count} or more messages in its conversation (--incident ID)`);
}

/** A transcript answer; the rule is not applicable where transcripts are refused to the token. */
export async function transcriptOf(context: Context, id: string, query = ""): Promise<Exchange> {
  const exchange = await context.client.get(`incidents/${id}/transcript${query === "" ? "" : `?${query}`}`);
  if (exchange.status === 403) {
    throw new NotApplicable(`transcripts are refused here: ${textAt(exchange.body, "error", "message")}`);
  }
  expectStatus(exchange, 200);
  return exchange;
}

async function candidates(context: Context): Promise<readonly string[]> {
  if (context.incident !== undefined) return [context.incident];
  const exchange = await context.client.get("incidents?per_page=100");
  expectStatus(exchange, 200);
  return rowsAt(exchange.body, "incidents").map(idOf);
}
