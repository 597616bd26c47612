/** Says that an apply goes on at this moment: what is read meanwhile may be half of one state and half of another. */

import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import type { Console } from "../output/console.ts";
import { openRuns } from "../run/runs.ts";
import type { ReadingSession } from "./session.ts";

/** Tells of runs that are writing, and of one that did not come to its end. Nothing is written to find out. */
export async function tellOthers(session: ReadingSession, io: Io, console: Console): Promise<void> {
  const runs = openRuns(session, {}, io, console);
  const others = await runs.others();
  for (const { pid, host, since } of others) {
    console.alert(
      `an apply is in progress (process ${pid} on ${sanitised(host)}, since ${sanitised(since)}): this may show half of it`,
    );
  }
  if (others.length === 0 && (await runs.hasOpen())) {
    console.note("an earlier apply did not come to its end; to finish it: incidentctl resume");
  }
}
