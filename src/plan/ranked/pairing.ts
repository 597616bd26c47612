/** Pairs the declared rules of a ranked list with its live rules. */

import { addTo } from "../../core/lists.ts";
import { isSameRule, type RankedRule } from "./rule.ts";

/**
 * Declared index → live index: first equal rules at the same place, then other equal rules, then rules with the same conditions. Of
 * several candidates the upper one is taken.
 */
export function pairRules(live: readonly RankedRule[], declared: readonly RankedRule[]): Map<number, number> {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (index: number, partner: number) => {
    partners.set(index, partner);
    taken.add(partner);
  };
  const pairBy = (keyOf: (rule: RankedRule) => string) => {
    /** By key, from the bottom up, so that `pop` gives the upper one. */
    const unpaired = new Map<string, number[]>();
    for (const [index, rule] of [...live.entries()].reverse()) {
      if (!taken.has(index)) addTo(unpaired, keyOf(rule), index);
    }
    for (const [index, rule] of declared.entries()) {
      const partner = partners.has(index) ? undefined : unpaired.get(keyOf(rule))?.pop();
      if (partner !== undefined) pair(index, partner);
    }
  };
  for (const [index, rule] of declared.entries()) if (isSameRule(live[index], rule)) pair(index, index);
  pairBy(({ match, effect }) => JSON.stringify([match, effect]));
  pairBy(({ match }) => match);
  return partners;
}
