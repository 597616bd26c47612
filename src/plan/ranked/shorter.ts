/**
 * A search for short lists: whether fewer writes than are known keep the promise as well. It goes through the lists that can
 * be reached, the most promising first, and gives up after so many; what it finds is the fewest there can be.
 */

import type { Listed, RankedStep, Rule } from "./rule-list.ts";
import { fairness } from "./transition-safety.ts";

/** Longer lists are not searched, and no search looks at more lists than this. */
const LONGEST = 12;
const LISTS = 8000;

/** A list on the way, a letter for each rule, and how it came about. */
interface Reached {
  readonly word: string;
  readonly writes: number;
  readonly before?: Reached;
  /** The row from the top, and the rule that is put there; no rule where it is deleted. */
  readonly at: number;
  readonly rule?: number;
}

/** Requests that are fewer than `writes`, if some are found. */
export function shorter(
  live: readonly Rule[],
  declared: readonly Rule[],
  writes: number,
): readonly RankedStep<Listed>[] | undefined {
  if (Math.max(live.length, declared.length) > LONGEST) return undefined;
  const texts = new Map<string, Listed>([
    ...live.map((rule, at) => [nameOf(rule), { of: "live", rule: at }] as const),
    ...declared.map((rule, at) => [nameOf(rule), { of: "declared", rule: at }] as const),
  ]);
  const rules = [...new Map([...live, ...declared].map((rule) => [nameOf(rule), rule])).values()];
  const numbers = new Map([...texts.keys()].map((name, number) => [name, number]));
  const spelt = (list: readonly Rule[]) => list.map((rule) => letter(numbers.get(nameOf(rule)) ?? 0)).join("");
  const isFair = fairness(live, declared);
  const goal = spelt(declared);
  /** By the writes that each takes at least. */
  const open: Reached[][] = [];
  const seen = new Map<string, number>();
  const unfair = new Set<string>();
  let left = LISTS;
  const enter = (list: Reached) => {
    left -= 1;
    const { word } = list;
    if ((seen.get(word) ?? writes) <= list.writes || unfair.has(word)) return;
    const least = list.writes + distance(word, goal);
    if (least >= writes) return;
    if (!isFair([...word].flatMap((one) => rules[one.charCodeAt(0) - FIRST] ?? []))) {
      unfair.add(word);
      return;
    }
    seen.set(word, list.writes);
    const bucket = open[least] ?? [];
    open[least] = bucket;
    bucket.push(list);
  };
  enter({ word: spelt(live), writes: 0, at: 0 });
  while (left > 0) {
    const list = open.find((bucket) => bucket !== undefined && bucket.length > 0)?.pop();
    if (list === undefined) return undefined;
    if (list.word === goal) return requestsTo(list, live.length, [...texts.values()]);
    around(list, rules.length, enter);
  }
  return undefined;
}

const FIRST = 0x4e00;

function letter(rule: number): string {
  return String.fromCharCode(FIRST + rule);
}

function nameOf({ match, outcome }: Rule): string {
  return JSON.stringify([match, outcome]);
}

/** Every list that is one write away. */
function around(before: Reached, count: number, enter: (list: Reached) => void): void {
  const { word } = before;
  const writes = before.writes + 1;
  for (let at = 0; at <= word.length; at += 1) {
    const above = word.slice(0, at);
    const below = word.slice(at + 1);
    if (at < word.length) enter({ word: above + below, writes, before, at });
    for (let rule = 0; rule < count; rule += 1) {
      enter({ word: above + letter(rule) + below, writes, before, at, rule });
    }
  }
}

/** The requests that led to a list. */
function requestsTo(list: Reached, live: number, texts: readonly Listed[]): readonly RankedStep<Listed>[] {
  const path: Reached[] = [];
  for (let one = list; one.before !== undefined; one = one.before) path.unshift(one);
  const rows = Array.from({ length: live }, (_unused, row) => row);
  let next = live;
  return path.flatMap(({ at, rule }): readonly RankedStep<Listed>[] => {
    const row = rows[at];
    const text = rule === undefined ? undefined : texts[rule];
    if (row !== undefined && text !== undefined) return [{ does: "write", row, text }];
    if (row !== undefined) {
      rows.splice(at, 1);
      return [{ does: "delete", row }];
    }
    if (text === undefined) return [];
    rows.push(next);
    next += 1;
    return [{ does: "append", row: next - 1, text }];
  });
}

/** Writes that no way can do without, safe or not: rows written or deleted, and rules appended below them all. */
function distance(word: string, goal: string): number {
  const below = Array.from({ length: goal.length + 1 }, (_unused, at) => goal.length - at);
  for (let row = word.length - 1; row >= 0; row -= 1) {
    for (let at = 0; at <= goal.length; at += 1) {
      const deleted = (below[at] ?? 0) + 1;
      const changed = word.charCodeAt(row) === goal.charCodeAt(at) ? 0 : 1;
      below[at] = at === goal.length ? deleted : Math.min(deleted, (below[at + 1] ?? 0) + changed);
    }
  }
  return below[0] ?? 0;
}
