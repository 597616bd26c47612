/** A011: a default that no incident can start with. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import { isEnabled, type PlannedWorkspace } from "../planned-workspace.ts";

export const unusableDefault: Analyzer = {
  id: "A011",
  name: "unusable-default",
  severity: "error",
  title: "The default is disabled, or is a status of the stage closed or canceled.",
  why: "An incident that is declared without a status would be closed before anybody sees it, or could not be declared at all.",
  fix: "Make an enabled status of the stage triage or active the default.",
  find,
};

const ENDED: readonly unknown[] = ["closed", "canceled"];

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const kind of ["statuses", "severities"]) {
    if (!workspace.isManaged(kind)) continue;
    for (const resource of workspace.resources(kind)) {
      const { fields, declared } = resource;
      if (fields.default !== true || declared === undefined) continue;
      if (!isEnabled(resource)) {
        yield {
          message: `${resource.address} is the default and disabled`,
          ...placeOf(resource, `/${resource.kind.lifecycle.disable}`),
        };
      } else if (kind === "statuses" && ENDED.includes(fields.lifecycle_stage)) {
        const message = `${resource.address} is the default, but its stage is ${fields.lifecycle_stage}`;
        yield { message, ...placeOf(resource, "/lifecycle_stage") };
      }
    }
  }
}
