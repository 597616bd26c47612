/** A clock for tests: whoever sleeps is woken at once, in the order of time, and time jumps to that moment. */

import type { Clock } from "../../src/core/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when everybody waits; `slept` tells every wait. */
export class VirtualClock implements Clock {
  readonly slept: number[] = [];
  readonly #sleepers: Sleeper[] = [];
  #now: number;

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    this.slept.push(milliseconds);
    return new Promise((resolve) => {
      this.#sleepers.push({ at: this.#now + milliseconds, wake: resolve });
      setImmediate(() => this.#wakeNext());
    });
  }

  #wakeNext(): void {
    const next = this.#sleepers.reduce((first, other) => (other.at < first.at ? other : first));
    this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
    this.#now = Math.max(this.#now, next.at);
    next.wake();
  }
}
