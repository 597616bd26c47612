/** A009: two entries that people cannot tell apart. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside, folded } from "../reading.ts";
import type { Subject, View } from "../view.ts";

export const sameName: Analyzer = {
  id: "A009",
  name: "same-name",
  severity: "warning",
  title: "Two entries of one kind have the same name, as people read it.",
  why: "Both stand in the same menu, half of the incidents get the one and half the other, and every count is wrong.",
  fix: "Give one of them another name, or keep only one.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const { subjects } of view.lists) {
    const firsts = new Map<string, Subject>();
    for (const subject of subjects) {
      const name = subject.value("name");
      if (typeof name !== "string") continue;
      const read = folded(name);
      const first = firsts.get(read);
      if (first === undefined) firsts.set(read, subject);
      else if (!bothPinned(first, subject)) yield hit(first, subject);
    }
  }
}

/** Pins are how the files say that two of one name are meant. */
function bothPinned(left: Subject, right: Subject): boolean {
  return left.declared?.pin !== undefined && right.declared?.pin !== undefined;
}

function hit(first: Subject, second: Subject): Hit {
  const [other, own] = second.declared === undefined ? [second, first] : [first, second];
  return {
    message: `${own.address} is named "${own.fields.name}", and ${other.address} "${other.fields.name}"`,
    ...about(own, "/name"),
    ...beside(other, "the other one", "/name"),
  };
}
