/** `undo`: plans the inverse of a run from its journal. It cannot write to the service. */

import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { sealOnDemand } from "../../plan/checks/seal.ts";
import { planView } from "../../view/plan/plan-view.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import type { Console } from "../console/console.ts";
import { planTexts } from "../console/plan-formats.ts";
import { present } from "../console/present.ts";
import { approvalsFor } from "../run/approvals.ts";
import { openRuns, warnOfOtherRuns } from "../run/runs.ts";
import { savePlan } from "../saved-plan/saved-plan.ts";
import { savedNote } from "../session/command-line.ts";
import { openReading } from "../session/session.ts";
import { chooseRun, runsJson, runsText } from "./choose-run.ts";
import { planUndo, undoInput } from "./desired-state.ts";
import type { UndoOptions } from "./undo-definition.ts";

/** Makes and prints the plan that undoes a run. */
export async function undo(options: UndoOptions, io: Io, console: Console): Promise<number> {
  if (options.list === true && (options.run ?? options.out) !== undefined) {
    throw misuse("--list cannot be used with --run or --out");
  }
  const session = await openReading(options, io, console);
  try {
    const runs = openRuns(session, {}, io, console);
    const all = await runs.all();
    if (options.list === true) {
      console.print(options.format === "json" ? runsJson(all) : runsText(all, runs));
      return EXIT.success;
    }
    await warnOfOtherRuns(session, io, console);
    const run = chooseRun(all, options.run, runs);
    const saved = options.out !== undefined;
    const made = await planUndo(run, await undoInput(run, session), session, { identify: saved });
    const { plan } = made;
    const sealed = sealOnDemand(plan, made, { saved });
    await present(planTexts(planView(plan), sealed, io, made.diagrams), options, io, console);
    if (options.out !== undefined) {
      await savePlan(sealed(), options.out, session, io, console);
      console.note(savedNote(plan, options, options.out, session.configuration.settings, approvalsFor(plan, {})));
    } else if (!isEmpty(plan)) {
      console.note(
        "Nothing was written. To undo the run: incidentctl undo --out undo.plan, then apply --plan undo.plan",
      );
    }
    return EXIT.success;
  } finally {
    session.close();
  }
}
