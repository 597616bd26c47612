/**
 * Appends to lists whose rows have no names, only ranks. Somebody who appends at the same time shows only in the list: before an append
 * it must have the rows that it had when the plan was made and those that this run has appended since.
 */

import type { Fields } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import type { CreatedResources } from "../exchange/created-resources.ts";
import { identityOf } from "../exchange/row-match.ts";

/** An append of the plan. */
interface Append {
  /** Identities of the rows when the plan was made. */
  readonly rows: readonly Fields[];
  /** The appends of the plan to the same list, of which the first `position` are earlier. */
  readonly appends: Operation[];
  readonly position: number;
}

/** A list before an append. */
export interface ExpectedList {
  /** Identities of the rows that it must have. */
  readonly rows: readonly Fields[];
  /** Some of them were appended by this run. */
  readonly isOurs: boolean;
}

/** The rows that each list must have before an operation of the plan appends to it. */
export class ExpectedLists {
  readonly #created: CreatedResources;
  readonly #byOperation = new Map<string, Append>();

  constructor(operations: readonly Operation[], created: CreatedResources) {
    this.#created = created;
    const lists = new Map<string, Pick<Append, "rows" | "appends">>();
    for (const operation of operations) {
      const { guard, method } = operation;
      if (method !== "POST" || guard === undefined || guard.names !== undefined) continue;
      const name = JSON.stringify([guard.path, guard.query]);
      const list = guard.known === undefined ? lists.get(name) : { rows: guard.known, appends: [] };
      if (list === undefined) continue;
      this.#byOperation.set(operation.id, { ...list, position: list.appends.length });
      list.appends.push(operation);
      lists.set(name, list);
    }
  }

  /** The list before an append; undefined if the plan does not say it, or the operation is no append. */
  before({ id }: Operation): ExpectedList | undefined {
    const append = this.#byOperation.get(id);
    if (append === undefined) return undefined;
    const added = append.appends.slice(0, append.position).flatMap((earlier) => {
      const row = this.#created.by(earlier.id);
      return row === undefined || earlier.guard === undefined ? [] : [identityOf(row, earlier.guard)];
    });
    return { rows: [...append.rows, ...added], isOurs: added.length > 0 };
  }
}
