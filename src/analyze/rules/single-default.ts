/** A002: a list whose default nobody knows. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, beside } from "../reading.ts";
import type { View } from "../view.ts";

export const singleDefault: Analyzer = {
  id: "A002",
  name: "single-default",
  severity: "warning",
  title: "A list of severities or statuses has no default, or two.",
  why: "What an incident begins with when nobody says is then whatever somebody last clicked, and a declaration made in a hurry gets the wrong one.",
  fix: "Write default: true on exactly one enabled entry of the list.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const kind of ["severities", "statuses"]) {
    const subjects = view.subjects(kind);
    if (!view.manages(kind) || subjects.length === 0) continue;
    const [first, ...others] = subjects.filter(({ fields }) => fields.default === true);
    if (first === undefined) {
      yield { message: `none of the ${kind} is the default`, address: kind, at: view.listAt(kind) };
    }
    for (const other of others) {
      if (first === undefined) continue;
      yield {
        message: `${other.address} is the default, and so is ${first.address}`,
        ...about(other, "/default"),
        ...beside(first, "the first default", "/default"),
      };
    }
  }
}
