/**
 * Changes a list of options so that no incident ends up with an option that it did not choose.
 *
 * The service matches a list by label. One dialect takes an unmatched sent label for an unmatched live one and renames it, history
 * included; the other removes and creates. So no list is sent in which both an unmatched live label and an unmatched sent one occur,
 * unless it is exactly one declared rename: first each rename, then the additions and the order beside everything that is live, and
 * last the list as declared, which the service may refuse.
 */

import type { Json } from "../../core/json.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { pendingRenames } from "../../workspace/match/option-match.ts";

/** One list to send, and what it does. */
export interface OptionListStep {
  readonly action: "rename" | "add" | "remove" | "order";
  readonly list: readonly string[];
  /** Labels that it adds or removes; of a rename the old one and the new one. */
  readonly labels: readonly string[];
}

/** The lists to send, in order, each with at most `most` options; none if the live labels are the declared ones. */
export function optionListSteps(
  live: readonly string[],
  declared: readonly Json[],
  most: number,
): readonly OptionListStep[] {
  const target = declared.map(optionLabel);
  const steps: OptionListStep[] = [];
  let current = live;
  const step = (action: OptionListStep["action"], list: readonly string[], labels: readonly string[]) => {
    if (list.length === current.length && list.every((label, index) => label === current[index])) return;
    steps.push({ action, list, labels });
    current = list;
  };
  for (const [from, to] of pendingRenames(live, declared)) {
    step(
      "rename",
      current.map((label) => (label === from ? to : label)),
      [from, to],
    );
  }
  const removed = current.filter((label) => !target.includes(label));
  const added = target.filter((label) => !current.includes(label));
  const common = target.filter((label) => current.includes(label));
  if (removed.length > 0 && added.length > 0) {
    const isTooLong = common.length + removed.length + added.length > most;
    if (!isTooLong) step("add", [...target, ...removed], added);
    else if (common.length > 0) step("remove", common, removed);
    else {
      // One old option stays until there are new ones: the list is never empty, and nothing is taken for a rename.
      const last = removed.slice(0, 1);
      const first = target.slice(0, most - 1);
      step("remove", last, removed.slice(1));
      step("add", [...first, ...last], first);
      step("remove", first, last);
    }
  } else if (
    removed.length > 0 &&
    current.filter((label) => target.includes(label)).some((label, at) => label !== common[at])
  ) {
    // A removal may be refused, and the order must hold then too.
    step("order", [...target, ...removed], []);
  }
  const finallyRemoved = current.filter((label) => !target.includes(label));
  const finallyAdded = target.filter((label) => !current.includes(label));
  if (finallyRemoved.length > 0) step("remove", target, finallyRemoved);
  else step(finallyAdded.length > 0 ? "add" : "order", target, finallyAdded);
  return steps;
}
