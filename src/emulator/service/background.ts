/** Work that outlives its request, such as deliveries and drafts. Closing waits for it, up to a limit. */

const graceMilliseconds = 500;

/** The background work of one running emulator. */
export class Background {
  /** Aborted when closing has waited long enough. Tasks pass it to every timer and request that they await. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #report: (error: unknown) => void;

  /** Errors of tasks go to `report` and never end the process. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
    this.signal = this.#controller.signal;
  }

  /** Starts a task after the current turn of the event loop. Errors of an aborted task are not reported. */
  run(task: () => void | Promise<void>): void {
    const running = Promise.resolve()
      .then(task)
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.#report(error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Whether no task is running. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Resolves when no task is running, including those that tasks start themselves. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Waits for running tasks, half a second at most, then aborts the rest. */
  async close(): Promise<void> {
    const cutTimer = setTimeout(() => this.#controller.abort(), graceMilliseconds);
    await this.settled();
    clearTimeout(cutTimer);
    this.#controller.abort();
  }
}
