/** Virtual time: whoever waits moves it on, and what was put off happens when its moment has come. */

import type { Clock } from "../../../src/core/clock.ts";

/** More waiting than any run of ours may do: eight hours of it is a run that does not end. */
const LONGEST_RUN = 8 * 60 * 60 * 1000;
const MOST_SLEEPS = 200_000;

/** A clock that only goes on when somebody waits. */
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

  /** Does something when so much time has passed. */
  later(milliseconds: number, task: () => Promise<void>): void {
    this.#due.push({ at: this.#now + milliseconds, task });
  }

  /** Moves time on by what a request takes. */
  tick(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Lets everything happen that was put off. */
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
