/** The service that faults are injected into: an emulator whose whole state can be remembered and put back in a millisecond. */

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

/** Answers by address and token, and the number of changes after which they hold. */
interface Told {
  readonly changes: number;
  readonly answers: Map<string, { readonly status: number; readonly headers: Headers; readonly text: string }>;
}

/** An emulator in process, with its control surface. */
export class Workspace {
  readonly emulator: Emulator;
  readonly control: Control;
  #remembered = false;
  /** Whether an answer may depend on nothing but the rows. */
  readonly #steady: boolean;
  /** Changes of rows until the last restore, and what was answered before there was another. */
  #pristine: Told = { changes: -1, answers: new Map() };
  /** The same since the last change. */
  #latest: Told = { changes: -1, answers: new Map() };

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

  /** Answers as the service does; nobody is asked again for what was read when no row has changed and no fault is waiting. */
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "GET" || !this.#steady || this.control.faults.list().length > 0) {
      return this.emulator.fetch(request);
    }
    const key = `${request.url} ${request.headers.get("authorization") ?? ""}`;
    const known = this.#told().answers.get(key);
    if (known !== undefined) return new Response(known.text, known);
    const response = await this.emulator.fetch(request);
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    // Reading may have changed when a token was last used.
    this.#told().answers.set(key, answer);
    return new Response(answer.text, answer);
  }

  /** What is known of the rows as they are. */
  #told(): Told {
    const changes = this.#changes();
    if (changes === this.#pristine.changes) return this.#pristine;
    if (changes !== this.#latest.changes) this.#latest = { changes, answers: new Map() };
    return this.#latest;
  }

  #changes(): number {
    return this.control.service.database.scalar("SELECT total_changes()");
  }

  /** Remembers the rows of every table as they are now. */
  remember(): void {
    this.#pristine = { changes: -1, answers: new Map() };
    const { database } = this.control.service;
    for (const { name } of tables) {
      if (this.#remembered) database.run(`DROP TABLE temp."remembered_${name}"`);
      database.run(`CREATE TEMP TABLE "remembered_${name}" AS SELECT * FROM "${name}" ORDER BY rowid`);
    }
    this.#remembered = true;
  }

  /** Puts the remembered rows back; no faults, an empty log. */
  restore(): void {
    const { database } = this.control.service;
    database.transaction(() => {
      for (const { name } of tables) {
        database.run(`DELETE FROM "${name}"`);
        database.run(`INSERT INTO "${name}" SELECT * FROM temp."remembered_${name}"`);
      }
    });
    this.#pristine = { changes: this.#changes(), answers: this.#pristine.answers };
    this.control.faults.clear();
    this.control.log.clear();
  }

  /** The requests since the last restore. */
  log(): readonly LoggedRequest[] {
    return this.control.log.list();
  }

  /** A request of a person, as an administrator. Rejects when it is refused. */
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
