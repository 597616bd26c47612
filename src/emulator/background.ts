/** Work that outlives its request: deliveries and drafts, which closing waits for and, when it takes too long, gives up. */

const graceMilliseconds = 500;

/** The background of one running emulator. */
export class Background {
  /** Aborted when the emulator closes and its grace is over: tasks pass it to what they wait for. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #report: (error: unknown) => void;

  /** Errors of tasks go to `report`; none of them ends the process. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
    this.signal = this.#controller.signal;
  }

  /** Starts a task after the present turn of the event loop. A task fails silently once it was given up. */
  run(task: () => void | Promise<void>): void {
    const running = Promise.resolve()
      .then(task)
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.#report(error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Whether nothing is under way. */
  get idle(): boolean {
    return this.#running.size === 0;
  }

  /** Resolves when nothing is under way any more, including what the tasks themselves start. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Waits for what is under way, half a second at most, then gives the rest up. */
  async close(): Promise<void> {
    const cut = setTimeout(() => this.#controller.abort(), graceMilliseconds);
    await this.settled();
    clearTimeout(cut);
    this.#controller.abort();
  }
}
