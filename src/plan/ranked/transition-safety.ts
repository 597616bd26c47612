/**
 * The promise about a first-match-wins list: while it changes, every alert gets what it got before or what it will get
 * after. Conditions are opaque, so any set of them may hold at once, and "every alert" is every such set.
 */

import type { RankedStep, Rule, Text } from "./rule-list.ts";

/** The condition that always holds: that of a rule that matches everything, and of the end of every list. */
const REST = 0;
/** The outcome of an alert that no rule matches. */
const NOTHING = 0;
const NOWHERE = 2 ** 30;

/** A rule by numbers; nothing reaches one that has no conditions here. */
interface Numbered {
  readonly rule: Rule;
  readonly match: number | undefined;
  readonly outcome: number;
}

/** A list as alerts meet it, without the rules that nothing reaches: numbers for conditions and outcomes. */
interface List {
  readonly matches: readonly number[];
  readonly outcomes: readonly number[];
}

/** One of the two lists that the others stand between, and where in it each condition stands. */
interface Side extends List {
  readonly places: Int32Array;
}

/**
 * Whether the requests lead from the live list to the declared one, and every list on the way keeps the promise. What
 * alerts meet stays the same while rules are pushed down; only a list that they meet otherwise is judged.
 */
export function keepsPromise(live: readonly Rule[], declared: readonly Rule[], steps: readonly RankedStep[]): boolean {
  const numbers = new Numbers();
  const [old, wanted] = [live.map((rule) => numbers.of(rule)), declared.map((rule) => numbers.of(rule))];
  const judge = new Judge(old, wanted, numbers);
  const rows: (Numbered | undefined)[] = [...old];
  let before = judge.met(old);
  for (const step of steps) {
    // A row comes to be below all others, and only one that is there can be written or deleted.
    if (step.does === "append" ? step.row !== rows.length : rows[step.row] === undefined) return false;
    const written = step.does === "delete" ? undefined : textOf(step.text, old, wanted);
    if (step.does !== "delete" && written === undefined) return false;
    rows[step.row] = written;
    const now = judge.met(rows);
    if (!judge.isFair(now, firstDifference(before, now))) return false;
    before = now;
  }
  const end = rows.flatMap((row) => row?.rule ?? []);
  return (
    end.length === declared.length &&
    end.every(({ match, outcome }, at) => match === declared[at]?.match && outcome === declared[at]?.outcome)
  );
}

/** Tells of a list whether it keeps the promise between two others. */
export function fairness(live: readonly Rule[], declared: readonly Rule[]): (list: readonly Rule[]) => boolean {
  const numbers = new Numbers();
  const [old, wanted] = [live.map((rule) => numbers.of(rule)), declared.map((rule) => numbers.of(rule))];
  const judge = new Judge(old, wanted, numbers);
  return (list) => judge.isFair(judge.met(list.map((rule) => numbers.of(rule))), 0);
}

function textOf(text: Text, live: readonly Numbered[], declared: readonly Numbered[]): Numbered | undefined {
  if (text.of === "holding") return undefined;
  return (text.of === "live" ? live : declared)[text.rule];
}

/** Where a side ends for alerts that have a condition: its own rule, or the end. */
function endOf({ matches, places }: Side, match: number): number {
  return Math.min(places[match] ?? NOWHERE, matches.length - 1);
}

/**
 * Whether alerts that reach a rule get its answer on one side as well, because all that stands above it there stands above it here:
 * `open` is the first place there that does not.
 */
function answersAs(side: Side, open: number, match: number, outcome: number): boolean {
  const end = endOf(side, match);
  return open === end && side.outcomes[end] === outcome;
}

/** The first rule that two lists do not share; what stands above it is the same. */
function firstDifference(one: List, other: List): number {
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

  of(rule: Rule): Numbered {
    const { match, outcome, reach } = rule;
    const conditions = reach === "all" ? REST : numberIn(this.#matches, match);
    return { rule, match: reach === "none" ? undefined : conditions, outcome: numberIn(this.#outcomes, outcome) };
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
  readonly #numbers: Numbers;
  /** By condition: a rule of the list at hand that stands above has it. */
  #above = new Uint8Array();
  readonly #first: Int32Array;

  constructor(old: readonly Numbered[], wanted: readonly Numbered[], numbers: Numbers) {
    this.#numbers = numbers;
    this.#old = this.#side(old);
    this.#wanted = this.#side(wanted);
    this.#first = new Int32Array(this.#old.matches.length + 1);
  }

  /** What alerts meet of the rules of a list. */
  met(rules: readonly (Numbered | undefined)[]): List {
    const above = this.#cleared();
    const list = { matches: [] as number[], outcomes: [] as number[] };
    for (const rule of rules) {
      if (rule?.match === undefined || above[rule.match] === 1) continue;
      above[rule.match] = 1;
      list.matches.push(rule.match);
      list.outcomes.push(rule.outcome);
      if (rule.match === REST) return list;
    }
    list.matches.push(REST);
    list.outcomes.push(NOTHING);
    return list;
  }

  #cleared(): Uint8Array {
    const { count } = this.#numbers;
    if (this.#above.length < count) this.#above = new Uint8Array(count);
    return this.#above.fill(0);
  }

  #side(rules: readonly Numbered[]): Side {
    const list = this.met(rules);
    const places = new Int32Array(this.#above.length).fill(NOWHERE);
    for (const [place, match] of list.matches.entries()) places[match] = place;
    return { ...list, places };
  }

  /**
   * Whether each rule from one on answers as one of the sides does, whenever an alert reaches it. Of nearly every rule of a good list
   * that is seen at once; the others are held against both sides.
   */
  isFair({ matches, outcomes }: List, from: number): boolean {
    if (from >= matches.length) return true;
    const above = this.#cleared();
    let [old, wanted] = [0, 0];
    return matches.every((match, index) => {
      const outcome = outcomes[index] ?? NOTHING;
      const fair =
        index < from ||
        answersAs(this.#old, old, match, outcome) ||
        answersAs(this.#wanted, wanted, match, outcome) ||
        this.#isFairAt(match, outcome);
      above[match] = 1;
      old = this.#open(this.#old, old);
      wanted = this.#open(this.#wanted, wanted);
      return fair;
    });
  }

  /** The first place of a side, from one on, that does not stand above. */
  #open({ matches }: Side, from: number): number {
    let place = from;
    while (place < matches.length && this.#above[matches[place] ?? REST] === 1) place += 1;
    return place;
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
        const at = Math.min(old.places[other] ?? NOWHERE, old.matches.length);
        first[at] = Math.min(first[at] ?? NOWHERE, place);
      }
      if (other === match) break;
    }
    const last = endOf(old, match);
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
