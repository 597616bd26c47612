/** The rules that a changed rule takes alerts from, and whether any alert gets another outcome, as far as conditions tell. */

import type { Fields } from "../../core/json.ts";
import { covers, excludes, type ParsedCondition, parseConditions } from "../../kinds/values/rule-conditions.ts";
import type { Change } from "../model/plan.ts";
import { nameOf, type RuleChange } from "./changes.ts";
import type { RankedList } from "./requests.ts";
import { ruleFields } from "./rule.ts";

/** The takeover of a rule, as a plan shows it. */
type Takeover = NonNullable<Change["takes_over"]>;

/** The alerts that a rule takes over: indexes of the live rules that had them, and whether there are alerts that no rule matched. */
interface Taken {
  readonly rules: readonly number[];
  readonly unmatched: boolean;
}

/** A rule with its conditions parsed once; undefined if it is off. */
type ActiveRule = readonly ParsedCondition[] | undefined;

/** Rules to name; of more, the number is enough. */
const MAX_NAMES = 3;
/** The most comparisons of one list: a change of a whole list of thousands is reviewed as a list. */
const MAX_COMPARISONS = 200_000;

/**
 * Adds to each change of a rule what it takes over: the live rules that may have matched its alerts first; and whether every alert keeps
 * its outcome.
 */
export function withTakeovers(
  list: RankedList,
  partners: ReadonlyMap<number, number>,
  changes: readonly RuleChange[],
): readonly RuleChange[] {
  if (list.live.length === 0 || changes.length * list.live.length > MAX_COMPARISONS) return changes;
  const search = new TakeoverSearch(list, partners);
  return changes.map((one) => {
    if (one.declared === undefined) return one;
    const takesOver = search.of(one.declared);
    return {
      ...one,
      ...(search.keepsOutcomes(one.declared, one.live, one.change.action) ? { keepsOutcomes: true as const } : {}),
      ...(takesOver === undefined ? {} : { change: { ...one.change, takes_over: takesOver } }),
    };
  });
}

class TakeoverSearch {
  readonly #list: RankedList;
  readonly #partners: ReadonlyMap<number, number>;
  /** Live index → declared index. */
  readonly #later: ReadonlyMap<number, number>;
  readonly #live: readonly ActiveRule[];
  readonly #declared: readonly ActiveRule[];

  constructor(list: RankedList, partners: ReadonlyMap<number, number>) {
    const { conditions, enabled } = ruleFields(list.kind);
    const active = (fields: Fields): ActiveRule =>
      fields[enabled] === false ? undefined : parseConditions(fields[conditions]);
    this.#list = list;
    this.#partners = partners;
    this.#later = new Map([...partners].map(([declared, live]) => [live, declared]));
    this.#live = list.live.map(({ fields }) => active(fields));
    this.#declared = list.declaredFields.map(active);
  }

  /** The takeover of a declared rule; undefined if it takes no alerts from another one. */
  of(index: number): Takeover | undefined {
    const taken = this.#search(index);
    return taken === undefined ? undefined : this.#takeover(taken);
  }

  /** Whether every alert keeps its outcome although a rule is new, edited or moved. False if that is not certain. */
  keepsOutcomes(index: number, before: number | undefined, action: Change["action"]): boolean {
    const own = this.#declared[index];
    const hasEffectOf = (at: number): boolean =>
      this.#list.liveRules[at]?.effect === this.#list.declaredRules[index]?.effect;
    if (before === undefined) {
      const taken = this.#search(index);
      return taken === undefined || (!taken.unmatched && taken.rules.every(hasEffectOf));
    }
    if (own === undefined) return this.#live[before] === undefined;
    if (action !== "move") return false;
    return this.#live.every((rule, at) => {
      const later = this.#later.get(at);
      // Deleted rules are changes of their own.
      if (rule === undefined || later === undefined || at < before === later < index) return true;
      return hasEffectOf(at) || (excludes(own, rule) && this.#matchesAlike(at, later));
    });
  }

  /** The live rules whose alerts a declared rule takes; undefined if no alert reaches it, or all are its own already. */
  #search(index: number): Taken | undefined {
    const own = this.#declared[index];
    if (own === undefined || this.#declared.slice(0, index).some((rule) => rule !== undefined && covers(rule, own))) {
      return undefined;
    }
    const rules: number[] = [];
    for (const [at, rule] of this.#live.entries()) {
      if (rule === undefined) continue;
      if (this.#partners.get(index) === at) {
        // From here on, all its alerts were its own already.
        if (covers(rule, own)) return rules.length === 0 ? undefined : { rules, unmatched: false };
        continue;
      }
      const later = this.#later.get(at);
      const staysAbove = later !== undefined && later < index && this.#matchesAlike(at, later);
      if (staysAbove || excludes(own, rule)) continue;
      rules.push(at);
      if (covers(rule, own)) return { rules, unmatched: false };
    }
    return { rules, unmatched: true };
  }

  #matchesAlike(live: number, declared: number): boolean {
    return this.#list.liveRules[live]?.match === this.#list.declaredRules[declared]?.match;
  }

  #takeover({ rules, unmatched }: Taken): Takeover {
    const names = rules.slice(0, MAX_NAMES).map((at) => {
      const later = this.#later.get(at);
      const declared = later === undefined ? undefined : this.#list.declared[later];
      const live = this.#list.live[at];
      return declared !== undefined ? nameOf(declared, declared.secrets) : live === undefined ? "" : nameOf(live, []);
    });
    return {
      rules: names,
      ...(rules.length > MAX_NAMES ? { more: rules.length - MAX_NAMES } : {}),
      ...(unmatched ? { unmatched: true as const } : {}),
    };
  }
}
