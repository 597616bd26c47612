/** A009: two resources that look the same. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { foldedText, placeOf, relatedPlace } from "../field-values.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";

export const sameName: Analyzer = {
  id: "A009",
  name: "same-name",
  severity: "warning",
  title: "Two resources of one kind have the same name, apart from case and white space.",
  why: "Responders see both in the same menu, so incidents are split between them and every report is wrong.",
  fix: "Rename one of them, or keep only one.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const { resources } of workspace.lists) {
    const firsts = new Map<string, PlannedResource>();
    for (const resource of resources) {
      const name = resource.value("name");
      if (typeof name !== "string") continue;
      const folded = foldedText(name);
      const first = firsts.get(folded);
      if (first === undefined) firsts.set(folded, resource);
      else if (!bothPinned(first, resource)) yield toHit(first, resource);
    }
  }
}

/** Whether both are pinned, which declares that the same name is intended. */
function bothPinned(left: PlannedResource, right: PlannedResource): boolean {
  return left.declared?.pin !== undefined && right.declared?.pin !== undefined;
}

function toHit(first: PlannedResource, second: PlannedResource): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  return {
    message: `${own.address} is named "${own.fields.name}" and ${other.address} "${other.fields.name}"`,
    ...placeOf(own, "/name"),
    ...relatedPlace(other, "the other one", "/name"),
  };
}
