/** A value that nobody is told by accident: what prints it, joins it to a text or makes JSON of it gets a placeholder. */

import { timingSafeEqual } from "node:crypto";

const PLACEHOLDER = "[secret]";

/** A one-time token on its way from the answer to the sink. What looks into objects does not see a private field. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the sink. */
  reveal(): string {
    return this.#value;
  }

  /** Its first characters, as many as are public. */
  start(length: number): string {
    return this.#value.slice(0, length);
  }

  /** Whether it is this value; how long that takes tells nothing of it but its length. */
  is(value: string): boolean {
    const [own, other] = [Buffer.from(this.#value), Buffer.from(value)];
    return own.length === other.length && timingSafeEqual(own, other);
  }

  /** What stands for it in a text. */
  toString(): string {
    return PLACEHOLDER;
  }

  /** What stands for it in JSON. */
  toJSON(): string {
    return PLACEHOLDER;
  }
}
