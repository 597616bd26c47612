/** The overview of a plan that is too long to read: the number of changes by kind and action. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { actionCounts, type Change } from "../../plan/model/plan.ts";
import { columns, padColumns } from "../format/columns.ts";
import { ACTIONS, type Wording } from "./wording.ts";

/** One line for each kind, and a last one about --verbose. */
export function overview(groups: ReadonlyMap<string, readonly Change[]>, wording: Wording): readonly string[] {
  const width = Math.max(...[...groups.keys()].map((kind) => columns(sanitised(kind))));
  const lines = [...groups].map(
    ([kind, changes]) => `  ${padColumns(sanitised(kind), width)}  ${countActions(changes, wording)}`,
  );
  const all = [...groups.values()].reduce((sum, changes) => sum + changes.length, 0);
  return [...lines, `  ${counted(all, "change")} counted by kind; --verbose shows all`];
}

/** The number of changes by action: `2 to create, 1 to move`. */
export function countActions(changes: readonly Change[], wording: Wording): string {
  const numbers = actionCounts(changes);
  return ACTIONS.filter((action) => numbers[action] > 0)
    .map((action) => wording.actions[action].count(numbers[action]))
    .join(", ");
}
