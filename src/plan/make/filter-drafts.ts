/** Removes the drafts that a filter excludes, and names the removals that a plan of a path leaves out. */

import { admits as admitsAddress } from "../../config/resources/configuration.ts";
import { isLeftAlone } from "../../config/settings/exemptions.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { groupBy } from "../../core/lists.ts";
import { joinWords } from "../../core/suggest.ts";
import { addressOf, isRemovable } from "../../kinds/model/resource.ts";
import type { Draft } from "../diff/step.ts";
import type { PlanContext } from "../model/context.ts";
import type { Warning } from "../model/plan.ts";
import { shortened } from "../removal/draft.ts";

/** The filter of a partial plan. */
export interface DraftFilter {
  readonly admits: (address: string) => boolean;
  /** The paths of whose files the plan is, which removes nothing. Default: it is of all. */
  readonly paths?: readonly string[];
}

/**
 * The drafts that a filter admits. A list whose first match decides changes as a whole or not at all: some of its requests without the
 * others would route alerts elsewhere.
 */
export function filterDrafts(
  drafts: readonly Draft[],
  { admits, paths }: DraftFilter,
): { readonly drafts: readonly Draft[]; readonly warnings: readonly Warning[] } {
  const removes = paths === undefined;
  const isAdmitted = ({ change }: Draft): boolean => admits(change.address) && (removes || change.action !== "delete");
  const ranked = drafts.filter(({ kind }) => kind.lifecycle.order === "rank");
  const rankedLists = groupBy(ranked, ({ kind, scope }) => addressOf(kind, scope, "").slice(0, -1));
  const incompleteLists = [...rankedLists].filter(([, list]) => !list.every(isAdmitted));
  const omitted = new Set(incompleteLists.flatMap(([, list]) => list));
  return {
    drafts: drafts.filter((draft) => !omitted.has(draft) && isAdmitted(draft)),
    warnings: incompleteLists
      .filter(([address, list]) => list.some(isAdmitted) || (!removes && admits(address)))
      .map(([address, [first]]) => ({
        code: "W_TARGET",
        address,
        message: `${address} is left out: a list of ${first?.kind.title ?? "rule"}s changes only as a whole; ${removes ? "use" : "plan it without the path, or with"} --target ${address}`,
      })),
  };
}

/** Warnings about what is live in the lists of a path and not in the configuration: the plan of a path removes nothing. */
export function leftOutRemovals(
  { state, matching, madeByOthers }: PlanContext,
  { paths }: DraftFilter,
): readonly Warning[] {
  const { reach, settings, exemptions } = state.configuration;
  if (paths === undefined || reach === undefined) return [];
  const { only: _declared, ...typed } = reach;
  const others = new Set(madeByOthers.map(({ address }) => address));
  return matching.lists.flatMap(({ otherUndeclared }): readonly Warning[] => {
    const removed = otherUndeclared
      .filter((live) => isRemovable(live) && removalPolicyOf(settings, live.kind) !== "keep")
      .map(({ address }) => address)
      .filter((address) => admitsAddress(typed, address) && !isLeftAlone(exemptions, address) && !others.has(address));
    const [address] = removed;
    if (address === undefined) return [];
    const [are, them] = removed.length === 1 ? ["is", "it"] : ["are", "them"];
    const message = `${shortened(removed)} ${are} live and not in the configuration: a plan of ${joinWords(paths)} removes nothing; to see what happens to ${them}, plan without the path, or with --target ${address}`;
    return [{ code: "W_TARGET", address, message }];
  });
}
