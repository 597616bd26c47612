/** The responses to the creations of a run. Several creations may have one address: an undo may create several resources of one name again. */

import type { Fields } from "../../core/json.ts";
import type { Operation } from "../../plan/plan.ts";

/** The properties of an operation that determine which creations it is about. */
export type Creation = Pick<Operation, "id" | "address" | "depends_on">;

/** The responses to the creations of a run, without tokens. */
export class CreatedResources {
  /** By operation, in the order of the creations. */
  readonly #responses = new Map<string, { readonly address: string; readonly response: Fields }>();

  /** Records the response to a creation. */
  set({ id, address }: Pick<Creation, "id" | "address">, response: Fields): void {
    this.#responses.set(id, { address, response });
  }

  /** The response to the creation by an operation; undefined if it has created nothing. */
  by(operation: string): Fields | undefined {
    return this.#responses.get(operation)?.response;
  }

  /** The response to the creation of an address that an operation depends on; of several, the last that it names, or else the last. */
  for({ depends_on: needed }: Pick<Creation, "depends_on">, address: string): Fields | undefined {
    const creations = [...this.#responses].filter(([, one]) => one.address === address);
    return (creations.findLast(([id]) => needed.includes(id)) ?? creations.at(-1))?.[1].response;
  }

  /** The responses to other creations of an operation's address. */
  besides({ id, address }: Pick<Creation, "id" | "address">): readonly Fields[] {
    return [...this.#responses].flatMap(([other, one]) =>
      other !== id && one.address === address ? [one.response] : [],
    );
  }
}
