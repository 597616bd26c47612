/** What a plan says of each list in which the first match wins: what happens to it, in how many writes, and what an alert may get meanwhile. */

import { sanitised } from "../../core/sanitise.ts";
import type { Plan, RankedTransition } from "../../plan/plan.ts";
import { counted } from "../format/value.ts";

/** The lines of one kind: one for each list, and a second one where some answers are neither the old ones nor the new ones. */
export function transitionLines({ transitions = [] }: Plan, kind: string): readonly string[] {
  return transitions.filter((transition) => transition.kind === kind).flatMap(linesOf);
}

function linesOf(transition: RankedTransition): readonly string[] {
  const [first, ...rest] = transitionSentences(transition);
  return [`  = ${first}`, ...rest.map((line) => `      ${line}`)];
}

/** What happens to one list and how, safe to show; a second sentence where some answers are neither the old ones nor the new ones. */
export function transitionSentences(transition: RankedTransition): readonly string[] {
  const { address, edited, moved, added, removed, writes, window, exposed } = transition;
  const parts = [
    [edited, "edited"],
    [moved, "moved"],
    [added, "added"],
    [removed, "removed"],
  ] as const;
  const what = parts.filter(([count]) => count > 0).map(([count, done]) => `${count} ${done}`);
  const how = `${sanitised(address)}: ${what.join(", ")} in ${counted(writes, "write")}; `;
  if (window === 0) return [`${how}at every moment each alert gets its old answer or its new one`];
  const rules = exposed.length > 1 ? `${exposed[0]} to ${exposed.at(-1)}` : exposed.join();
  return [
    `${how}during ${counted(window, "write")} some alerts get neither their old answer nor their new one`,
    `exposed is what ${sanitised(rules)} ${exposed.length > 1 ? "decide" : "decides"}; --accept-routing-window agrees to it`,
  ];
}
