/** What tests of incidents share: an emulator with a clock that stands still, and incidents declared in it. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.ts";
import { type Answered, listed, send } from "./client.ts";

/** The time at which every desk opens. */
export const opening = "2026-03-01T12:00:00.000Z";

/** An emulator and the shortest words for what tests do with it. */
export interface Desk {
  readonly emulator: Emulator;
  send(method: string, path: string, body?: Json, token?: string): Promise<Answered>;
  /** Declares an incident and returns it. Throws when that is refused. */
  declare(fields?: Fields): Promise<Fields>;
  /** Declares an incident and puts it into the status of this slug. */
  declareIn(status: string): Promise<Fields>;
  /** The incident as it stands. */
  read(incident: Fields): Promise<Fields>;
  /** The id of an entry of an option list, by its slug. */
  id(list: "severities" | "statuses" | "incident_types", slug: string): Promise<string>;
  /** The types of the events on the timeline, in order. */
  events(incident: Fields): Promise<readonly Json[]>;
  /** A key with these abilities, its token. */
  key(permissions: Fields): Promise<string>;
  /** A person's own token. */
  personalToken(name: string, role: "admin" | "member"): Promise<string>;
  /** Asks the control surface. */
  control(method: string, path: string, body?: Json): Promise<Answered>;
  close(): Promise<void>;
}

/** Opens a desk; its control surface is on. */
export async function openDesk(options: EmulatorOptions = {}): Promise<Desk> {
  const emulator = createEmulator({ now: () => new Date(opening), control: true, ...options });
  let keys = 0;
  const desk: Desk = {
    emulator,
    send: (method, path, body, token) => send(emulator, method, path, body, token),
    async declare(fields = {}) {
      keys += 1;
      const severity_id = await desk.id("severities", "minor");
      const body = { idempotency_key: `key ${keys}`, name: `Incident ${keys}`, severity_id, ...fields };
      return incidentIn(await desk.send("POST", "/incidents", body));
    },
    async declareIn(status) {
      const incident = await desk.declare();
      const status_id = await desk.id("statuses", status);
      return incidentIn(await desk.send("PATCH", `/incidents/${incident.id}`, { status_id }));
    },
    read: async (incident) => incidentIn(await desk.send("GET", `/incidents/${incident.id}`)),
    async id(list, slug) {
      const entry = (await listed(emulator, `/${list}?include_disabled=true`)).find((each) => each.slug === slug);
      return String(entry?.id);
    },
    async events(incident) {
      return (await timelineOf(desk, incident)).map(({ event_type }) => event_type ?? null);
    },
    async key(permissions) {
      const { body } = await desk.send("POST", "/api_keys", { name: "Key", permissions });
      return String(body.token);
    },
    async personalToken(name, role) {
      const person = { name, email: `${name}@example.com`, chat_user_id: `U-${name}`, role };
      return String((await desk.control("POST", "/people", person)).body.token);
    },
    async control(method, path, body) {
      const response = await emulator.fetch(
        new Request(`http://emulator/control${path}`, {
          method,
          headers: { authorization: `Bearer ${emulator.control?.key}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
    },
    close: () => emulator.close(),
  };
  return desk;
}

/** The whole timeline of an incident, up to a hundred events. */
export async function timelineOf(desk: Desk, incident: Fields): Promise<readonly Fields[]> {
  return listed(desk.emulator, `/incidents/${incident.id}/timeline?per_page=100`);
}

/** The incident of an answer. Throws when there is none. */
export function incidentIn({ body, status }: Answered): Fields {
  if (!isFields(body.incident)) throw new Error(`no incident, but ${status} ${JSON.stringify(body)}`);
  return body.incident;
}

/** The items of a list in an answer's body. */
export function itemsIn({ body }: Answered, name: string): readonly Fields[] {
  const list = body[name];
  if (!isList(list)) throw new Error(`no list ${name} in ${JSON.stringify(body)}`);
  return list.filter(isFields);
}
