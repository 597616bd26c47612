/** The runs that can be undone: one of them, and a list of all. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { isUnfinished, lastSettlements, remainingOperations, runEnding } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import { prettyJson } from "../../view/format/json.ts";
import type { Runs } from "../run/runs.ts";

/** The run of that number, or the last one that wrote. Stops if there is none, or if it was interrupted. */
export function chooseRun(all: readonly RecordedRun[], run: string | undefined, runs: Runs): RecordedRun {
  if (run !== undefined && !/^[0-9]{1,9}$/.test(run))
    throw misuse(`--run takes a number from undo --list, not ${quoted(run)}`);
  const chosen = all.find((one) => (run === undefined ? hasWritten(one) : Number(one.run) === Number(run)));
  if (chosen === undefined) {
    const subject = run === undefined ? "no run that wrote to this service" : `no run ${run} of this service`;
    throw new Stop(
      EXIT.error,
      `there is ${subject} in ${runs.displayPath(runs.folder)}; list the runs with undo --list`,
    );
  }
  if (isUnfinished(chosen.contents)) {
    throw new Stop(EXIT.error, `run ${chosen.run} was interrupted; finish it first with incidentctl resume`);
  }
  return chosen;
}

function hasWritten({ contents }: RecordedRun): boolean {
  return lastSettlements(contents).some(({ status }) => status === "done" || status === "fell_back");
}

/** The runs as JSON. */
export function runsJson(all: readonly RecordedRun[]): string {
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
export function runsText(all: readonly RecordedRun[], runs: Runs): string {
  if (all.length === 0) return `No runs in ${sanitised(runs.displayPath(runs.folder))}.\n`;
  const lines = all.map(({ run, contents }) => {
    const { at, plan } = contents.begin;
    const total = plan.operations.length;
    const done = total - remainingOperations(contents).length;
    const origin = plan.undoes === undefined ? "" : `, undoes run ${plan.undoes}`;
    return `${run}  ${at}  ${runEnding(contents) ?? "unfinished"}, ${done} of ${counted(total, "operation")} done${origin}`;
  });
  return `${lines.map(sanitised).join("\n")}\n`;
}
