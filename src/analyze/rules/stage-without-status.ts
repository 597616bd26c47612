/** A001: a lifecycle stage in which no status can be chosen. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about } from "../reading.ts";
import { isEnabled, type View } from "../view.ts";

const STAGES: readonly string[] = ["triage", "active", "closed", "canceled"];

export const stageWithoutStatus: Analyzer = {
  id: "A001",
  name: "stage-without-status",
  severity: "error",
  title: "A lifecycle stage has no enabled status.",
  why: "An incident cannot enter a stage that has no status: nobody can resolve or cancel it, and the service refuses to remove the last status of a stage half-way through an apply.",
  fix: "List an enabled status for each of the stages triage, active, closed and canceled.",
  find,
};

function* find(view: View): Iterable<Hit> {
  if (!view.manages("statuses")) return;
  // What is not listed stays and may well hold the stage.
  if (view.keepsUnlisted("statuses") && !view.sees("statuses")) return;
  const statuses = view.subjects("statuses");
  // A status whose stage the files leave to the service could be in any.
  if (statuses.some(({ fields }) => fields.lifecycle_stage === undefined)) return;
  for (const stage of STAGES) {
    const inStage = statuses.filter(({ fields }) => fields.lifecycle_stage === stage);
    if (inStage.some(isEnabled)) continue;
    const disabled = inStage.find(({ declared }) => declared !== undefined);
    yield disabled === undefined
      ? { message: `no status is listed for the stage ${stage}`, address: "statuses", at: view.listAt("statuses") }
      : { message: `every status of the stage ${stage} is disabled`, ...about(disabled, "/enabled") };
  }
}
