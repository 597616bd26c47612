/**
 * The ways to move one rule to another position.
 *
 * A service that only appends, overwrites and deletes rows cannot move one. The rules move like the tiles of a sliding puzzle instead:
 * one row is free, a rule is copied into it, and the row that the rule was copied from is free next. Until then the rule is in two
 * rows, and alerts see the upper one only. So no rule is ever missing, and each pair of rules is in its old or its new order.
 *
 * The first free row is either
 *
 * - a new one: the rules below the move go down by one, and at the end a row is deleted and they come up again; or
 * - the row of a rule without an effect (off, repeated, below one that matches every alert, or with the effect that its alerts would get
 *   from the rules below as well), among the rules that move or next to them. That rule is written back at the end.
 *
 * In a list of 100 rules, two neighbours at the top change places in 100 writes by a new row. If the next rule is off, 4 do.
 */

import { isSameRule, type RankedRule, type RankedStep, unreachableRules } from "./rule.ts";

/** The rows whose rules change position, from `first` to `last`. */
interface Move {
  readonly live: readonly RankedRule[];
  readonly declared: readonly RankedRule[];
  readonly first: number;
  readonly last: number;
}

/** Ways to make the declared list of the live one by moving one rule; none if more than that is different. Not all need be safe. */
export function moveRule(
  live: readonly RankedRule[],
  declared: readonly RankedRule[],
): readonly (readonly RankedStep[])[] {
  if (live.length !== declared.length) return [];
  const first = live.findIndex((rule, at) => !isSameRule(rule, declared[at]));
  const last = live.findLastIndex((rule, at) => !isSameRule(rule, declared[at]));
  if (first < 0) return [];
  const move = { live, declared, first, last };
  const isShifted = (by: number) =>
    live.every(
      (rule, at) =>
        Math.min(at, at + by) < first || Math.max(at, at + by) > last || isSameRule(rule, declared[at + by]),
    );
  // Two neighbours that change places are a move up as well as a move down.
  const goesUp = isSameRule(live[last], declared[first]) && isShifted(1);
  const goesDown = isSameRule(live[first], declared[last]) && isShifted(-1);
  return [...(goesUp ? moveUp(move) : []), ...(goesDown ? moveDown(move) : [])];
}

/** The ways to move the last rule up to the first row: each other one goes down by one. */
function moveUp(move: Move): readonly (readonly RankedStep[])[] {
  const { live, first, last } = move;
  const rotation = [...down(last - 1, first), last];
  const { within, below, above } = freeRows(move, (row) => (row === last ? first : row + 1));
  return [
    slide(move, [...down(live.length, last + 1), ...rotation]),
    ...within.map((row) => slide(move, [...down(row, first), ...down(last, row + 1)], row)),
    ...below.map((row) => slide(move, [...down(row, last + 1), ...rotation, ...up(last + 1, row)], row)),
    ...above.map((row) => slide(move, [...up(row, first - 1), ...down(last, first), ...down(first - 1, row)], row)),
  ];
}

/** The ways to move the first rule down to the last row: each other one goes up by one. */
function moveDown(move: Move): readonly (readonly RankedStep[])[] {
  const { live, first, last } = move;
  const rotation = [...up(first + 1, last), first];
  const { within, below, above } = freeRows(move, (row) => (row === first ? last : row - 1));
  return [
    slide(move, [...down(live.length, last + 1), first]),
    ...within.map((row) => slide(move, [...up(row, last), ...up(first, row - 1)], row)),
    ...below.map((row) => slide(move, [...down(row, last + 1), ...up(first, last), ...up(last + 1, row)], row)),
    ...above.map((row) => slide(move, [...up(row, first - 1), ...rotation, ...down(first - 1, row)], row)),
  ];
}

/**
 * The writes that take a free row along a path: each row gets the rule of the next one. The last row is deleted, or gets back the rule
 * of the live row `spare`. A write that would change nothing is left out.
 */
function slide({ live }: Move, path: readonly number[], spare?: number): readonly RankedStep[] {
  const rows = live.map((_rule, index) => index);
  const steps: RankedStep[] = [];
  for (const [at, row] of path.entries()) {
    const from = path[at + 1];
    const index = from === undefined ? spare : rows[from];
    const rule = { list: "live", index: index ?? -1 } as const;
    if (index === undefined) steps.push({ action: "delete", row });
    else if (row === rows.length) steps.push({ action: "append", row, rule });
    else if (!isSameRule(live[rows[row] ?? -1], live[index])) steps.push({ action: "write", row, rule });
    rows[row] = index ?? -1;
  }
  return withDeclaredRules(steps);
}

/** The steps with a declared rule wherever a row gets its last one. */
function withDeclaredRules(steps: readonly RankedStep[]): readonly RankedStep[] {
  const last = new Map(steps.map((step) => [step.row, step]));
  const deleted = steps.find(({ action }) => action === "delete")?.row ?? Number.POSITIVE_INFINITY;
  return steps.map((step) => {
    if (step.action === "delete" || last.get(step.row) !== step) return step;
    return { ...step, rule: { list: "declared", index: step.row - (step.row > deleted ? 1 : 0) } };
  });
}

/** Rows that may be free at first: two among those that move, the next one below them and the next one above. */
function freeRows(
  { live, declared, first, last }: Move,
  target: (row: number) => number,
): Readonly<Record<"within" | "below" | "above", readonly number[]>> {
  const [freeBefore, freeAfter] = [withoutEffect(live), withoutEffect(declared)];
  const moving = up(first, last);
  const isFree = (row: number) => freeBefore[row] === true;
  const within = [moving.find(isFree), moving.findLast((row) => freeAfter[target(row)] === true)];
  const below = up(last + 1, live.length - 1).find(isFree);
  const above = down(first - 1, 0).find(isFree);
  return {
    within: [...new Set(within.flatMap((row) => row ?? []))],
    below: below === undefined ? [] : [below],
    above: above === undefined ? [] : [above],
  };
}

/** For each rule, whether the list would route every alert alike without it. */
function withoutEffect(rules: readonly RankedRule[]): readonly boolean[] {
  const unreachable = unreachableRules(rules);
  const end = rules.findIndex(({ reach }) => reach === "all");
  const lastDifferent = rules.findLastIndex(
    ({ effect }, index) => index < end && unreachable[index] === false && effect !== rules[end]?.effect,
  );
  return unreachable.map((value, index) => value || (index > lastDifferent && index < end));
}

/** The row numbers from one to another, ascending; empty if `from` is greater than `to`. */
function up(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_unused, at) => from + at);
}

/** The row numbers from one to another, descending; empty if `from` is less than `to`. */
function down(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(from - to + 1, 0) }, (_unused, at) => from - at);
}
