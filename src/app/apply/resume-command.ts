/** `resume`: finds out how an interrupted run ended, and carries out the rest of its plan. */

import { EXIT } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { programLine } from "../../core/sanitise.ts";
import { isUnfinished, remainingOperations } from "../../run/journal/journal-status.ts";
import type { Console } from "../console/console.ts";
import { continuationSource } from "../rotate/rotation-source.ts";
import { readApprovals } from "../run/approvals.ts";
import { continueRun } from "../run/continue-run.ts";
import { presentRun } from "../run/present-run.ts";
import { recoverRuns } from "../run/recover-runs.ts";
import { writeRun } from "../run/write-run.ts";
import type { ResumeOptions } from "./resume-definition.ts";

/** Finishes the last run. Exits with 0 if nothing remained, or everything is done and verified. */
export async function resume(options: ResumeOptions, io: Io, console: Console): Promise<number> {
  return writeRun(options, readApprovals(options, io, console), io, console, async (run) => {
    const { runs } = run;
    const open = await runs.unfinished();
    const last = await runs.latest();
    await recoverRuns(
      open.filter((one) => one.run !== last?.run),
      run,
    );
    if (last === undefined || (!isUnfinished(last.contents) && remainingOperations(last.contents).length === 0)) {
      console.note("Nothing to resume.");
      return EXIT.success;
    }
    const continued = await continueRun(last, run, {
      sourceOf: (plan) => continuationSource(plan, run),
      isSaved: false,
      typed: options,
      lineWith: (approvals) => programLine(["resume", ...approvals].join(" "), run.session.words),
    });
    await presentRun(continued, options, io, console);
    return continued.exit;
  });
}
