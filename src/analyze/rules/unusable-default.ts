/** A011: a default that no incident can begin with. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about } from "../reading.ts";
import { isEnabled, type View } from "../view.ts";

export const unusableDefault: Analyzer = {
  id: "A011",
  name: "unusable-default",
  severity: "error",
  title: "The default is disabled, or is a status of a closed stage.",
  why: "An incident that is declared without a status would be over before anybody looks at it, or could not be declared at all.",
  fix: "Make an enabled status of the stage triage or active the default first.",
  find,
};

const OVER: readonly unknown[] = ["closed", "canceled"];

function* find(view: View): Iterable<Hit> {
  for (const kind of ["statuses", "severities"]) {
    if (!view.manages(kind)) continue;
    for (const entry of view.subjects(kind)) {
      const { fields, declared } = entry;
      if (fields.default !== true || declared === undefined) continue;
      if (!isEnabled(entry)) {
        yield {
          message: `${entry.address} is the default and disabled`,
          ...about(entry, `/${entry.kind.lifecycle.disable}`),
        };
      } else if (kind === "statuses" && OVER.includes(fields.lifecycle_stage)) {
        const message = `${entry.address} is the default, but its stage is ${fields.lifecycle_stage}`;
        yield { message, ...about(entry, "/lifecycle_stage") };
      }
    }
  }
}
