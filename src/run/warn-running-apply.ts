/** Warns of an apply in progress: what a command reads meanwhile may be half old and half new. */

import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import type { Console } from "../output/console.ts";
import type { ReadingSession } from "../session/session.ts";
import { openRuns } from "./runs.ts";

/** Warns of runs in progress, or else of an interrupted one. Nothing is written. */
export async function tellOthers(session: ReadingSession, io: Io, console: Console): Promise<void> {
  const runs = openRuns(session, {}, io, console);
  const others = await runs.activeRuns();
  for (const { pid, host, since } of others) {
    console.alert(
      `an apply is in progress (process ${pid} on ${sanitised(host)}, since ${sanitised(since)}); the result may show half of it`,
    );
  }
  if (others.length === 0 && (await runs.hasUnfinished())) {
    console.note("an earlier run was interrupted; finish it with incidentctl resume");
  }
}
