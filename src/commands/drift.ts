/** `drift`: says how the workspace differs from the configuration. What it is given cannot write to the service. */

import { isEmpty } from "../report/summary.ts";
import { type Console, openConsole } from "./console.ts";
import { EXIT } from "./exit.ts";
import { tellOthers } from "./in-progress.ts";
import type { Io } from "./io.ts";
import { driftTexts, type PresentOptions, present } from "./present.ts";
import { openReading, type SessionOptions } from "./session.ts";

/** The flags of `drift`. */
export interface DriftOptions extends SessionOptions, PresentOptions {}

/** Compares and reports; exit code 2 when something differs. */
export async function drift(
  options: DriftOptions,
  io: Io,
  console: Console = openConsole(io, options),
): Promise<number> {
  const session = await openReading(options, io, console);
  try {
    await tellOthers(session, io, console);
    const found = await session.plan({ identify: false });
    await present(driftTexts(found, io), options, io, console);
    return isEmpty(found) ? EXIT.success : EXIT.changes;
  } finally {
    session.close();
  }
}
