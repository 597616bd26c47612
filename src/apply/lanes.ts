/**
 * How many operations talk to the service at a time. One that waits for the disk leaves its lane to another meanwhile, and comes
 * back before any that has not begun: the service is not waited for because of the disk, and what was checked is soon sent.
 */
export class Lanes {
  readonly #count: number;
  /** In a lane. */
  #talking = 0;
  /** Begun, and out of their lane for a while. */
  #aside = 0;
  #returning: (() => void)[] = [];
  #watching: (() => void)[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Whether one more may begin. */
  get isFree(): boolean {
    return this.#talking < this.#count && this.#talking + this.#aside < 2 * this.#count - 1;
  }

  /** Resolves when a lane was left. */
  freed(): Promise<void> {
    return new Promise((resolve) => {
      this.#watching.push(resolve);
    });
  }

  /** Takes a lane that is free. */
  enter(): void {
    this.#talking += 1;
  }

  /** Gives the lane to one that comes back, or to one that begins. */
  leave(): void {
    this.#talking -= 1;
    this.#returning.shift()?.();
    const watching = this.#watching;
    this.#watching = [];
    for (const tell of watching) tell();
  }

  /** Does something outside of the lane, and comes back. */
  async aside(work: () => Promise<void>): Promise<void> {
    this.#aside += 1;
    this.leave();
    try {
      await work();
    } finally {
      await this.#comeBack();
    }
  }

  async #comeBack(): Promise<void> {
    const enter = () => {
      this.#aside -= 1;
      this.enter();
    };
    if (this.#talking < this.#count) enter();
    else
      await new Promise<void>((resolve) => {
        this.#returning.push(() => {
          enter();
          resolve();
        });
      });
  }
}
