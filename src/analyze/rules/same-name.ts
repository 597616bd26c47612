/** A009: two resources that look the same. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { foldedText, placeOf, relatedPlace } from "../field-values.ts";
import type { Subject, View } from "../view.ts";

export const sameName: Analyzer = {
  id: "A009",
  name: "same-name",
  severity: "warning",
  title: "Two resources of one kind have the same name, apart from case and white space.",
  why: "Responders see both in the same menu, so incidents are split between them and every report is wrong.",
  fix: "Rename one of them, or keep only one.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { subjects } of view.lists) {
    const firsts = new Map<string, Subject>();
    for (const subject of subjects) {
      const name = subject.value("name");
      if (typeof name !== "string") continue;
      const read = foldedText(name);
      const first = firsts.get(read);
      if (first === undefined) firsts.set(read, subject);
      else if (!bothPinned(first, subject)) yield hit(first, subject);
    }
  }
}

/** Whether both are pinned, which declares that the same name is intended. */
function bothPinned(left: Subject, right: Subject): boolean {
  return left.declared?.pin !== undefined && right.declared?.pin !== undefined;
}

function hit(first: Subject, second: Subject): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  return {
    message: `${own.address} is named "${own.fields.name}" and ${other.address} "${other.fields.name}"`,
    ...placeOf(own, "/name"),
    ...relatedPlace(other, "the other one", "/name"),
  };
}
