/** A010: a new required field on the declare form. */

import { objectsIn } from "../../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import type { PlannedWorkspace } from "../planned-workspace.ts";

export const declareFormDemand: Analyzer = {
  id: "A010",
  name: "declare-form-demand",
  severity: "warning",
  title: "The declare form requires a custom field, and programs that do not send it can no longer declare incidents.",
  why: "The service checks declarations through the API against the declare form. A monitor that declared incidents yesterday is refused today, and nobody sees the refusal.",
  fix: "Make the field optional on the declare form and required on the resolve form. Or change every program to send it, and then waive this finding.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  if (!workspace.isManaged("forms", "declare")) return;
  for (const field of workspace.resources("forms", "declare")) {
    const { fields, declared, live } = field;
    if (declared === undefined || typeof fields.custom_field !== "string") continue;
    if (fields.required !== true || fields.visible === false) continue;
    // The live form already requires it.
    if (live?.fields.required === true && live.fields.visible !== false) continue;
    const conditional = objectsIn(fields.conditions).length > 0;
    yield {
      message: `declarations through the API fail without ${fields.custom_field}${conditional ? " if its conditions hold" : ""}`,
      ...placeOf(field, "/required"),
      ...(conditional ? { severity: "note" } : {}),
    };
  }
}
