/** Removes the drafts that a filter excludes. */

import { groupBy } from "../../core/lists.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import type { Draft } from "../diff/step.ts";
import type { Warning } from "../model/plan.ts";

/** The filter of a partial plan. */
export interface DraftFilter {
  readonly admits: (address: string) => boolean;
  /** The plan may remove resources. */
  readonly removes: boolean;
}

/**
 * The drafts that a filter admits. A list whose first match decides changes as a whole or not at all: some of its requests without the
 * others would route alerts elsewhere.
 */
export function filterDrafts(
  drafts: readonly Draft[],
  { admits, removes }: DraftFilter,
): { readonly drafts: readonly Draft[]; readonly warnings: readonly Warning[] } {
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
