/**
 * Checks that the token belongs to the workspace of the last run. All workspaces have the same address, so only their contents
 * distinguish them. In another workspace everything would be missing, and an apply would create everything.
 */

import { sanitised } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import { isLoopback } from "../../service/http/credentials.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Runs } from "./runs.ts";

/** Fewer resources than this, of all kinds together, may all have been replaced. */
const MIN_TOTAL = 3;
/** Fewer resources of one kind than this may all have been removed. */
const MIN_OF_KIND = 5;

/** Returns the plan, blocked if it has operations and none of the resources that the last run saw exists. */
export async function blockOtherWorkspace(plan: Plan, runs: Runs, live: ResolvedState): Promise<Plan> {
  // A service on a developer's machine is often started with a new database.
  if (plan.operations.length === 0 || isLoopback(new URL(plan.target.host).hostname)) return plan;
  const last = await runs.latest();
  const lost = last === undefined ? [] : lostKinds(last, live);
  if (last === undefined || lost.length === 0) return plan;
  const message = [
    `none of the ${lost.join(", ")} that the last run saw exists, so this may be another workspace`,
    "check that INCIDENTCTL_TOKEN belongs to the right workspace and can read all of it",
    `if the workspace is new or was emptied on purpose, remove ${sanitised(runs.displayPath(last.path))}`,
  ].join("; ");
  return { ...plan, blocked: [{ code: "OTHER_WORKSPACE", message, addresses: [] }, ...plan.blocked] };
}

/**
 * Returns the kinds that lost every resource that the last run saw and did not delete: if all kinds did, or single kinds whose
 * long list is now empty.
 */
function lostKinds({ contents }: RecordedRun, live: ResolvedState): readonly string[] {
  const { plan, target } = contents.begin;
  const lists = kinds.flatMap(({ name }) => {
    const ids = target.ids[name] ?? [];
    const deletes = plan.operations.some(
      ({ method, address }) => method === "DELETE" && address.startsWith(`${name}/`),
    );
    return ids.length === 0 || deletes || live.live(name) === undefined ? [] : [{ name, ids }];
  });
  const lost = lists.filter(({ name, ids }) => {
    const now = new Set(live.rows(name).map(({ id }) => id));
    return !ids.some((id) => now.has(id));
  });
  const isAll = lost.length === lists.length && lost.reduce((sum, { ids }) => sum + ids.length, 0) >= MIN_TOTAL;
  const missing = isAll
    ? lost
    : lost.filter(({ name, ids }) => ids.length >= MIN_OF_KIND && live.rows(name).length === 0);
  return missing.map(({ name }) => name);
}
