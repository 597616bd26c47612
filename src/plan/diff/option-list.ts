/**
 * Changing a list of options so that no incident ends up with an option it did not mean.
 *
 * The service matches a resent list by label. One dialect takes an unmatched sent label for an unmatched live one and
 * renames it, history included; the other removes and creates. So no list is ever sent in which both an unmatched live
 * label and an unmatched sent one occur, unless it is exactly one declared rename: first each rename, then the
 * additions and the order beside everything that is there, and last the list as declared, which the service may refuse.
 */

import { isList, type Json } from "../../core/json.ts";
import { optionLabel } from "../../kinds/option-label.ts";
import { renames } from "./compare.ts";

/** Live labels that are in no declared list and are not renamed: they would be taken away. */
export function doomedChoices(live: readonly string[], declared: readonly Json[]): readonly string[] {
  const wanted = new Set(declared.map(optionLabel));
  const renamed = new Set(renames(live, declared).map(([from]) => from));
  return live.filter((choice) => !wanted.has(choice) && !renamed.has(choice));
}

/** What one list offers and another no longer does; nothing where the other says nothing of it. */
export function withdrawn(live: Json | undefined, stated: Json | undefined): readonly Json[] {
  return isList(live) && isList(stated) ? live.filter((value) => !stated.includes(value)) : [];
}

/** One list to send, and what it does. */
export interface ChoiceStep {
  readonly does: "rename" | "add" | "remove" | "order";
  readonly list: readonly string[];
  /** Labels that it adds or removes; of a rename the old one and the new one. */
  readonly labels: readonly string[];
}

/** The most options that a field may have. */
const MOST = 100;

/** The lists to send, in order; none when the live labels are already the declared ones. */
export function choiceSteps(live: readonly string[], declared: readonly Json[]): readonly ChoiceStep[] {
  const wanted = declared.map(optionLabel);
  const steps: ChoiceStep[] = [];
  let now = live;
  const step = (does: ChoiceStep["does"], list: readonly string[], labels: readonly string[]) => {
    if (list.length === now.length && list.every((item, index) => item === now[index])) return;
    steps.push({ does, list, labels });
    now = list;
  };
  for (const [from, to] of renames(live, declared)) {
    step(
      "rename",
      now.map((item) => (item === from ? to : item)),
      [from, to],
    );
  }
  const doomed = now.filter((item) => !wanted.includes(item));
  const fresh = wanted.filter((item) => !now.includes(item));
  const kept = wanted.filter((item) => now.includes(item));
  if (doomed.length > 0 && fresh.length > 0) {
    if (kept.length + doomed.length + fresh.length > MOST && kept.length > 0) step("remove", kept, doomed);
    else step("add", [...wanted, ...doomed], fresh);
  } else if (doomed.length > 0 && now.filter((item) => wanted.includes(item)).some((item, at) => item !== kept[at])) {
    // A removal may be refused, and the order is to stand then too.
    step("order", [...wanted, ...doomed], []);
  }
  const gone = now.filter((item) => !wanted.includes(item));
  const added = wanted.filter((item) => !now.includes(item));
  step(gone.length > 0 ? "remove" : added.length > 0 ? "add" : "order", wanted, gone.length > 0 ? gone : added);
  return steps;
}
