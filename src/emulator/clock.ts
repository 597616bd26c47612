/** A clock that tests can set, move forward and stop. */

/** The service's clock: the base clock, shifted or stopped. */
export class Clock {
  readonly #base: () => Date;
  #ahead = 0;
  #stoppedAt: number | undefined;

  /** Runs with the base clock until it is set. */
  constructor(base: () => Date) {
    this.#base = base;
  }

  /** The time of the service. */
  readonly now: () => Date = () => new Date(this.#stoppedAt ?? this.#base().getTime() + this.#ahead);

  /** Whether the time stands still. */
  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Makes it the given time, from which the clock runs on unless it is stopped. */
  set(time: Date): void {
    this.#ahead = time.getTime() - this.#base().getTime();
    if (this.isStopped) this.#stoppedAt = time.getTime();
  }

  /** Moves the time forward (backward when negative) by milliseconds. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    if (this.#stoppedAt !== undefined) this.#stoppedAt += milliseconds;
  }

  /** Makes the time stand still where it is. */
  stop(): void {
    this.#stoppedAt = this.now().getTime();
  }

  /** Makes it run with the base clock again. */
  reset(): void {
    this.#ahead = 0;
    this.#stoppedAt = undefined;
  }

  /** Lets a stopped clock run on from where it stands. */
  run(): void {
    if (this.#stoppedAt === undefined) return;
    this.#ahead = this.#stoppedAt - this.#base().getTime();
    this.#stoppedAt = undefined;
  }
}
