/** Edits of values, and the edits that turn one list into another. */

import { equal, type Json } from "../../core/json.ts";

/** An edit of a value. */
export type Edit =
  /** From its value after substitution to another. */
  | { readonly was: Json; readonly to: Json }
  /** Edits of members; undefined removes a member. New members follow `order`. */
  | { readonly members: ReadonlyMap<string, Edit | undefined>; readonly order?: readonly string[] }
  /** The items of a list afterwards. */
  | { readonly items: readonly ItemEdit[] };

/** An item by its index, perhaps edited, or a new one. */
export type ItemEdit = { readonly from: number; readonly edit?: Edit } | { readonly to: Json };

/** Aligns two lists: equal items stay (longest common subsequence), and the items between them are edited in order. */
export function alignItems(was: readonly Json[], to: readonly Json[]): readonly ItemEdit[] {
  const common = commonItems(was, to);
  const edits: ItemEdit[] = [];
  let [left, right] = [0, 0];
  for (const [from, at] of [...common, [was.length, to.length] as const]) {
    for (; right < at; right++, left++) {
      const next = to[right] ?? null;
      const before = was[left];
      if (left < from && before !== undefined) edits.push({ from: left, edit: { was: before, to: next } });
      else edits.push({ to: next });
    }
    if (from < was.length) edits.push({ from });
    [left, right] = [from + 1, at + 1];
  }
  return edits;
}

/** The longest common subsequence, as pairs of indexes. */
function commonItems(was: readonly Json[], to: readonly Json[]): readonly (readonly [number, number])[] {
  const best: number[][] = Array.from({ length: was.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
  const at = (left: number, right: number): number => best[left]?.[right] ?? 0;
  for (let left = was.length - 1; left >= 0; left--) {
    for (let right = to.length - 1; right >= 0; right--) {
      const row = best[left];
      if (row === undefined) continue;
      row[right] = equal(was[left] ?? null, to[right] ?? null)
        ? at(left + 1, right + 1) + 1
        : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let left = 0, right = 0; left < was.length && right < to.length; ) {
    if (equal(was[left] ?? null, to[right] ?? null)) pairs.push([left++, right++]);
    else if (at(left + 1, right) >= at(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}
