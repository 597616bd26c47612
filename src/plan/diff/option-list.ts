/**
 * Changes a list of options so that no incident ends up with an option that it did not choose.
 *
 * The service matches a list by label. One dialect takes an unmatched sent label for an unmatched live one and renames it, history
 * included; the other removes and creates. So no list is sent in which both an unmatched live label and an unmatched sent one occur,
 * unless it is exactly one declared rename: first each rename, then the additions and the order beside everything that is live, and
 * last the list as declared, which the service may refuse.
 */

import type { Json } from "../../core/json.ts";
import { optionLabel } from "../../kinds/option-label.ts";
import { pendingRenames } from "../../match/option-match.ts";

/** One list to send, and what it does. */
export interface OptionListStep {
  readonly does: "rename" | "add" | "remove" | "order";
  readonly list: readonly string[];
  /** Labels that it adds or removes; of a rename the old one and the new one. */
  readonly labels: readonly string[];
}

/** The most options that a field may have (interface, "Limits"). */
const MOST_OPTIONS = 100;

/** The lists to send, in order; none if the live labels are the declared ones. */
export function optionListSteps(live: readonly string[], declared: readonly Json[]): readonly OptionListStep[] {
  const target = declared.map(optionLabel);
  const steps: OptionListStep[] = [];
  let now = live;
  const step = (does: OptionListStep["does"], list: readonly string[], labels: readonly string[]) => {
    if (list.length === now.length && list.every((label, index) => label === now[index])) return;
    steps.push({ does, list, labels });
    now = list;
  };
  for (const [from, to] of pendingRenames(live, declared)) {
    step(
      "rename",
      now.map((label) => (label === from ? to : label)),
      [from, to],
    );
  }
  const removed = now.filter((label) => !target.includes(label));
  const added = target.filter((label) => !now.includes(label));
  const kept = target.filter((label) => now.includes(label));
  if (removed.length > 0 && added.length > 0) {
    const isTooLong = kept.length + removed.length + added.length > MOST_OPTIONS && kept.length > 0;
    if (isTooLong) step("remove", kept, removed);
    else step("add", [...target, ...removed], added);
  } else if (
    removed.length > 0 &&
    now.filter((label) => target.includes(label)).some((label, at) => label !== kept[at])
  ) {
    // A removal may be refused, and the order must hold then too.
    step("order", [...target, ...removed], []);
  }
  const stillRemoved = now.filter((label) => !target.includes(label));
  const stillAdded = target.filter((label) => !now.includes(label));
  if (stillRemoved.length > 0) step("remove", target, stillRemoved);
  else step(stillAdded.length > 0 ? "add" : "order", target, stillAdded);
  return steps;
}
