/** An emulator for tests, with a stopped clock and shortcuts for common requests. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator.ts";
import { type JsonResponse, listResources, send } from "./client.ts";

/** The time of the stopped clock. */
export const startTime = "2026-03-01T12:00:00.000Z";

/** An emulator with shortcuts. */
export interface TestEmulator {
  readonly emulator: Emulator;
  send(method: string, path: string, body?: Json, token?: string): Promise<JsonResponse>;
  /** Declares an incident and returns it. Throws if it is refused. */
  declare(fields?: Fields): Promise<Fields>;
  /** Declares an incident and sets its status, by slug. */
  declareIn(status: string): Promise<Fields>;
  /** The current state of the incident. */
  read(incident: Fields): Promise<Fields>;
  /** The id of an entry of an option list, by its slug. */
  id(list: "severities" | "statuses" | "incident_types", slug: string): Promise<string>;
  /** The types of the events on the timeline, in order. */
  events(incident: Fields): Promise<readonly Json[]>;
  /** The token of a new service key with these permissions. */
  key(permissions: Fields): Promise<string>;
  /** The personal token of a new person. */
  personalToken(name: string, role: "admin" | "member"): Promise<string>;
  /** Sends a request to the control surface. */
  control(method: string, path: string, body?: Json): Promise<JsonResponse>;
  close(): Promise<void>;
}

/** Creates an emulator with a control surface. */
export async function openTestEmulator(options: EmulatorOptions = {}): Promise<TestEmulator> {
  const emulator = createEmulator({
    now: () => new Date(startTime),
    control: true,
    deliverTo: ["loopback"],
    ...options,
  });
  let keys = 0;
  const service: TestEmulator = {
    emulator,
    send: (method, path, body, token) => send(emulator, method, path, body, token),
    async declare(fields = {}) {
      keys += 1;
      const severity_id = await service.id("severities", "minor");
      const body = { idempotency_key: `key ${keys}`, name: `Incident ${keys}`, severity_id, ...fields };
      return incidentOf(await service.send("POST", "/incidents", body));
    },
    async declareIn(status) {
      const incident = await service.declare();
      const status_id = await service.id("statuses", status);
      return incidentOf(await service.send("PATCH", `/incidents/${incident.id}`, { status_id }));
    },
    read: async (incident) => incidentOf(await service.send("GET", `/incidents/${incident.id}`)),
    async id(list, slug) {
      const entry = (await listResources(emulator, `/${list}?include_disabled=true`)).find(
        (each) => each.slug === slug,
      );
      return String(entry?.id);
    },
    async events(incident) {
      return (await readTimeline(service, incident)).map(({ event_type }) => event_type ?? null);
    },
    async key(permissions) {
      const { body } = await service.send("POST", "/api_keys", { name: "Key", permissions });
      return String(body.token);
    },
    async personalToken(name, role) {
      const person = { name, email: `${name}@example.com`, chat_user_id: `U-${name}`, role };
      return String((await service.control("POST", "/people", person)).body.token);
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
  return service;
}

/** The whole timeline of an incident, up to a hundred events. */
export async function readTimeline(service: TestEmulator, incident: Fields): Promise<readonly Fields[]> {
  return listResources(service.emulator, `/incidents/${incident.id}/timeline?per_page=100`);
}

/** The incident of a response. Throws if there is none. */
export function incidentOf({ body, status }: JsonResponse): Fields {
  if (!isFields(body.incident)) throw new Error(`no incident, but ${status} ${JSON.stringify(body)}`);
  return body.incident;
}

/** The items of a named list in a response. */
export function listOf({ body }: JsonResponse, name: string): readonly Fields[] {
  const list = body[name];
  if (!isList(list)) throw new Error(`no list ${name} in ${JSON.stringify(body)}`);
  return list.filter(isFields);
}
