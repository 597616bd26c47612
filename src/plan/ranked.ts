/**
 * Changing a first-match-wins list, one request at a time, so that at every moment every alert gets either its old
 * answer or its new one. Conditions are opaque: what two rules match, only equality tells.
 *
 * Let K be the longest prefix of the declared list that is a subsequence of the live one, outcomes aside. Whatever
 * matches a rule of K first, matches it first before and after, so outcomes in K may change in any order. The rest of
 * the declared list is appended in order: everything that a live rule matched is shadowed from it. Then the doomed live
 * rules go, from the bottom up: while an alert's first live match stands, everything before it stands; once it is gone,
 * every doomed rule after it is gone too. One request that reaches the goal by itself is atomic and preferred.
 */

/** A rule as far as order is concerned. */
export interface Rule {
  /** Equal for rules that match the same alerts: conditions and whether it is enabled. */
  readonly match: string;
  /** Equal for rules that do the same. */
  readonly outcome: string;
}

/** One request; indexes count from 0 in the live list and in the declared one. */
export type RankedStep =
  | { readonly does: "outcome"; readonly live: number; readonly declared: number }
  | { readonly does: "rewrite"; readonly live: number; readonly declared: number }
  | { readonly does: "append"; readonly declared: number }
  | { readonly does: "delete"; readonly live: number }
  /** A rule that matches everything, to stand in slot 1 while the rest is written beneath it. */
  | { readonly does: "hold" }
  /** The holding rule becomes the first declared rule. */
  | { readonly does: "release"; readonly declared: number }
  /** The first live rule becomes one that matches everything, while the rest goes. */
  | { readonly does: "cover"; readonly live: number };

/** The requests, in order, and how many of them leave alerts without their old or new answer. */
export interface Transition {
  readonly steps: readonly RankedStep[];
  /** Requests between the first that opens the window and the one that closes it; 0 when there is none. */
  readonly window: number;
}

/** The transition between two lists of one scope that falls back to nothing. */
export function transition(live: readonly Rule[], declared: readonly Rule[]): Transition {
  return { steps: single(live, declared) ?? recipe(live, declared), window: 0 };
}

/**
 * The first rules of a scope that has none, and so fell back to other rules until now: the first request cuts it off.
 * `holding`: there is an outcome for a holding rule.
 */
export function entering(declared: readonly Rule[], catchAll: (rule: number) => boolean, holding: boolean): Transition {
  const appends = declared.map((_rule, index): RankedStep => ({ does: "append", declared: index }));
  if (declared.length <= 1 || catchAll(0)) return { steps: appends, window: 0 };
  if (!holding) return { steps: appends, window: declared.length - 1 };
  return { steps: [{ does: "hold" }, ...appends.slice(1), { does: "release", declared: 0 }], window: declared.length };
}

/** The last rules of a scope that will fall back to other rules once they are gone. */
export function leaving(live: readonly Rule[], catchAll: (rule: number) => boolean, holding: boolean): Transition {
  const deletes = live.map((_rule, index): RankedStep => ({ does: "delete", live: live.length - 1 - index }));
  if (live.length <= 1 || catchAll(0)) return { steps: deletes, window: 0 };
  if (!holding) return { steps: deletes, window: live.length - 1 };
  return { steps: [{ does: "cover", live: 0 }, ...deletes], window: live.length };
}

/** Live indexes of the longest prefix of the declared list that is a subsequence of the live one, outcomes aside. */
function keptPrefix(live: readonly Rule[], declared: readonly Rule[]): readonly number[] {
  const kept: number[] = [];
  let from = 0;
  for (const rule of declared) {
    const found = live.findIndex((candidate, index) => index >= from && candidate.match === rule.match);
    if (found < 0) break;
    kept.push(found);
    from = found + 1;
  }
  return kept;
}

/**
 * One rewrite in place, where the last rule that differs is the only one whose match does: what differs above it are
 * outcomes, which change first, and the rewrite that reaches the goal is atomic by itself.
 */
function single(live: readonly Rule[], declared: readonly Rule[]): readonly RankedStep[] | undefined {
  if (live.length !== declared.length) return undefined;
  const steps = live.flatMap((rule, index): readonly RankedStep[] => {
    const wanted = declared[index];
    if (rule.match !== wanted?.match) return [{ does: "rewrite", live: index, declared: index }];
    return rule.outcome === wanted.outcome ? [] : [{ does: "outcome", live: index, declared: index }];
  });
  return steps.slice(0, -1).every(({ does }) => does === "outcome") ? steps : undefined;
}

function recipe(live: readonly Rule[], declared: readonly Rule[]): readonly RankedStep[] {
  const kept = keptPrefix(live, declared);
  const outcomes = kept.flatMap((index, place): readonly RankedStep[] =>
    live[index]?.outcome === declared[place]?.outcome ? [] : [{ does: "outcome", live: index, declared: place }],
  );
  const appends = declared
    .slice(kept.length)
    .map((_rule, index): RankedStep => ({ does: "append", declared: kept.length + index }));
  const stays = new Set(kept);
  const deletes = live.flatMap((_rule, index): readonly RankedStep[] =>
    stays.has(index) ? [] : [{ does: "delete", live: index }],
  );
  return [...outcomes, ...appends, ...deletes.reverse()];
}
