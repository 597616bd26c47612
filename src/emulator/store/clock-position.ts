/** The position of the service's clock in the database, so that a reopened file continues at the same time. */

import type { ClockPosition } from "../clock.ts";
import type { Database } from "./database.ts";
import { json, key, type Table, table } from "./table.ts";

interface ClockRow {
  readonly id: string;
  readonly position: { readonly ahead: number; readonly stoppedAt: number | null };
}

/** The table of the position, which has one row at most. */
export const clockTable: Table<ClockRow> = table("clock", { id: key, position: json<ClockRow["position"]>() });

const onlyId = "clock";

/** The stored position; undefined if the clock was never changed. */
export function readClockPosition(database: Database): ClockPosition | undefined {
  return database.find(clockTable, { id: onlyId })?.position;
}

/** Stores the position. */
export function writeClockPosition(database: Database, { ahead, stoppedAt }: ClockPosition): void {
  database.transaction(() => {
    database.remove(clockTable, { id: onlyId });
    database.insert(clockTable, { id: onlyId, position: { ahead, stoppedAt } });
  });
}
