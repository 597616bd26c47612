/** A secret value that cannot leak by accident: printing, concatenation and JSON give a placeholder. */

import { timingSafeEqual } from "node:crypto";

const PLACEHOLDER = "[secret]";

/** A one-time token on its way from the response to the sink. Its private field is invisible to code that inspects objects. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value, for the sink. */
  reveal(): string {
    return this.#value;
  }

  /** Returns the first characters. */
  prefix(length: number): string {
    return this.#value.slice(0, length);
  }

  /** Compares with a value in constant time, which reveals the length only. */
  equals(value: string): boolean {
    const [own, other] = [Buffer.from(this.#value), Buffer.from(value)];
    return own.length === other.length && timingSafeEqual(own, other);
  }

  /** Returns the placeholder for text. */
  toString(): string {
    return PLACEHOLDER;
  }

  /** Returns the placeholder for JSON. */
  toJSON(): string {
    return PLACEHOLDER;
  }
}
