/** Makes the diagrams of a plan. */

import type { DiagramSource, Diagrams } from "./diagrams.ts";
import { formDiagram } from "./form.ts";
import { ladders } from "./ladders.ts";
import { ruleLists } from "./rule-lists.ts";

/** The diagrams of a plan, from what it was made from. */
export function planDiagrams(source: DiagramSource): Diagrams {
  const { plan, graph } = source;
  const form = formDiagram(source);
  return {
    references: graph.edgesAt(new Set(plan.changes.map(({ address }) => address))),
    ladders: ladders(source),
    ruleLists: ruleLists(source),
    ...(form === undefined ? {} : { form }),
  };
}
