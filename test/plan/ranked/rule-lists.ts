/** Lists of rules for the tests of transitions: written as text, made up, replayed, and the fewest writes found by trying everything. */

import fc from "fast-check";
import type { HoldingRule, RankedRule, RankedStep, RuleReference } from "../../../src/plan/ranked/rule.ts";

/** Rules by a letter and an effect: `a2` matches what `a` matches and has the effect 2, `*` matches every alert, `-` none. Default effect: the letter. */
export function rulesOf(text: string): readonly RankedRule[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ruleOf(word.charAt(0), word.slice(1) === "" ? word : word.slice(1)));
}

/** A rule by its letter and its effect. */
export function ruleOf(match: string, effect: string): RankedRule {
  return { match, effect, ...(match === "*" ? { reach: "all" } : match === "-" ? { reach: "none" } : {}) };
}

/** A rule with opaque bits for its conditions: the classes of alerts that it matches. */
export interface BitRule extends RankedRule {
  readonly bits: number;
}

export const CLASSES = 6;
export const EVERYTHING: number = 2 ** CLASSES - 1;

/** A rule that matches these classes; its reach is set if it matches all of them, or none. */
export function bitRule(bits: number, effect: string): BitRule {
  const reach = bits === EVERYTHING ? "all" : bits === 0 ? "none" : undefined;
  return { bits, match: `m${bits}`, effect, ...(reach === undefined ? {} : { reach }) };
}

/** The effect of the first rule that matches a class of alerts; undefined if none does. */
export function effectFor(rules: readonly BitRule[], alert: number): string | undefined {
  return rules.find(({ bits }) => (bits & (1 << alert)) !== 0)?.effect;
}

/** Every list that the service has during the steps, the first and the last included. Throws for a row that does not exist. */
export function states<Item extends RankedRule>(
  live: readonly Item[],
  declared: readonly Item[],
  steps: readonly RankedStep[],
  holding?: Item,
): readonly (readonly Item[])[] {
  const rows = new Map(live.map((rule, row) => [row, rule]));
  const find = (rule: RuleReference | HoldingRule): Item => {
    const found = rule.list === "holding" ? holding : (rule.list === "live" ? live : declared)[rule.index];
    if (found === undefined) throw new Error(`no such rule: ${JSON.stringify(rule)}`);
    return found;
  };
  return [
    live,
    ...steps.map((step) => {
      if (step.action === "append" ? rows.has(step.row) : !rows.has(step.row))
        throw new Error(`no such row: ${step.row}`);
      if (step.action === "delete") rows.delete(step.row);
      else rows.set(step.row, find(step.rule));
      return [...rows.values()];
    }),
  ];
}

/** A list with one rule at another place. */
export function moved(rules: readonly RankedRule[], from: number, to: number): readonly RankedRule[] {
  return rules.toSpliced(from, 1).toSpliced(to, 0, ...rules.slice(from, from + 1));
}

/** The lists on the way, each rule by its effect. */
export function walk(
  live: string,
  declared: string,
  way: (live: readonly RankedRule[], declared: readonly RankedRule[]) => readonly RankedStep[],
): readonly string[] {
  const [from, to] = [rulesOf(live), rulesOf(declared)];
  return states(from, to, way(from, to)).map((rules) => rules.map(({ effect }) => effect).join(" "));
}

export function textOf(rules: readonly RankedRule[]): string {
  return rules.map(({ match, effect }) => `${match}${effect}`).join(" ");
}

/** The differing rows of two lists: from the first row that differs down to the end of the longer list. */
export function differingRows(live: readonly RankedRule[], declared: readonly RankedRule[]): number {
  const longer = Math.max(live.length, declared.length);
  const rows = Array.from({ length: longer }, (_unused, at) => at);
  const first = rows.find((at) => textOf(live.slice(at, at + 1)) !== textOf(declared.slice(at, at + 1)));
  return longer - (first ?? longer);
}

const effects = fc.constantFrom("page", "note", "drop");

const anyRule = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: EVERYTHING - 1 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, EVERYTHING) },
      { weight: 2, arbitrary: fc.constantFrom(1, 3, 6) },
    ),
    effects,
  )
  .map(([bits, effect]) => bitRule(bits, effect));

/** Up to so many rules; some are equal, off, or match every alert. */
export function lists(maxLength: number): fc.Arbitrary<BitRule[]> {
  return fc.array(anyRule, { maxLength });
}

/** A live list, and a declared one made of it by edits as people make them. */
export function editedLists(length: number, edits: number): fc.Arbitrary<{ live: BitRule[]; declared: BitRule[] }> {
  const edit = fc.record({
    action: fc.constantFrom("insert", "remove", "move", "effect", "conditions"),
    at: fc.nat(length),
    to: fc.nat(length),
    rule: anyRule,
  });
  return fc.tuple(lists(length), fc.array(edit, { maxLength: edits })).map(([live, all]) => {
    const declared = [...live];
    for (const { action, at, to, rule } of all) {
      const old = declared[at];
      if (action === "insert") declared.splice(at, 0, rule);
      else if (old === undefined) continue;
      else if (action === "effect") declared[at] = bitRule(old.bits, rule.effect);
      else if (action === "conditions") declared[at] = bitRule(rule.bits, old.effect);
      else declared.splice(at, 1);
      if (action === "move" && old !== undefined) declared.splice(to, 0, old);
    }
    return { live, declared };
  });
}

/**
 * The fewest safe writes from one list to another, by trying every one from both ends: any rule of either list appended or written into
 * any row, and any row deleted. Returns `limit + 1` if more than `limit` are needed.
 */
export function fewestWrites(live: readonly RankedRule[], declared: readonly RankedRule[], limit: number): number {
  if (fewestUnsafeWrites(live, declared) > limit) return limit + 1;
  const rules = [...new Map([...live, ...declared].map((rule) => [textOf([rule]), rule])).values()];
  const matches = [...new Set(rules.filter(({ reach }) => reach === undefined).map(({ match }) => match))];
  /** By rule: the alerts that it matches. An alert is a set of conditions that hold for it. */
  const alerts = rules.map(({ match, reach }) =>
    Array.from(
      { length: 2 ** matches.length },
      (_unused, alert) => reach === "all" || (reach === undefined && (alert & (1 << matches.indexOf(match))) !== 0),
    ),
  );
  const letters = rules.map((_rule, index) => String.fromCharCode(97 + index));
  const spell = (list: readonly RankedRule[]) =>
    list.map((rule) => letters[rules.findIndex((other) => textOf([other]) === textOf([rule]))]).join("");
  const outcomes = (word: string) => {
    const indexes = [...word].map((letter) => letters.indexOf(letter));
    return Array.from({ length: 2 ** matches.length }, (_unused, alert) => {
      const index = indexes.find((rule) => alerts[rule]?.[alert] === true);
      return index === undefined ? undefined : rules[index]?.effect;
    });
  };
  const [start, goal] = [spell(live), spell(declared)];
  const [old, after] = [outcomes(start), outcomes(goal)];
  const known = new Map<string, boolean>();
  const isSafe = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const safe = outcomes(word).every((effect, alert) => effect === old[alert] || effect === after[alert]);
    known.set(word, safe);
    return safe;
  };
  if (start === goal) return 0;
  let [near, far] = [
    { seen: new Set([start]), edge: new Set([start]), isForward: true },
    { seen: new Set([goal]), edge: new Set([goal]), isForward: false },
  ];
  for (let writes = 1; writes <= limit; writes += 1) {
    if (near.edge.size > far.edge.size) [near, far] = [far, near];
    const reached = [...near.edge].flatMap((word) => oneWriteAway(word, letters, near.isForward));
    near.edge = new Set();
    for (const word of reached) {
      if (near.seen.has(word) || !isSafe(word)) continue;
      if (far.edge.has(word)) return writes;
      near.seen.add(word);
      near.edge.add(word);
    }
  }
  return limit + 1;
}

/** The lists that one write makes of a list, or that one write makes this list of. */
function oneWriteAway(word: string, letters: readonly string[], isForward: boolean): readonly string[] {
  const places = Array.from(word, (_letter, at) => at);
  const written = places.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at + 1)));
  const appended = letters.map((letter) => word + letter);
  const deleted = places.map((at) => word.slice(0, at) + word.slice(at + 1));
  if (isForward) return [...written, ...appended, ...deleted];
  const undeleted = [...places, word.length].flatMap((at) =>
    letters.map((letter) => word.slice(0, at) + letter + word.slice(at)),
  );
  return [...written, word.slice(0, -1), ...undeleted];
}

/** A lower bound for any way, safe or not: rows written or deleted, and rules appended below them all. */
export function fewestUnsafeWrites(live: readonly RankedRule[], declared: readonly RankedRule[]): number {
  const texts = [live, declared].map((rules) => rules.map((rule) => textOf([rule])));
  let below = [...declared.map((_rule, at) => declared.length - at), 0];
  for (let row = live.length - 1; row >= 0; row -= 1) {
    const here = below.map((writes) => writes + 1);
    for (let at = 0; at < declared.length; at += 1) {
      const written = (below[at + 1] ?? 0) + (texts[0]?.[row] === texts[1]?.[at] ? 0 : 1);
      here[at] = Math.min(here[at] ?? 0, written);
    }
    below = here;
  }
  return below[0] ?? 0;
}
