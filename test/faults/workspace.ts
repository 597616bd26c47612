/** The service that faults are injected into: an emulator whose whole state can be remembered and put back in a millisecond. */

import type { Control } from "../../src/emulator/control/control.ts";
import type { LoggedRequest } from "../../src/emulator/control/request-log.ts";
import type { AnyTable } from "../../src/emulator/database.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { rooms } from "../../src/emulator/rooms.ts";
import type { Json } from "../../src/json.ts";

const tables: readonly AnyTable[] = [
  ...new Map(rooms.flatMap((room) => room.tables).map((table) => [table.name, table])).values(),
];

/** An emulator in process, with its control surface. */
export class Workspace {
  readonly emulator: Emulator;
  readonly control: Control;
  #remembered = false;

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
  }

  /** Remembers the rows of every table as they are now. */
  remember(): void {
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
