/** Lists of rules for the tests of transitions: made up, replayed, and the fewest writes found by trying everything. */

import fc from "fast-check";
import type { RankedStep, Rule, Text } from "../../../src/plan/ranked/rule-list.ts";

/** Conditions as opaque bits: which classes of alerts a rule matches. */
export interface Bits extends Rule {
  readonly bits: number;
}

export const CLASSES = 6;
export const EVERYTHING: number = 2 ** CLASSES - 1;

/** A rule that matches these classes; one that matches all is known to, one that matches none is known not to. */
export function rule(bits: number, outcome: string): Bits {
  const reach = bits === EVERYTHING ? "all" : bits === 0 ? "none" : undefined;
  return { bits, match: `m${bits}`, outcome, ...(reach === undefined ? {} : { reach }) };
}

/** Outcome of the first rule that matches a class of alerts; undefined when none does. */
export function answer(rules: readonly Bits[], alert: number): string | undefined {
  return rules.find(({ bits }) => (bits & (1 << alert)) !== 0)?.outcome;
}

/** Every list that the service holds while the requests run, the first and the last included. */
export function states<Item extends Rule>(
  live: readonly Item[],
  declared: readonly Item[],
  steps: readonly RankedStep[],
  holding?: Item,
): readonly (readonly Item[])[] {
  const rows = new Map(live.map((one, row) => [row, one]));
  const of = (text: Text): Item => {
    const found = text.of === "holding" ? holding : (text.of === "live" ? live : declared)[text.rule];
    if (found === undefined) throw new Error(`no such rule: ${JSON.stringify(text)}`);
    return found;
  };
  return [
    live,
    ...steps.map((step) => {
      if (step.does === "append" ? rows.has(step.row) : !rows.has(step.row))
        throw new Error(`no such row: ${step.row}`);
      if (step.does === "delete") rows.delete(step.row);
      else rows.set(step.row, of(step.text));
      return [...rows.values()];
    }),
  ];
}

/** What the service holds, as text. */
export function textOf(rules: readonly Rule[]): string {
  return rules.map(({ match, outcome }) => `${match}:${outcome}`).join(" ");
}

const outcomes = fc.constantFrom("page", "note", "drop");

const one = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 1, max: EVERYTHING - 1 }) },
      { weight: 1, arbitrary: fc.constantFrom(0, EVERYTHING) },
      { weight: 2, arbitrary: fc.constantFrom(1, 3, 6) },
    ),
    outcomes,
  )
  .map(([bits, outcome]) => rule(bits, outcome));

/** Up to so many rules, some of them equal, off, or matching everything. */
export function lists(maxLength: number): fc.Arbitrary<Bits[]> {
  return fc.array(one, { maxLength });
}

/** A live list, and one made of it by the edits that people make. */
export function edited(length: number, edits: number): fc.Arbitrary<{ live: Bits[]; declared: Bits[] }> {
  const edit = fc.record({
    does: fc.constantFrom("insert", "delete", "move", "outcome", "conditions"),
    at: fc.nat(length),
    to: fc.nat(length),
    one,
  });
  return fc.tuple(lists(length), fc.array(edit, { maxLength: edits })).map(([live, all]) => {
    const declared = [...live];
    for (const { does, at, to, one } of all) {
      const old = declared[at];
      if (does === "insert") declared.splice(at, 0, one);
      else if (old === undefined) continue;
      else if (does === "outcome") declared[at] = rule(old.bits, one.outcome);
      else if (does === "conditions") declared[at] = rule(one.bits, old.outcome);
      else declared.splice(at, 1);
      if (does === "move" && old !== undefined) declared.splice(to, 0, old);
    }
    return { live, declared };
  });
}

/**
 * The fewest safe writes from one list to another, by trying every one: any rule of either list appended or written into
 * any row, any row deleted, from both ends. Gives `limit + 1` when more than `limit` are needed.
 */
export function fewest(live: readonly Rule[], declared: readonly Rule[], limit: number): number {
  const rules = [...new Map([...live, ...declared].map((one) => [textOf([one]), one])).values()];
  const matches = [...new Set(rules.filter(({ reach }) => reach === undefined).map(({ match }) => match))];
  const alerts = Array.from({ length: 2 ** matches.length }, (_unused, alert) => alert);
  const answers = (list: readonly Rule[]) =>
    alerts.map(
      (alert) =>
        list.find(
          ({ match, reach }) =>
            reach === "all" || (reach === undefined && (alert & (1 << matches.indexOf(match))) !== 0),
        )?.outcome,
    );
  const [old, wanted] = [answers(live), answers(declared)];
  const letters = rules.map((_rule, index) => String.fromCharCode(97 + index));
  const spelt = (list: readonly Rule[]) =>
    list.map((one) => letters[rules.findIndex((other) => textOf([other]) === textOf([one]))]).join("");
  const known = new Map<string, boolean>();
  const isSafe = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const list = [...word].flatMap((letter) => rules[letters.indexOf(letter)] ?? []);
    const safe = answers(list).every((given, alert) => given === old[alert] || given === wanted[alert]);
    known.set(word, safe);
    return safe;
  };
  const around = (word: string, forward: boolean): readonly string[] => {
    const places = Array.from({ length: word.length }, (_unused, at) => at);
    const written = places.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at + 1)));
    const without = places.map((at) => word.slice(0, at) + word.slice(at + 1));
    const between = [...places, word.length].flatMap((at) =>
      letters.map((letter) => word.slice(0, at) + letter + word.slice(at)),
    );
    return forward
      ? [...written, ...letters.map((letter) => word + letter), ...without]
      : [...written, word.slice(0, -1), ...between];
  };
  const [start, goal] = [spelt(live), spelt(declared)];
  if (start === goal) return 0;
  const sides = [
    { seen: new Set([start]), edge: new Set([start]), forward: true },
    { seen: new Set([goal]), edge: new Set([goal]), forward: false },
  ] as const;
  for (let writes = 1; writes <= limit; writes += 1) {
    const [near, far] = sides[0].edge.size <= sides[1].edge.size ? sides : ([sides[1], sides[0]] as const);
    const reached = [...near.edge].flatMap((word) => around(word, near.forward));
    near.edge.clear();
    for (const word of reached) {
      if (near.seen.has(word) || !isSafe(word)) continue;
      if (far.edge.has(word)) return writes;
      near.seen.add(word);
      near.edge.add(word);
    }
  }
  return limit + 1;
}
