/** A plan too long to read, kind by kind: how many of each action. */

import { sanitised } from "../../core/sanitise.ts";
import type { Action, Change } from "../../plan/plan.ts";
import { columns, padded } from "../format/columns.ts";
import { counted } from "../format/value.ts";
import { ACTIONS, type Wording } from "./wording.ts";

/** One line for each kind, and how to see the rest. */
export function overview(groups: ReadonlyMap<string, readonly Change[]>, wording: Wording): readonly string[] {
  const width = Math.max(...[...groups.keys()].map((kind) => columns(sanitised(kind))));
  const lines = [...groups].map(
    ([kind, changes]) => `  ${padded(sanitised(kind), width)}  ${totals(changes, wording)}`,
  );
  const all = [...groups.values()].reduce((sum, changes) => sum + changes.length, 0);
  return [
    ...lines,
    `  ${counted(all, "change")} summarised by kind; --verbose shows each, --format json holds them all`,
  ];
}

/** What happens to these, counted: `2 to create, 1 to move`. */
export function totals(changes: readonly Change[], wording: Wording): string {
  const numbers = new Map<Action, number>();
  for (const { action } of changes) numbers.set(action, (numbers.get(action) ?? 0) + 1);
  return ACTIONS.flatMap((action) => {
    const number = numbers.get(action);
    return number === undefined ? [] : [wording.actions[action].count(number)];
  }).join(", ");
}

/** The items by what `by` says of each, in the order in which they come. */
export function grouped<Item>(
  items: readonly Item[],
  by: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(by(item));
    if (group === undefined) groups.set(by(item), [item]);
    else group.push(item);
  }
  return groups;
}
