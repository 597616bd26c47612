/** Makes a refusal happen: an emulator over loopback HTTP with the live state of a row, the request itself, and the program's commands. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { serve } from "../../src/emulator/serve.ts";
import { inDirectory } from "../config/loading.ts";
import { type Ended, typed } from "../support/typed.ts";
import type { Refusal, Request } from "./refusal.ts";

/** A response of the service. */
export interface Response {
  readonly status: number;
  readonly body: Json;
}

/** A service in the state of a row, and the row's files. */
export interface Scene {
  send(request: Request): Promise<Response>;
  /** What is stored at a path, disabled resources included; the status where there is nothing. */
  read(path: string): Promise<Json>;
  run(...args: readonly string[]): Promise<Ended>;
  /** Writes that the commands sent, with the status of the response: `POST /severities 201`. */
  readonly writes: readonly string[];
}

/** Opens the scene of a row for the function. */
export async function withScene(
  row: Refusal,
  use: (scene: Scene) => Promise<void>,
  emulator?: Emulator,
): Promise<void> {
  const own = emulator ?? createEmulator({ dialects: row.dialects ?? {} });
  const server = await serve(own);
  const responses: Record<string, Json> = {};
  const call = async (method: string, path: string, body?: Json): Promise<Response> => {
    const headers = { authorization: `Bearer ${own.adminToken}`, "content-type": "application/json" };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...text });
    const received = await response.text();
    return { status: response.status, body: received === "" ? null : JSON.parse(received) };
  };
  /** Replaces `{name.field}` by a field of an earlier response or of the live row with this slug. */
  const filled = async (text: string): Promise<string> => {
    let result = text;
    for (const [hole, name = "", field = ""] of text.matchAll(/(?<![{])\{(\w+)\.(\w+)\}/g)) {
      const known = responses[name];
      const row = known === undefined ? rowWith(await call("GET", `/${name}?include_disabled=true`), field) : known;
      const value = isFields(row) ? row[known === undefined ? "id" : field] : undefined;
      if (value === undefined) throw new Error(`nothing is known of ${hole}`);
      result = result.replace(hole, String(value));
    }
    return result;
  };
  const send = async ([method, path, body]: Request): Promise<Response> => {
    const text = body === undefined ? undefined : JSON.parse(await filled(JSON.stringify(body)));
    return call(method, await filled(path), text);
  };
  const read = async (path: string): Promise<Json> => {
    const { status, body } = await call("GET", `${await filled(path)}?include_disabled=true`);
    return status === 200 ? body : status;
  };
  try {
    for (const [name, request] of Object.entries(row.live ?? {})) {
      const { status, body } = await send(request);
      if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      responses[name] = memberOf(body);
    }
    await inDirectory({ "a.yaml": await filled(row.files) }, async (folder) => {
      const writes: string[] = [];
      await use({ send, read, run: (...args) => command(args, folder, server.url, own, writes), writes });
    });
  } finally {
    await server.close();
    await own.close();
  }
}

function command(
  args: readonly string[],
  cwd: string,
  url: string,
  { serviceToken, adminToken }: Emulator,
  writes: string[],
): Promise<Ended> {
  const env = { INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: serviceToken, INCIDENTCTL_ADMIN_TOKEN: adminToken };
  return typed(args, {
    env,
    cwd,
    now: () => new Date(),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const path = new URL(input).pathname.replace("/api/v1", "");
      if (init.method !== "GET") writes.push(`${init.method} ${path} ${response.status}`);
      return response;
    },
  });
}

/** The object of a response, which may be wrapped under its name. */
function memberOf(body: Json): Json {
  const values = isFields(body) ? Object.values(body) : [];
  return values.length === 1 && isFields(values[0]) ? values[0] : body;
}

function rowWith({ body }: Response, slug: string): Fields | undefined {
  const lists = isFields(body) ? Object.values(body).filter(isList) : [];
  return lists.flatMap((list) => list.filter(isFields)).find((row) => row.slug === slug);
}
