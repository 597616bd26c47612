/** A clock that tests can set, move forward and stop. */

/** The service's clock: the base clock, shifted or stopped. */
export class ServiceClock {
  readonly #base: () => Date;
  #ahead = 0;
  #stoppedAt: number | undefined;

  /** Starts with the time of the base clock. */
  constructor(base: () => Date) {
    this.#base = base;
  }

  /** The service's current time. */
  readonly now: () => Date = () => new Date(this.#stoppedAt ?? this.#base().getTime() + this.#ahead);

  /** Whether the clock is stopped. */
  get isStopped(): boolean {
    return this.#stoppedAt !== undefined;
  }

  /** Sets the time. A running clock continues from there; a stopped one stays there. */
  set(time: Date): void {
    this.#ahead = time.getTime() - this.#base().getTime();
    if (this.isStopped) this.#stoppedAt = time.getTime();
  }

  /** Moves the time forward (backward when negative) by milliseconds. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    if (this.#stoppedAt !== undefined) this.#stoppedAt += milliseconds;
  }

  /** Stops the clock at its current time. */
  stop(): void {
    this.#stoppedAt = this.now().getTime();
  }

  /** Returns to the time of the base clock, running. */
  reset(): void {
    this.#ahead = 0;
    this.#stoppedAt = undefined;
  }

  /** Starts a stopped clock from the time at which it stands. */
  run(): void {
    if (this.#stoppedAt === undefined) return;
    this.#ahead = this.#stoppedAt - this.#base().getTime();
    this.#stoppedAt = undefined;
  }
}
