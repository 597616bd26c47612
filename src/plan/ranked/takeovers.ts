/** Which rules a changed rule takes alerts from, as far as their conditions tell. */

import type { Fields } from "../../core/json.ts";
import { covers, excludes, type ParsedCondition, parseConditions } from "../../kinds/rule-conditions.ts";
import type { Change } from "../plan.ts";
import { nameOf, type RuleChange } from "./changes.ts";
import type { RankedList } from "./requests.ts";
import { ruleFields } from "./rule.ts";

/** The takeover of a rule, as a plan shows it. */
type Takeover = NonNullable<Change["takes_over"]>;

/** A rule with its conditions parsed once; undefined if it is off. */
type ActiveRule = readonly ParsedCondition[] | undefined;

/** Rules to name; of more, the number is enough. */
const MAX_NAMES = 3;
/** The most comparisons of one list: a change of a whole list of thousands is reviewed as a list. */
const MAX_COMPARISONS = 200_000;

/**
 * Adds to each change of a rule what it takes over: the live rules that may have matched its alerts first.
 */
export function withTakeovers(
  list: RankedList,
  partners: ReadonlyMap<number, number>,
  changes: readonly RuleChange[],
): readonly RuleChange[] {
  if (list.live.length === 0 || changes.length * list.live.length > MAX_COMPARISONS) return changes;
  const search = new TakeoverSearch(list, partners);
  return changes.map((one) => {
    const takesOver = one.declared === undefined ? undefined : search.of(one.declared);
    return takesOver === undefined ? one : { ...one, change: { ...one.change, takes_over: takesOver } };
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
    const own = this.#declared[index];
    if (own === undefined || this.#declared.slice(0, index).some((rule) => rule !== undefined && covers(rule, own))) {
      return undefined;
    }
    const rules: number[] = [];
    for (const [at, rule] of this.#live.entries()) {
      if (rule === undefined) continue;
      if (this.#partners.get(index) === at) {
        // From here on, all its alerts were its own already.
        if (covers(rule, own)) return this.#takeover(rules, false);
        continue;
      }
      const later = this.#later.get(at);
      const staysAbove = later !== undefined && later < index && this.#matchesAlike(at, later);
      if (staysAbove || excludes(own, rule)) continue;
      rules.push(at);
      if (covers(rule, own)) return this.#takeover(rules, false);
    }
    return this.#takeover(rules, true);
  }

  #matchesAlike(live: number, declared: number): boolean {
    return this.#list.liveRules[live]?.match === this.#list.declaredRules[declared]?.match;
  }

  #takeover(rules: readonly number[], unmatched: boolean): Takeover | undefined {
    if (rules.length === 0 && !unmatched) return undefined;
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
