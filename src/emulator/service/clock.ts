/** A clock that tests can set, move forward and stop. Its position is stored, so that a reopened file continues at the same time. */

import type { Database } from "../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../store/table.ts";

const clockColumns = {
  id: { type: "string" },
  position: {
    type: "object",
    properties: {
      // Milliseconds that a running clock is ahead of the base clock.
      ahead: { type: "number" },
      // The time of a stopped clock, in milliseconds since 1970; null if it runs.
      stoppedAt: { type: ["number", "null"] },
    },
    required: ["ahead", "stoppedAt"],
  },
} as const;

/** The position of a clock against its base clock. */
export type ClockPosition = RowOfColumns<typeof clockColumns>["position"];

/** The service's clock: the base clock, shifted or stopped. */
export class ServiceClock {
  readonly #base: () => Date;
  readonly #save: (position: ClockPosition) => void;
  #ahead: number;
  #stoppedAt: number | undefined;

  /** Starts at the position; `save` gets each later one. By default it starts with the time of the base clock. */
  constructor(base: () => Date, position?: ClockPosition, save: (position: ClockPosition) => void = () => {}) {
    this.#base = base;
    this.#save = save;
    this.#ahead = position?.ahead ?? 0;
    this.#stoppedAt = position?.stoppedAt ?? undefined;
  }

  /** The service's current time. */
  readonly now: () => Date = () => new Date(this.#stoppedAt ?? this.#base().getTime() + this.#ahead);

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** The position of the clock, with which {@link moveTo} restores it. */
  get position(): ClockPosition {
    return { ahead: this.#ahead, stoppedAt: this.#stoppedAt ?? null };
  }

  /** Moves the clock to a position. */
  moveTo({ ahead, stoppedAt }: ClockPosition): void {
    this.#ahead = ahead;
    this.#stoppedAt = stoppedAt ?? undefined;
    this.#savePosition();
  }

  /** Sets the time. A running clock continues from there; a stopped one stays there. */
  set(time: Date): void {
    this.#ahead = time.getTime() - this.#base().getTime();
    if (this.isStopped) this.#stoppedAt = time.getTime();
    this.#savePosition();
  }

  /** Moves the time forward (backward when negative) by milliseconds. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    if (this.#stoppedAt !== undefined) this.#stoppedAt += milliseconds;
    this.#savePosition();
  }

  /** Stops the clock at its current time. */
  stop(): void {
    this.#stoppedAt = this.now().getTime();
    this.#savePosition();
  }

  /** Returns to the time of the base clock, running. */
  reset(): void {
    this.moveTo({ ahead: 0, stoppedAt: null });
  }

  /** Starts a stopped clock from the time at which it stands. */
  run(): void {
    if (this.#stoppedAt === undefined) return;
    this.#ahead = this.#stoppedAt - this.#base().getTime();
    this.#stoppedAt = undefined;
    this.#savePosition();
  }

  #savePosition(): void {
    this.#save(this.position);
  }
}

/** The table of the position, which has one row at most. */
export const clockTable: Table<RowOfColumns<typeof clockColumns>> = rowTable("clock", clockColumns);

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
