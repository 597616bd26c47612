/** The responses to the creations of a run. Several creations may have one address: an undo may create several resources of one name again. */

import type { Fields } from "../../core/json.ts";
import { foldedName } from "../../kinds/values/sameness.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { isRow } from "./row-match.ts";

/** The properties of an operation that determine which creations it is about. */
export type Creation = Pick<Operation, "id" | "address" | "depends_on">;

/** The responses to the creations of a run, without tokens. */
export class CreatedResources {
  readonly #byOperation = new Map<string, Fields>();
  /** The responses by operation, in the order of the creations, for each address. */
  readonly #byAddress = new Map<string, Map<string, Fields>>();

  /** The addresses that are the same in another form, by what they have in common. */
  readonly #byForm = new Map<string, Set<string>>();

  /** All responses, in their order. */
  readonly #writes: Fields[] = [];

  /** The response to the last update of each address. */
  readonly #updates = new Map<string, Fields>();

  /** Records the response to an update: it has the name that the service stored. */
  update({ address }: Pick<Creation, "address">, response: Fields): void {
    this.#updates.set(address, response);
    this.#writes.push(response);
  }

  /** Records the response to a creation. */
  set({ id, address }: Pick<Creation, "id" | "address">, response: Fields): void {
    this.#byOperation.set(id, response);
    this.#writes.push(response);
    const creations = this.#byAddress.get(address) ?? new Map<string, Fields>();
    this.#byAddress.set(address, creations.set(id, response));
    const form = foldedName(address);
    this.#byForm.set(form, (this.#byForm.get(form) ?? new Set()).add(address));
  }

  /** The response to the last update of an address. */
  updated({ address }: Pick<Creation, "address">): Fields | undefined {
    return this.#updates.get(address);
  }

  /** The response to the last write of a row with these fields. */
  written(row: Fields): Fields | undefined {
    return this.#writes.findLast((response) => isRow(response, row));
  }

  /** The response to the creation by an operation; undefined if it has created nothing. */
  by(operation: string): Fields | undefined {
    return this.#byOperation.get(operation);
  }

  /**
   * The response to the creation of an address that an operation depends on; of several, the last that it names, or else the last. That
   * to an update where nothing was created.
   */
  for({ depends_on: needed }: Pick<Creation, "depends_on">, address: string): Fields | undefined {
    const creations = [...(this.#byAddress.get(address) ?? [])];
    const named = creations.findLast(([id]) => needed.includes(id));
    return (named ?? creations.at(-1))?.[1] ?? this.#updates.get(address);
  }

  /** The responses to the other creations of the run. */
  others({ id }: Pick<Creation, "id">): readonly Fields[] {
    return [...this.#byOperation].flatMap(([other, response]) => (other === id ? [] : [response]));
  }

  /** The responses to other creations of an operation's address. */
  besides({ id, address }: Pick<Creation, "id" | "address">): readonly Fields[] {
    return [...(this.#byAddress.get(address) ?? [])].flatMap(([other, response]) => (other === id ? [] : [response]));
  }

  /** The responses to creations of other addresses that are an operation's in another form, such as in another case. */
  inOtherForms({ address }: Pick<Creation, "address">): readonly Fields[] {
    const others = [...(this.#byForm.get(foldedName(address)) ?? [])].filter((other) => other !== address);
    return others.flatMap((other) => [...(this.#byAddress.get(other)?.values() ?? [])]);
  }
}
