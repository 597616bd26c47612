/** The summary of each ranked list in a plan: what changes, in how many writes, and whether a routing gap opens. */

import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Plan, RankedTransition } from "../../plan/model/plan.ts";

/** The lines of one kind: one for each list, and a second one if a routing gap opens. */
export function transitionLines({ transitions = [] }: Plan, kind: string): readonly string[] {
  return transitions.filter((transition) => transition.kind === kind).flatMap(linesOf);
}

function linesOf(transition: RankedTransition): readonly string[] {
  const [first, ...rest] = transitionSentences(transition);
  return [`  = ${first}`, ...rest.map((line) => `      ${line}`)];
}

/** The changes of a list and its writes, safe to show; a second sentence says what a routing gap affects. */
export function transitionSentences(transition: RankedTransition): readonly string[] {
  const { address, edited, moved, added, removed, writes, window, exposed } = transition;
  const parts = [
    [edited, "edited"],
    [moved, "moved"],
    [added, "added"],
    [removed, "removed"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, done]) => `${count} ${done}`);
  const opening = `${sanitised(address)}: ${counts.join(", ")} in ${counted(writes, "write")}; `;
  if (window === 0) return [`${opening}no routing gap: the old or the new rules apply throughout`];
  const rules = exposed.length > 1 ? `${exposed[0]} to ${exposed.at(-1)}` : exposed.join();
  return [
    `${opening}routing gap: during ${counted(window, "write")} some alerts get neither their old nor their new outcome`,
    `affected: ${sanitised(rules)}; requires --accept-routing-window`,
  ];
}
