/** Virtual time: a wait advances the clock and runs the actions that are due. */

import type { Clock } from "../../../src/core/clock.ts";

/** Eight hours of waiting: a run that waits longer does not end. */
const LONGEST_RUN = 8 * 60 * 60 * 1000;
const MOST_SLEEPS = 200_000;

/** A clock that only a wait advances. */
export class Timeline implements Clock {
  readonly #start: number;
  #now = 0;
  #sleeps = 0;
  #due: { readonly at: number; readonly task: () => Promise<void> }[] = [];

  constructor(start: Date) {
    this.#start = start.getTime();
  }

  readonly now: () => number = () => this.#now;

  /** The time of day. */
  readonly date: () => Date = () => new Date(this.#start + this.#now);

  readonly sleep: (milliseconds: number) => Promise<void> = async (milliseconds) => {
    this.#sleeps += 1;
    const until = this.#now + milliseconds;
    if (until > LONGEST_RUN || this.#sleeps > MOST_SLEEPS) throw new Error("I11: the run does not end by its deadline");
    await this.#pass(until);
  };

  /** Schedules an action after this many milliseconds. */
  later(milliseconds: number, task: () => Promise<void>): void {
    this.#due.push({ at: this.#now + milliseconds, task });
  }

  /** Advances the clock by the duration of a request. */
  tick(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Runs all scheduled actions. */
  async finish(): Promise<void> {
    for (const { at } of [...this.#due]) await this.#pass(at);
  }

  async #pass(until: number): Promise<void> {
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)[0];
      if (next === undefined) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      await next.task();
    }
    this.#now = Math.max(this.#now, until);
  }
}
