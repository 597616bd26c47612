/**
 * The promise about a first-match-wins list: while it changes, every alert gets what it got before or what it will get
 * after. Conditions are opaque, so any set of them may hold at once, and "every alert" is every such set.
 */

import type { RankedStep, Rule, Text } from "./ranked.ts";

/** The condition that always holds: that of a rule that matches everything, and of the end of every list. */
const REST = 0;
/** The outcome of an alert that no rule matches. */
const NOTHING = 0;
const NOWHERE = 2 ** 30;

/** A list as alerts meet it, without the rules that nothing reaches: numbers for conditions and outcomes, and where each stands. */
interface Side {
  readonly matches: readonly number[];
  readonly outcomes: readonly number[];
  readonly places: readonly number[];
}

/**
 * Whether the requests lead from the live list to the declared one, and every list on the way keeps the promise. What
 * alerts meet stays the same while rules are pushed down; only a list that they meet otherwise is judged.
 */
export function keepsPromise(live: readonly Rule[], declared: readonly Rule[], steps: readonly RankedStep[]): boolean {
  const numbers = new Numbers();
  const old = numbers.side(live);
  const wanted = numbers.side(declared);
  const judge = new Judge(old, wanted, numbers.count);
  const rows = new Map<number, Rule>(live.map((rule, row) => [row, rule]));
  let before = old;
  for (const step of steps) {
    if (step.does === "delete") rows.delete(step.row);
    else {
      const rule = ruleOf(step.text, live, declared);
      if (rule === undefined) return false;
      rows.set(step.row, rule);
    }
    const now = numbers.side(rows.values());
    if (!judge.isFair(now, firstDifference(before, now))) return false;
    before = now;
  }
  const end = [...rows.values()];
  return (
    end.length === declared.length &&
    end.every(({ match, outcome }, at) => match === declared[at]?.match && outcome === declared[at]?.outcome)
  );
}

/** Tells of a list whether it keeps the promise between two others. */
export function fairness(live: readonly Rule[], declared: readonly Rule[]): (list: readonly Rule[]) => boolean {
  const numbers = new Numbers();
  const [old, wanted] = [numbers.side(live), numbers.side(declared)];
  const judge = new Judge(old, wanted, numbers.count);
  return (list) => judge.isFair(numbers.side(list), 0);
}

function ruleOf(text: Text, live: readonly Rule[], declared: readonly Rule[]): Rule | undefined {
  if (text.of === "holding") return undefined;
  return (text.of === "live" ? live : declared)[text.rule];
}

/** The first rule that two lists do not share; what stands above it is the same. */
function firstDifference(one: Side, other: Side): number {
  const at = other.matches.findIndex(
    (match, index) => match !== one.matches[index] || other.outcomes[index] !== one.outcomes[index],
  );
  return at < 0 ? other.matches.length : at;
}

class Numbers {
  readonly #matches = new Map<string, number>();
  readonly #outcomes = new Map<string, number>();

  /** Number of conditions so far, the one that always holds included. */
  get count(): number {
    return this.#matches.size + 1;
  }

  side(rules: Iterable<Rule>): Side {
    const matches: number[] = [];
    const outcomes: number[] = [];
    const places: number[] = [];
    const add = (match: number, outcome: number) => {
      places[match] = matches.length;
      matches.push(match);
      outcomes.push(outcome);
    };
    for (const { match, outcome, reach } of rules) {
      if (reach === "none") continue;
      const number = reach === "all" ? REST : numberIn(this.#matches, match);
      if (places[number] === undefined) add(number, numberIn(this.#outcomes, outcome));
      if (number === REST) break;
    }
    if (places[REST] === undefined) add(REST, NOTHING);
    return { matches, outcomes, places };
  }
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text) ?? numbers.size + 1;
  numbers.set(text, known);
  return known;
}

/** Judges the lists that stand between two others. */
class Judge {
  readonly #old: Side;
  readonly #wanted: Side;
  /** By condition: a rule of the list at hand that stands above has it. Conditions of neither side are not asked for. */
  readonly #above: Uint8Array;
  readonly #first: Int32Array;

  constructor(old: Side, wanted: Side, count: number) {
    this.#old = old;
    this.#wanted = wanted;
    this.#above = new Uint8Array(count);
    this.#first = new Int32Array(old.matches.length + 1);
  }

  /** Whether each rule from one on answers as one of the sides does, whenever an alert reaches it. */
  isFair({ matches, outcomes }: Side, from: number): boolean {
    this.#above.fill(0);
    return matches.every((match, index) => {
      const fair = index < from || this.#isFairAt(match, outcomes[index] ?? NOTHING);
      this.#above[match] = 1;
      return fair;
    });
  }

  /**
   * An alert that reaches the rule gets a third answer when it matches a rule on either side that answers otherwise, and
   * nothing above the one on its side or above the other on the other side.
   */
  #isFairAt(match: number, outcome: number): boolean {
    const [old, wanted, above, first] = [this.#old, this.#wanted, this.#above, this.#first];
    // By place in the old list: the first rule of the wanted one, among those that answer otherwise.
    first.fill(NOWHERE);
    for (let place = 0; place < wanted.matches.length; place += 1) {
      const other = wanted.matches[place] ?? REST;
      if (wanted.outcomes[place] !== outcome && above[other] === 0) {
        const at = old.places[other] ?? old.matches.length;
        first[at] = Math.min(first[at] ?? NOWHERE, place);
      }
      if (other === match) break;
    }
    const last = old.places[match] ?? old.matches.length - 1;
    let other = NOWHERE;
    for (let place = old.matches.length; place >= 0; place -= 1) {
      other = Math.min(other, first[place] ?? NOWHERE);
      const own = old.matches[place];
      if (own === undefined || place > last || old.outcomes[place] === outcome || above[own] === 1) continue;
      if (other !== NOWHERE && other <= (wanted.places[own] ?? NOWHERE)) return false;
    }
    return true;
  }
}
