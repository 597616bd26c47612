/**
 * Whether a token leads to another workspace than it did at the last run: the address is the same, and nothing tells the
 * workspaces apart but what is in them. There, everything would be missing, and everything would be made.
 */

import { isLoopback } from "../api/http/credentials.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { sanitised } from "../core/sanitise.ts";
import { kinds } from "../kinds/index.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import type { RecordedRun, Runs } from "./runs.ts";

/** Fewer entries than this, of whatever kinds, may all have been replaced by others. */
const FEW = 3;
/** Fewer entries of one kind than this may all have gone. */
const SOME = 5;

/** Ends the command with exit code 3 where nothing is left of what the last run has seen. */
export async function refuseAnother(runs: Runs, host: string, live: ResolvedState): Promise<void> {
  // A service on one's own machine is often started anew.
  if (isLoopback(new URL(host).hostname)) return;
  const last = await runs.latest();
  const lost = last === undefined ? [] : lostSince(last, live);
  if (last === undefined || lost.length === 0) return;
  throw new Stop(
    EXIT.refused,
    [
      `not applied: of the ${lost.join(", ")} that the last run has seen none is there, so this may be another workspace`,
      "Next: see whether INCIDENTCTL_TOKEN is for the workspace that is meant, and may read all of it",
      `when the workspace was emptied on purpose, or is a new one: remove ${sanitised(runs.displayPath(last.path))}`,
    ].join("\n"),
  );
}

/**
 * The kinds of which nothing is left that the last run saw and did not delete: all kinds that are looked at now, or any whose
 * list is empty although it was long.
 */
function lostSince({ contents }: RecordedRun, live: ResolvedState): readonly string[] {
  const { plan, target } = contents.begin;
  const seen = kinds.flatMap(({ name }) => {
    const ids = target.ids[name] ?? [];
    const deletes = plan.operations.some(
      ({ method, address }) => method === "DELETE" && address.startsWith(`${name}/`),
    );
    return ids.length === 0 || deletes || live.live(name) === undefined ? [] : [{ name, ids }];
  });
  const lost = seen.filter(({ name, ids }) => {
    const now = new Set(live.rows(name).map(({ id }) => id));
    return !ids.some((id) => now.has(id));
  });
  const isAll = lost.length === seen.length && lost.reduce((sum, { ids }) => sum + ids.length, 0) >= FEW;
  const gone = isAll ? lost : lost.filter(({ name, ids }) => ids.length >= SOME && live.rows(name).length === 0);
  return gone.map(({ name }) => name);
}
