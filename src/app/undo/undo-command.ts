/** `undo`: plans the inverse of a run from its journal. It cannot write to the service. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { programLine, quoted, type RunWords, sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { sealOnDemand } from "../../plan/checks/seal.ts";
import { isUnfinished, lastSettlements, remainingOperations, runEnding } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import { prettyJson } from "../../view/format/json.ts";
import { planView } from "../../view/plan/plan-view.ts";
import { isEmpty } from "../../view/plan/verdict.ts";
import type { Console } from "../console/console.ts";
import { planTexts } from "../console/plan-formats.ts";
import { present } from "../console/present.ts";
import { approvalsFor } from "../run/approvals.ts";
import { openRuns, type Runs, warnOfOtherRuns } from "../run/runs.ts";
import { savePlan } from "../saved-plan/saved-plan.ts";
import { applyWords, savedNote } from "../session/command-line.ts";
import { openReading } from "../session/session.ts";
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
    const run = chooseRun(all, options.run, runs, session.words);
    const saved = options.out !== undefined;
    const made = await planUndo(run, await undoInput(run, all, session), session, { identify: saved });
    const { plan } = made;
    const sealed = sealOnDemand(plan, made, { saved });
    const words = applyWords(options, session.configuration.settings, options.out ?? "undo.plan");
    await present(
      planTexts(planView(plan, { applyWords: words, words: session.words }), sealed, io, made.diagrams),
      options,
      io,
      console,
    );
    if (options.out !== undefined) {
      await savePlan(sealed(), options.out, io, console);
      console.note(savedNote(plan, options, options.out, session.configuration.settings, approvalsFor(plan, {})));
    } else if (!isEmpty(plan)) {
      const [first, then] = [
        `undo --run ${run.run} --out undo.plan`,
        ["apply", ...approvalsFor(plan, {}), "--plan undo.plan"].join(" "),
      ];
      console.note(
        `Nothing was written. To undo the run: ${programLine(first, session.words)}, then ${programLine(then, session.words)}`,
      );
    }
    return EXIT.success;
  } finally {
    session.close();
  }
}

/** The run of that number, or the last one that wrote. Stops if there is none, or if it was interrupted. */
function chooseRun(all: readonly RecordedRun[], run: string | undefined, runs: Runs, words: RunWords): RecordedRun {
  if (run !== undefined && !/^[0-9]{1,9}$/.test(run))
    throw misuse(`--run takes a number from undo --list, not ${quoted(run)}`);
  const chosen = all.find((one) => (run === undefined ? hasWritten(one) : Number(one.run) === Number(run)));
  if (chosen === undefined) {
    const subject = run === undefined ? "no run that wrote to this service" : `no run ${run} of this service`;
    throw new Stop(
      EXIT.error,
      `there is ${subject} in ${runs.displayPath(runs.folder)}; list the runs with ${programLine("undo --list", words)}`,
    );
  }
  const { rotates } = chosen.contents.begin.plan;
  if (rotates !== undefined) {
    const resources = sanitised(rotates.join(", "));
    throw new Stop(
      EXIT.error,
      `run ${chosen.run} rotated the tokens of ${resources}, and a revoked token cannot be restored; to undo an earlier run, name it with --run`,
    );
  }
  if (isUnfinished(chosen.contents)) {
    throw new Stop(
      EXIT.error,
      `run ${chosen.run} was interrupted; finish it first with ${programLine("resume", words)}`,
    );
  }
  return chosen;
}

function hasWritten({ contents }: RecordedRun): boolean {
  return lastSettlements(contents).some(({ status }) => status === "done" || status === "fell_back");
}

function runsJson(all: readonly RecordedRun[]): string {
  return prettyJson({ runs: all.map(summaryOf) });
}

function summaryOf({ run, path, contents }: RecordedRun): object {
  const { at, plan } = contents.begin;
  return {
    run,
    at,
    ended: runEnding(contents) ?? null,
    operations: plan.operations.length,
    open: remainingOperations(contents).length,
    ...(plan.undoes === undefined ? {} : { undoes: plan.undoes }),
    journal: path,
  };
}

/** The runs as text, a line each. */
function runsText(all: readonly RecordedRun[], runs: Runs): string {
  if (all.length === 0) return `No runs in ${sanitised(runs.displayPath(runs.folder))}.\n`;
  const lines = all.map(({ run, contents }) => {
    const { at, plan } = contents.begin;
    const total = plan.operations.length;
    const done = total - remainingOperations(contents).length;
    const origin =
      plan.rotates !== undefined
        ? `, rotates ${plan.rotates.join(", ")}`
        : plan.undoes === undefined
          ? ""
          : `, undoes run ${plan.undoes}`;
    return `${run}  ${at}  ${runEnding(contents) ?? "unfinished"}, ${done} of ${counted(total, "operation")} done${origin}`;
  });
  return `${lines.map(sanitised).join("\n")}\n`;
}
