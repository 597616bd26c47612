/** A rule of a first-match-wins list as its transition sees it: which alerts it matches and what it does with them, both opaque. */

import type { Fields } from "../../core/json.ts";
import type { Kind, RuleFields } from "../../kinds/model/kind.ts";
import { normalizedText } from "../diff/same-value.ts";

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
