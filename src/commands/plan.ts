/** `plan`: shows what `apply` would do. Its connection cannot write to the service. */

import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { quoted } from "../core/sanitise.ts";
import { reportToRunner } from "../output/ci.ts";
import { type Console, openConsole } from "../output/console.ts";
import { changedIn, planTexts } from "../output/plan-formats.ts";
import { type PresentOptions, present } from "../output/present.ts";
import { saveFile } from "../output/save-file.ts";
import { plain } from "../report/format/ansi.ts";
import { planAnnotations } from "../report/plan/annotations.ts";
import { planJson } from "../report/plan/json.ts";
import { isEmpty } from "../report/plan/summary.ts";
import { warnOfOtherRuns } from "../run/warn-running-apply.ts";
import { applyCommand } from "../session/apply-command.ts";
import { openReading, type SessionOptions } from "../session/session.ts";

/** The flags of `plan`. */
export interface PlanFlags extends SessionOptions, PresentOptions {
  /** Where the sealed plan is saved. */
  readonly out?: string;
  /** Exit with 2 if there are changes. */
  readonly detailedExitcode?: boolean;
}

/** Makes and shows the plan. */
export async function plan(options: PlanFlags, io: Io, console: Console = openConsole(io, options)): Promise<number> {
  const session = await openReading(options, io, console);
  try {
    await warnOfOtherRuns(session, io, console);
    const { plan: made, graph } = await session.prepare({
      identify: options.out !== undefined,
      singleReading: true,
      analyzedAt: io.now(),
    });
    const texts = planTexts(made, io, () => graph.edgesAt(changedIn(made)));
    await present(texts, options, io, console);
    const summary = () => texts.markdown({ paint: plain, verbose: false });
    await reportToRunner(() => ({ annotations: planAnnotations(made), summary: summary() }), options, io, console);
    if (options.out !== undefined) {
      await saveFile(options.out, console.safe(planJson(made)), io.cwd);
      console.note(`saved as ${quoted(options.out)}; to apply it: ${applyCommand(options, options.out)}`);
    }
    return options.detailedExitcode === true && !isEmpty(made) ? EXIT.changes : EXIT.success;
  } finally {
    session.close();
  }
}
