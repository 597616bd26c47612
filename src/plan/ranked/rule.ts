/**
 * The rules of a first-match-wins list as its transition sees them, opaque: which alerts each matches, and what it does with them. The
 * pairs of two lists of rules, and the writes that turn one into the other.
 */

import type { Fields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import type { Kind, RuleFields } from "../../kinds/model/kind.ts";
import { normalizedText } from "../../kinds/values/same-value.ts";
import { computedDefaults, writableFields } from "../diff/compare.ts";

/** A rule reduced to what its order among others depends on. */
export interface RankedRule {
  /** Equal for rules that match the same alerts: same conditions, and both on or both off. */
  readonly match: string;
  /** Equal for rules that do the same with the alerts that they match. */
  readonly effect: string;
  /** Set if the rule matches every alert, or none. Default: unknown. */
  readonly reach?: "all" | "none";
}

/** The names of a ranked kind's fields. Throws for any other kind. */
export function ruleFields({ name, rule }: Kind): RuleFields {
  if (rule === undefined) throw new Error(`${name} is not a kind of rules`);
  return rule;
}

/** Whether a rule is on and has no conditions, so that it matches every alert. */
export function matchesEverything(kind: Kind, fields: Fields): boolean {
  const { conditions, enabled } = ruleFields(kind);
  const list = fields[conditions] ?? [];
  return fields[enabled] !== false && Array.isArray(list) && list.length === 0;
}

/** The fields of a declared rule that the service keeps, with their defaults. */
export function declaredRuleFields(kind: Kind, fields: Fields): Fields {
  return { ...computedDefaults(kind, fields), ...writableFields(kind, fields) };
}

/** The rule that a resource of a ranked kind is. */
export function toRankedRule(kind: Kind, fields: Fields): RankedRule {
  const { enabled, effect } = ruleFields(kind);
  const match = Object.keys(kind.fields ?? {}).filter((name) => name !== effect);
  const reach = fields[enabled] === false ? "none" : matchesEverything(kind, fields) ? "all" : undefined;
  return {
    match: normalizedText(Object.fromEntries(match.map((name) => [name, fields[name] ?? null]))),
    effect: normalizedText(fields[effect] ?? null),
    ...(reach === undefined ? {} : { reach }),
  };
}

/** Whether two rules match the same alerts and do the same with them. */
export function isSameRule(left: RankedRule | undefined, right: RankedRule | undefined): boolean {
  return left?.match === right?.match && left?.effect === right?.effect;
}

/** By rule: whether no alert reaches it, because it is off, repeats the conditions of one above, or is below one that matches every alert. */
export function unreachableRules(rules: readonly RankedRule[]): readonly boolean[] {
  const firstIndexes = new Map(rules.map(({ match }, index) => [match, index] as const).reverse());
  const everything = rules.findIndex(({ reach }) => reach === "all");
  return rules.map(
    ({ match, reach }, index) =>
      reach === "none" || firstIndexes.get(match) !== index || (everything >= 0 && index > everything),
  );
}

/** A rule of one of the two lists, by its index there. */
export interface RuleReference {
  readonly list: "live" | "declared";
  readonly index: number;
}

/** A temporary rule that matches every alert, while a scope gets its first rules or loses its last ones. */
export interface HoldingRule {
  readonly list: "holding";
}

/**
 * One write. A row is a rule on the service, whatever is written into it. The live rows have the numbers from 0 on, and each appended
 * row has the next one; the number of a deleted row is not used again.
 */
export type RankedStep =
  | { readonly action: "append"; readonly row: number; readonly rule: RuleReference | HoldingRule }
  | { readonly action: "write"; readonly row: number; readonly rule: RuleReference | HoldingRule }
  | { readonly action: "delete"; readonly row: number };

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
