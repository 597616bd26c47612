/** A001: a lifecycle stage without an enabled status. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { placeOf } from "../field-values.ts";
import { isEnabled, type PlannedWorkspace } from "../planned-workspace.ts";

const STAGES: readonly string[] = ["triage", "active", "closed", "canceled"];

export const stageWithoutStatus: Analyzer = {
  id: "A001",
  name: "stage-without-status",
  severity: "error",
  title: "A lifecycle stage has no enabled status.",
  why: "An incident cannot enter a stage without a status, so nobody can resolve or cancel it. The service also refuses to remove the last status of a stage, in the middle of an apply.",
  fix: "Declare an enabled status for each of the stages triage, active, closed and canceled.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  if (!workspace.isManaged("statuses")) return;
  // A live status that is not declared is preserved and may be in any stage.
  if (workspace.mayPreserveUndeclared("statuses") && !workspace.isRead("statuses")) return;
  const statuses = workspace.resources("statuses");
  // A status whose stage is not declared may be in any stage.
  if (statuses.some(({ fields }) => fields.lifecycle_stage === undefined)) return;
  for (const stage of STAGES) {
    const inStage = statuses.filter(({ fields }) => fields.lifecycle_stage === stage);
    if (inStage.some(isEnabled)) continue;
    const disabled = inStage.find(({ declared }) => declared !== undefined);
    yield disabled === undefined
      ? {
          message: `no status is declared for the stage ${stage}`,
          address: "statuses",
          at: workspace.listAt("statuses"),
        }
      : { message: `every status of the stage ${stage} is disabled`, ...placeOf(disabled, "/enabled") };
  }
}
