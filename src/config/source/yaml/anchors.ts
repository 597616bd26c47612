/** The anchors and aliases of one document, within the limits for what aliases may make of it. */

import type { Json } from "../../../core/json.ts";
import type { FileErrors } from "../file-errors.ts";
import type { Limits } from "../limits.ts";

/** A value that aliases can refer to. */
export interface AnchoredValue {
  readonly value: Json;
  /** In the offsets of the file. */
  readonly index: number;
}

interface Anchor {
  /** Undefined until the end of the value was read. */
  readonly anchored: AnchoredValue | undefined;
  /** Values in it, counted with its aliases written out. */
  readonly size: number;
}

export class Anchors {
  readonly #limits: Pick<Limits, "aliases" | "expansion">;
  readonly #errors: FileErrors;
  readonly #anchors = new Map<string, Anchor>();
  /** Values that are written, and values with the aliases written out. */
  #written = 0;
  #expanded = 0;
  #aliases = 0;

  constructor(limits: Pick<Limits, "aliases" | "expansion">, errors: FileErrors) {
    this.#limits = limits;
    this.#errors = errors;
  }

  /** Counts a value that begins, and remembers its anchor if it has one; returns how many values are before it. */
  begin(name: string | undefined): number {
    if (name !== undefined) this.#anchors.set(name, { anchored: undefined, size: 0 });
    this.#written += 1;
    this.#expanded += 1;
    return this.#expanded - 1;
  }

  /** From here on, aliases can refer to the value; `before` is what {@link begin} returned. */
  end(name: string, anchored: AnchoredValue, before: number): void {
    this.#anchors.set(name, { anchored, size: this.#expanded - before });
  }

  /** The value of the alias between two offsets; undefined if there is none. */
  resolve(name: string, start: number, end: number): AnchoredValue | undefined {
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) {
      const message = `there is no anchor "&${name}" above this alias`;
      const help = "An alias reaches only anchors of its own file, above it. Quote a text that begins with *.";
      this.#errors.add({ code: "E_ALIAS", message, help, start, end });
    } else if (anchor.anchored === undefined) {
      const message = `the alias "*${name}" is inside the value that it refers to`;
      const help = "Write the value out, or move the anchor.";
      this.#errors.add({ code: "E_CYCLE", message, help, start, end });
    } else {
      this.#count(anchor, start, end);
    }
    return anchor?.anchored;
  }

  #count({ size }: Anchor, start: number, end: number): void {
    const { aliases, expansion } = this.#limits;
    this.#aliases += 1;
    this.#expanded += size;
    // A small file always has some room.
    if (this.#aliases <= aliases && this.#expanded <= Math.max(this.#written, 100) * expansion) return;
    const help = `A file can have ${aliases} aliases, and they can make it ${expansion} times as large.`;
    this.#errors.refuse({ code: "E_ALIAS_LIMIT", message: "the aliases make the file too large", help, start, end });
  }
}
