/** Edits of the lists of one file. */

import type { Edit } from "../../config/edit/list-change.ts";

/** Edits of the lists of one file, by path. */
export class EditTree {
  readonly #inner = new Map<string, EditTree>();
  #edit: Edit | undefined;

  /** Sets the edit at a path; undefined removes the value. */
  put([first, ...rest]: readonly string[], edit: Edit | undefined): void {
    if (first === undefined) {
      this.#edit = edit;
      return;
    }
    const inner = this.#inner.get(first) ?? new EditTree();
    inner.put(rest, edit);
    this.#inner.set(first, inner);
  }

  edit(): Edit | undefined {
    if (this.#inner.size === 0) return this.#edit;
    return { members: new Map([...this.#inner].map(([name, inner]) => [name, inner.edit()])) };
  }
}
