/** Warnings of an undo about resources that its run created and that stay. */

import type { Plan, Warning } from "../model/plan.ts";

/** A warning for each created resource that the plan does not delete, unless the plan says so already. */
export function undoRemainders(
  created: readonly string[],
  { changes, warnings }: Pick<Plan, "changes" | "warnings">,
): readonly Warning[] {
  return created.flatMap((address) => {
    const change = changes.find((one) => one.address === address);
    const isDeleted =
      change?.action === "delete" || changes.some(({ cascades }) => cascades?.includes(address) === true);
    if (isDeleted || warnings.some((warning) => warning.address === address)) return [];
    const message =
      change === undefined
        ? `${address} stays: the removal policy of the settings keeps its kind`
        : `${address} is disabled and not deleted: ${change.reason.replace("not in the configuration; ", "")}`;
    return [{ code: "W_UNDO", address, message }];
  });
}
