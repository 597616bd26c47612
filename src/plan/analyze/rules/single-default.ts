/** A002: a list without exactly one default. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf, relatedPlace } from "../field-values.ts";
import type { PlannedWorkspace } from "../planned-workspace.ts";

export const singleDefault: Analyzer = {
  id: "A002",
  name: "single-default",
  severity: "warning",
  title: "The severities or the statuses have no default, or several.",
  why: "Incidents that are declared without a value then start with whatever was last set by hand, which may be the wrong one.",
  fix: "Set default: true on exactly one enabled severity and on exactly one enabled status.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const kind of ["severities", "statuses"]) {
    const resources = workspace.resources(kind);
    if (!workspace.isManaged(kind) || resources.length === 0) continue;
    const [first, ...others] = resources.filter(({ fields }) => fields.default === true);
    if (first === undefined) {
      yield { message: `none of the ${kind} is the default`, address: kind, at: workspace.listAt(kind) };
    }
    for (const other of others) {
      if (first === undefined) continue;
      yield {
        message: `${other.address} and ${first.address} are both the default`,
        ...placeOf(other, "/default"),
        ...relatedPlace(first, "the first default", "/default"),
      };
    }
  }
}
