/** `rehearse`: carries the plan out on a replica of the live workspace, in process. Its connection cannot write to the service. */

import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { RehearsalFormat } from "../output/formats.ts";
import { type PresentOptions, present, type ReportTexts } from "../output/present.ts";
import type { Rehearsal } from "../rehearse/rehearsal.ts";
import { hasPassed } from "../rehearse/rehearsal.ts";
import { dialectFlags, type RehearsalFlags, rehearsePlan } from "../rehearse/session.ts";
import { rehearsalHtml } from "../report/rehearsal/page.ts";
import { rehearsalJson, rehearsalText } from "../report/rehearsal/text.ts";
import { splitPaths } from "../routing-tests/paths.ts";
import { openReading, type SessionOptions } from "../session/session.ts";

/** The flags of `rehearse`. */
export interface RehearseOptions extends SessionOptions, RehearsalFlags, PresentOptions<RehearsalFormat> {
  /** Do not report routing windows that the plan names. */
  readonly acceptRoutingWindow?: boolean;
}

/** Rehearses the plan. Exits with 7 if a check failed. */
export async function rehearse(
  options: RehearseOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const dialects = dialectFlags(options.dialect);
  const session = await openReading(options, io, console);
  try {
    const rehearsal = await rehearsePlan(
      {
        plan: await session.plan({ identify: false }),
        session,
        dialects,
        withFaults: options.faults === true,
        windowsAccepted: options.acceptRoutingWindow === true,
        parallelism: options.parallelism,
        paths: splitPaths(options.paths, io.cwd, () => false).tests,
      },
      io,
      console,
    );
    await present(textsOf(rehearsal), options, io, console);
    return hasPassed(rehearsal) ? EXIT.success : EXIT.findings;
  } finally {
    session.close();
  }
}

function textsOf(rehearsal: Rehearsal): ReportTexts<RehearsalFormat> {
  return {
    text: (style) => rehearsalText(rehearsal, style),
    json: () => rehearsalJson(rehearsal),
    html: () => rehearsalHtml(rehearsal),
  };
}
