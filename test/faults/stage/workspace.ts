/** The service of the fault tests: an emulator whose whole state can be saved and restored in a millisecond. */

import type { Json } from "../../../src/core/json.ts";
import type { Control } from "../../../src/emulator/control/control.ts";
import type { LoggedRequest } from "../../../src/emulator/control/request-log.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { allModules } from "../../../src/emulator/modules/all-modules.ts";
import type { AnyTable } from "../../../src/emulator/store/database.ts";

const tables: readonly AnyTable[] = [
  ...new Map(allModules.flatMap((module) => module.tables).map((table) => [table.name, table])).values(),
];

/** Cached responses by URL and token, and the number of changes at which they are valid. */
interface ResponseCache {
  readonly changes: number;
  readonly responses: Map<string, { readonly status: number; readonly headers: Headers; readonly text: string }>;
}

/** An emulator in process, with its control interface. */
export class Workspace {
  readonly emulator: Emulator;
  readonly control: Control;
  #remembered = false;
  /** Whether responses depend on the rows alone. */
  readonly #steady: boolean;
  /** Number of row changes at the last restore, and the responses cached since then without another change. */
  #pristine: ResponseCache = { changes: -1, responses: new Map() };
  /** The same for the time since the last change. */
  #latest: ResponseCache = { changes: -1, responses: new Map() };

  constructor(options: { readonly dialects?: Partial<Dialects>; readonly bare?: boolean; readonly now: () => Date }) {
    this.emulator = createEmulator({
      control: true,
      requestsPerMinute: 1_000_000,
      now: options.now,
      workspace: options.bare === true ? "bare" : "default",
      send: () => Promise.reject(new Error("nothing leaves this process")),
      ...(options.dialects === undefined ? {} : { dialects: options.dialects }),
    });
    if (this.emulator.control === undefined) throw new Error("the emulator was made without its control surface");
    this.control = this.emulator.control;
    this.#steady = options.dialects === undefined;
  }

  /** Responds as the service does. Reads come from a cache while no row has changed and no fault is planned. */
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "GET" || !this.#steady || this.control.faults.list().length > 0) {
      return this.emulator.fetch(request);
    }
    const key = `${request.url} ${request.headers.get("authorization") ?? ""}`;
    const known = this.#current().responses.get(key);
    if (known !== undefined) return new Response(known.text, known);
    const response = await this.emulator.fetch(request);
    const cached = { status: response.status, headers: response.headers, text: await response.text() };
    // A read may have changed the last use of a token.
    this.#current().responses.set(key, cached);
    return new Response(cached.text, cached);
  }

  /** The cache that is valid for the current rows. */
  #current(): ResponseCache {
    const changes = this.#changes();
    if (changes === this.#pristine.changes) return this.#pristine;
    if (changes !== this.#latest.changes) this.#latest = { changes, responses: new Map() };
    return this.#latest;
  }

  #changes(): number {
    return this.control.service.database.scalar("SELECT total_changes()");
  }

  /** Saves the current rows of every table. */
  remember(): void {
    this.#pristine = { changes: -1, responses: new Map() };
    const { database } = this.control.service;
    for (const { name } of tables) {
      if (this.#remembered) database.run(`DROP TABLE temp."remembered_${name}"`);
      database.run(`CREATE TEMP TABLE "remembered_${name}" AS SELECT * FROM "${name}" ORDER BY rowid`);
    }
    this.#remembered = true;
  }

  /** Restores the saved rows, and clears the faults and the log. */
  restore(): void {
    const { database } = this.control.service;
    database.transaction(() => {
      for (const { name } of tables) {
        database.run(`DELETE FROM "${name}"`);
        database.run(`INSERT INTO "${name}" SELECT * FROM temp."remembered_${name}"`);
      }
    });
    this.#pristine = { changes: this.#changes(), responses: this.#pristine.responses };
    this.control.faults.clear();
    this.control.log.clear();
  }

  /** The requests since the last restore. */
  log(): readonly LoggedRequest[] {
    return this.control.log.list();
  }

  /** A request by a person, as an administrator. Rejects if it is refused. */
  async hand(method: string, path: string, body?: Json): Promise<Json> {
    const headers = { authorization: `Bearer ${this.emulator.adminToken}`, "content-type": "application/json" };
    const sent = body === undefined || body === null ? {} : { body: JSON.stringify(body) };
    const request = new Request(`http://127.0.0.1:1/api/v1${path}`, { method, headers, ...sent });
    const response = await this.emulator.fetch(request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }
}
