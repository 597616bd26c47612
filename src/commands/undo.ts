/** `undo`: plans the inverse of a run from its journal. What it is given cannot write to the service. */

import { EXIT, Stop } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { isUnfinished, lastSettlements, remainingOperations, runEnding } from "../journal/journal-status.ts";
import { type Console, openConsole } from "../output/console.ts";
import { planTexts } from "../output/plan-formats.ts";
import { type PresentOptions, present } from "../output/present.ts";
import { saveFile } from "../output/save-file.ts";
import { counted } from "../report/format/value.ts";
import { planJson, prettyJson } from "../report/plan/json.ts";
import { isEmpty } from "../report/plan/summary.ts";
import { openRuns, type RecordedRun, type Runs } from "../run/runs.ts";
import { tellOthers } from "../run/warn-running-apply.ts";
import { openReading, type SessionOptions } from "../session/session.ts";
import { planUndo, undoing } from "../undo/desired-state.ts";
import { applying } from "./plan.ts";

/** The flags of `undo`. */
export interface UndoOptions extends SessionOptions, PresentOptions {
  /** The run to take back; the last one that wrote when left out. */
  readonly run?: string;
  /** Only tells which runs there are. */
  readonly list?: boolean;
  /** Where the sealed plan is saved. */
  readonly out?: string;
}

/** Makes and shows the plan that takes a run back. */
export async function undo(options: UndoOptions, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  if (options.list === true && (options.run ?? options.out) !== undefined) {
    throw misuse("--list tells which runs there are; --run and --out do not go with it");
  }
  const session = await openReading(options, io, console);
  try {
    const runs = openRuns(session, {}, io, console);
    const all = await runs.all();
    if (options.list === true) {
      console.answer(options.format === "json" ? prettyJson({ runs: all.map(told) }) : listText(all, runs));
      return EXIT.success;
    }
    await tellOthers(session, io, console);
    const left = chosen(all, options.run, runs);
    const { plan } = await planUndo(left, await undoing(left, session), session, options.out !== undefined);
    await present(planTexts(plan, io), options, io, console);
    if (options.out !== undefined) {
      await saveFile(options.out, console.safe(planJson(plan)), io.cwd);
      console.note(`saved as ${quoted(options.out)}; to apply it: ${applying(options, options.out)}`);
    } else if (!isEmpty(plan)) {
      console.note(
        "Nothing was written. To take the run back: incidentctl undo --out undo.plan, then apply --plan undo.plan",
      );
    }
    return EXIT.success;
  } finally {
    session.close();
  }
}

/** The run that was asked for, or the last one that wrote anything. */
function chosen(all: readonly RecordedRun[], run: string | undefined, runs: Runs): RecordedRun {
  if (run !== undefined && !/^[0-9]{1,9}$/.test(run))
    throw misuse(`--run takes a number from undo --list, not ${quoted(run)}`);
  const left = all.find((one) => (run === undefined ? wrote(one) : Number(one.run) === Number(run)));
  if (left === undefined) {
    const which = run === undefined ? "no run that wrote anything to this service" : `no run ${run} of this service`;
    throw new Stop(
      EXIT.error,
      `there is ${which} in ${runs.displayPath(runs.folder)}; undo --list tells which there are`,
    );
  }
  if (isUnfinished(left.contents)) {
    throw new Stop(EXIT.error, `run ${left.run} was interrupted; finish it first with incidentctl resume`);
  }
  return left;
}

function wrote({ contents }: RecordedRun): boolean {
  return lastSettlements(contents).some(({ status }) => status === "done" || status === "fell_back");
}

/** A run for programs. */
function told({ run, path, contents }: RecordedRun): object {
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

function listText(all: readonly RecordedRun[], runs: Runs): string {
  if (all.length === 0) return `No run is known in ${sanitised(runs.displayPath(runs.folder))}.\n`;
  const lines = all.map(({ run, contents }) => {
    const { at, plan } = contents.begin;
    const total = plan.operations.length;
    const done = total - remainingOperations(contents).length;
    const what = plan.undoes === undefined ? "" : `, takes back run ${plan.undoes}`;
    return `${run}  ${at}  ${runEnding(contents) ?? "unfinished"}, ${done} of ${counted(total, "operation")} done${what}`;
  });
  return `${lines.map(sanitised).join("\n")}\n`;
}
