/**
 * The safety check of a transition: while a first-match-wins list changes, each alert gets its old outcome or its new one.
 *
 * Conditions are opaque, so any set of them may hold for an alert, and a list must be right for each such set. A list is safe if each
 * rule that an alert can reach does for it what the live or the declared list does. This module knows nothing of how a transition is
 * made; it replays the writes and checks every list between them.
 */

import type { HoldingRule, RankedRule, RankedStep, RuleReference } from "./rule.ts";

/** The condition that always holds: of a rule that matches every alert, and of the end of every list. */
const ALWAYS = 0;
/** The effect of an alert that no rule matches. */
const NO_EFFECT = 0;
/** The place of a condition that a list does not have. */
const NOWHERE = 2 ** 30;

/** A rule with numbers for its condition and its effect. The condition is undefined if the rule matches no alert. */
interface NumberedRule {
  readonly rule: RankedRule;
  readonly condition: number | undefined;
  readonly effect: number;
}

/** The conditions and effects of the rules that alerts can reach, from the top. The last condition always holds. */
interface ReachableRules {
  readonly conditions: readonly number[];
  readonly effects: readonly number[];
}

/** The live or the declared list, and the place of each condition in it. */
interface BoundaryList extends ReachableRules {
  readonly places: Int32Array;
}

/** Whether the steps lead from the live list to the declared one and every list between them is safe. */
export function isSafe(
  live: readonly RankedRule[],
  declared: readonly RankedRule[],
  steps: readonly RankedStep[],
): boolean {
  return new SafetyChecker(live, declared).areSafe(steps);
}

/** Checks lists that stand between a live and a declared one. */
export class SafetyChecker {
  readonly #conditions = new Map<string, number>();
  readonly #effects = new Map<string, number>();
  readonly #live: readonly NumberedRule[];
  readonly #declared: readonly NumberedRule[];
  readonly #old: BoundaryList;
  readonly #new: BoundaryList;
  /** By condition: 1 if a rule above the current one has it. Kept from list to list to spare allocations. */
  #above = new Uint8Array();
  /** By place in the live list; scratch space of `#givesNoThirdOutcome`. */
  readonly #firstNew: Int32Array;

  constructor(live: readonly RankedRule[], declared: readonly RankedRule[]) {
    this.#live = live.map((rule) => this.#number(rule));
    this.#declared = declared.map((rule) => this.#number(rule));
    this.#old = this.#boundaryList(this.#live);
    this.#new = this.#boundaryList(this.#declared);
    this.#firstNew = new Int32Array(this.#old.conditions.length + 1);
  }

  /** Whether each alert gets its old or its new outcome from a list. */
  isSafe(list: readonly RankedRule[]): boolean {
    return this.#isSafeFrom(this.#reachable(list.map((rule) => this.#number(rule))), 0);
  }

  /** Whether the steps lead from the live list to the declared one by safe lists only. */
  areSafe(steps: readonly RankedStep[]): boolean {
    const rows: (NumberedRule | undefined)[] = [...this.#live];
    let before = this.#reachable(rows);
    for (const step of steps) {
      // A row is appended below all others, and only one that exists can be written or deleted.
      if (step.action === "append" ? step.row !== rows.length : rows[step.row] === undefined) return false;
      const rule = step.action === "delete" ? undefined : this.#find(step.rule);
      if (step.action !== "delete" && rule === undefined) return false;
      rows[step.row] = rule;
      const after = this.#reachable(rows);
      if (!this.#isSafeFrom(after, firstDifference(before, after))) return false;
      before = after;
    }
    const end = rows.flatMap((row) => row ?? []);
    return (
      end.length === this.#declared.length &&
      end.every(({ rule: { match, effect } }, at) => {
        const rule = this.#declared[at]?.rule;
        return match === rule?.match && effect === rule.effect;
      })
    );
  }

  #find(rule: RuleReference | HoldingRule): NumberedRule | undefined {
    if (rule.list === "holding") return undefined;
    return (rule.list === "live" ? this.#live : this.#declared)[rule.index];
  }

  #number(rule: RankedRule): NumberedRule {
    const { match, effect, reach } = rule;
    const condition = reach === "all" ? ALWAYS : reach === "none" ? undefined : numberIn(this.#conditions, match);
    return { rule, condition, effect: numberIn(this.#effects, effect) };
  }

  #boundaryList(rules: readonly NumberedRule[]): BoundaryList {
    const reachable = this.#reachable(rules);
    const places = new Int32Array(this.#above.length).fill(NOWHERE);
    for (const [place, condition] of reachable.conditions.entries()) places[condition] = place;
    return { ...reachable, places };
  }

  #reachable(rules: readonly (NumberedRule | undefined)[]): ReachableRules {
    const above = this.#clearAbove();
    const conditions: number[] = [];
    const effects: number[] = [];
    for (const rule of rules) {
      if (rule?.condition === undefined || above[rule.condition] === 1) continue;
      above[rule.condition] = 1;
      conditions.push(rule.condition);
      effects.push(rule.effect);
      if (rule.condition === ALWAYS) return { conditions, effects };
    }
    conditions.push(ALWAYS);
    effects.push(NO_EFFECT);
    return { conditions, effects };
  }

  #clearAbove(): Uint8Array {
    const count = this.#conditions.size + 1;
    if (this.#above.length < count) this.#above = new Uint8Array(count);
    return this.#above.fill(0);
  }

  /**
   * Whether each rule from the given index on is safe. Two quick tests find nearly every safe rule: everything above it in the live list,
   * or everything above it in the declared one, is above it here. The slow test decides about the others.
   */
  #isSafeFrom({ conditions, effects }: ReachableRules, from: number): boolean {
    if (from >= conditions.length) return true;
    const above = this.#clearAbove();
    let [oldOpen, newOpen] = [0, 0];
    return conditions.every((condition, index) => {
      const effect = effects[index] ?? NO_EFFECT;
      const safe =
        index < from ||
        hasAllAbove(this.#old, oldOpen, condition, effect) ||
        hasAllAbove(this.#new, newOpen, condition, effect) ||
        this.#givesNoThirdOutcome(condition, effect);
      above[condition] = 1;
      oldOpen = this.#nextOpen(this.#old, oldOpen);
      newOpen = this.#nextOpen(this.#new, newOpen);
      return safe;
    });
  }

  /** The first place of a list, from the given one on, whose condition no rule above has. */
  #nextOpen({ conditions }: BoundaryList, from: number): number {
    let place = from;
    while (place < conditions.length && this.#above[conditions[place] ?? ALWAYS] === 1) place += 1;
    return place;
  }

  /**
   * Whether no alert gets a third outcome from a rule. One would if it meets the rule's condition and none above it, its first rule in
   * the live list has another effect, and so has its first rule in the declared list. So the two lists are searched for a pair of such
   * rules of which neither is hidden: no rule above the one may have the other's condition.
   */
  #givesNoThirdOutcome(condition: number, effect: number): boolean {
    const [old, declared, above, firstNew] = [this.#old, this.#new, this.#above, this.#firstNew];
    // By place of its condition in the live list: the first declared rule with another effect.
    firstNew.fill(NOWHERE);
    for (let place = 0; place < declared.conditions.length; place += 1) {
      const other = declared.conditions[place] ?? ALWAYS;
      if (declared.effects[place] !== effect && above[other] === 0) {
        const at = Math.min(old.places[other] ?? NOWHERE, old.conditions.length);
        firstNew[at] = Math.min(firstNew[at] ?? NOWHERE, place);
      }
      if (other === condition) break;
    }
    const last = placeOf(old, condition);
    let other = NOWHERE;
    for (let place = old.conditions.length; place >= 0; place -= 1) {
      other = Math.min(other, firstNew[place] ?? NOWHERE);
      const own = old.conditions[place];
      if (own === undefined || place > last || old.effects[place] === effect || above[own] === 1) continue;
      if (other !== NOWHERE && other <= (declared.places[own] ?? NOWHERE)) return false;
    }
    return true;
  }
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text) ?? numbers.size + 1;
  numbers.set(text, known);
  return known;
}

/** The place where a list decides about alerts that meet a condition and none above: its own rule, or the end. */
function placeOf({ conditions, places }: BoundaryList, condition: number): number {
  return Math.min(places[condition] ?? NOWHERE, conditions.length - 1);
}

/**
 * Whether a list has the same rule with the same effect, and every rule above it is above it here too. `open`: the first place of the
 * list whose condition is not above the rule here.
 */
function hasAllAbove(list: BoundaryList, open: number, condition: number, effect: number): boolean {
  const place = placeOf(list, condition);
  return open === place && list.effects[place] === effect;
}

/** The index of the first rule that two lists do not share. */
function firstDifference(left: ReachableRules, right: ReachableRules): number {
  const at = right.conditions.findIndex(
    (condition, index) => condition !== left.conditions[index] || right.effects[index] !== left.effects[index],
  );
  return at < 0 ? right.conditions.length : at;
}
