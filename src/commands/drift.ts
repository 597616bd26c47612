/** `drift`: says how the workspace differs from the configuration. What it is given cannot write to the service. */

import { EXIT } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { dayOf, readAccepted } from "../drift/accepted-file.ts";
import { alarming, judge, type LiveEntry } from "../drift/drift.ts";
import { mentionsAround } from "../match/references.ts";
import type { State } from "../match/resolved-state.ts";
import { tellRunner } from "../output/ci.ts";
import { type Console, openConsole } from "../output/console.ts";
import type { DriftFormat } from "../output/formats.ts";
import { changedIn, driftTexts } from "../output/plan-formats.ts";
import { type PresentOptions, present } from "../output/present.ts";
import { plain } from "../report/format/ansi.ts";
import { driftAnnotations } from "../report/plan/annotations.ts";
import { isEmpty } from "../report/plan/summary.ts";
import { openReading, type SessionOptions } from "../session/session.ts";
import { tellOthers } from "../session/warn-running-apply.ts";

/** The flags of `drift`. */
export interface DriftOptions extends SessionOptions, PresentOptions<DriftFormat> {}

/** Compares and reports; exit code 2 when something differs that nobody has accepted, or for no longer than until today. */
export async function drift(
  options: DriftOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const session = await openReading(options, io, console);
  try {
    const accepted = readAccepted(session.configuration.settings.home);
    await tellOthers(session, io, console);
    const { plan, live } = await session.prepare({ identify: false });
    const memory = judge(plan, liveIn(live), accepted, dayOf(io.now()));
    const texts = driftTexts(plan, memory, io, () => mentionsAround(changedIn(plan), session.configuration, live));
    await present(texts, options, io, console);
    const told = () => ({
      annotations: driftAnnotations(alarming(plan, memory)),
      summary: texts.markdown({ paint: plain, verbose: false }),
    });
    await tellRunner(told, options, io, console);
    const isNamed = plan.changes.length > 0;
    return (isNamed ? memory.fingerprint === null : isEmpty(plan)) ? EXIT.success : EXIT.changes;
  } finally {
    session.close();
  }
}

/** Finds the live entry of a change among those that were read. */
export function liveIn(live: State): LiveEntry {
  return ({ kind, address }) => live.all(kind).find((entry) => entry.address === address)?.fields;
}
