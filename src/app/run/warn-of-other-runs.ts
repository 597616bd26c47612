/** Warns of other runs: during one, a command may read a half-changed workspace. */

import type { Io } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { Console } from "../console/console.ts";
import type { ReadingSession } from "../session/session.ts";
import { openRuns } from "./runs.ts";

/** Warns of runs in progress, or else of an interrupted one. Nothing is written. */
export async function warnOfOtherRuns(session: ReadingSession, io: Io, console: Console): Promise<void> {
  const runs = openRuns(session, {}, io, console);
  const others = await runs.activeRuns();
  for (const { pid, host, since } of others) {
    console.alert(
      `an apply is in progress (process ${pid} on ${sanitised(host)}, since ${sanitised(since)}); this result may show only part of its changes`,
    );
  }
  if (others.length === 0 && (await runs.hasUnfinished())) {
    console.note("an earlier run was interrupted; finish it with incidentctl resume");
  }
}
