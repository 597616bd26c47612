/**
 * The writes that turn one list of rules into another without a routing gap.
 *
 * The first rule that matches an alert decides. Alerts arrive while rules are written, and the service makes one write at a time: it
 * appends a rule, overwrites one, or deletes one. So the list passes through many states, and in each of them every alert gets its old
 * or its new outcome. Conditions are opaque: rules are only ever compared for equality.
 *
 * `growThenShrink` is the general way. The longest run of rules that are in both lists in the same order stays; the other rules are
 * outgoing or incoming. The list grows until it holds them all, and shrinks again. From A B C D to A X B Y:
 *
 *     live   copies, bottom up   incoming, top down   outgoing, bottom up
 *     A      A    A    A         A    A               A
 *     B      B    B    B         X    X               X
 *     C      C    C    B         B    B               B
 *     D      D    C    C         C    C               Y
 *            D    D    D         D    Y
 *
 * 1. Copies, from the bottom up. Each rule is copied down to the row where it will be. The rule itself is still above its copy, so no
 *    alert reaches the copy. The row of an incoming rule holds a copy of the live rule below it until step 2.
 * 2. Incoming rules and new outcomes, from the top down. Each one has everything above it that is above it in the declared list. So
 *    an alert that reaches it gets its new outcome, and every other alert its old one.
 * 3. Outgoing rules are deleted, from the bottom up. While one is there, everything is above it that was above it in the live list.
 *
 * Three details save rows. An incoming rule takes the row of an outgoing one that no alert reaches. The first other incoming rule
 * overwrites the outgoing rule directly above it, and that one waits in a copy directly above the next change: between the two, the
 * list is the declared one already. The last incoming rule overwrites the outgoing rule directly above it (Y over D), if nothing below
 * changes.
 *
 * Three other ways are tried. `replacement` keeps the longest beginning of the declared list that the live list holds, appends the rest,
 * and deletes what is left over. `moveRule` moves a single rule in fewer writes. `inPlace` copies nothing. The shortest way wins that
 * `isSafe` confirms, which replays each way and checks every list on it. So a mistake here costs writes, and never opens a routing gap.
 *
 * How many writes: the differing rows are those from the first row that differs down to the end of the longer list. A transition takes
 * at most two writes for each differing row, since `replacement` does. To insert, remove, change or move one rule it takes the fewest
 * writes that any safe way takes. Two exceptions: a list that holds the same rule twice, and a move in a list of five rules or more of
 * which some share an outcome, where one or two writes less can be possible. Nothing is searched for.
 *
 * Time: n log n to find the ways for lists of n rules, and n to check each write. Memory: n, and the writes.
 *
 * One case has no safe way: the first rule of a scope cuts it off from the rules that it falls back to. See `addFirstRules`.
 */

import { longestIncreasing } from "../../core/lists.ts";
import { moveRule } from "./move.ts";
import {
  type HoldingRule,
  isSameRule,
  pairRules,
  type RankedRule,
  type RankedStep,
  type RuleReference,
  unreachableRules,
} from "./rule.ts";
import { isSafe } from "./transition-safety.ts";

/** The writes in order, and how many of them are made while a routing gap is open. */
export interface Transition {
  readonly steps: readonly RankedStep[];
  /** Writes from the one that opens the gap to the one that closes it; 0 if there is no gap. */
  readonly window: number;
}

/**
 * The transition between two lists of a scope that falls back to no other rules. The writes that an interrupted transition still has to
 * make are taken before any other way, if they are safe from where the list is now. `isAllowed` refuses other ways than `replacement`,
 * which copies no live rule.
 */
export function transition(
  live: readonly RankedRule[],
  declared: readonly RankedRule[],
  remaining?: readonly RankedStep[],
  isAllowed: (steps: readonly RankedStep[]) => boolean = () => true,
): Transition {
  const isPossible = (steps: readonly RankedStep[]) => isAllowed(steps) && isSafe(live, declared, steps);
  if (remaining !== undefined && isPossible(remaining)) return { steps: remaining, window: 0 };
  const candidates = [
    ...moveRule(live, declared),
    growThenShrink(live, declared),
    replacement(live, declared),
    ...inPlace(live, declared),
  ];
  const steps = [...candidates].sort((left, right) => left.length - right.length).find(isPossible);
  if (steps === undefined) throw new Error("no transition between two lists of rules is safe");
  return { steps, window: 0 };
}

/**
 * The transition of a scope that has no rules and falls back to others: its first rule cuts it off from them at once. If there is an
 * outcome for it, a holding rule that matches every alert comes first, the others below it, and the first rule takes its row at last.
 */
export function addFirstRules(declared: readonly RankedRule[], hasHoldingOutcome: boolean): Transition {
  const appends = declared.map(
    (_rule, index): RankedStep => ({ action: "append", row: index, rule: fromDeclared(index) }),
  );
  if (declared.length <= 1 || declared[0]?.reach === "all") return { steps: appends, window: 0 };
  if (!hasHoldingOutcome) return { steps: appends, window: declared.length - 1 };
  const appendHolding: RankedStep = { action: "append", row: 0, rule: HOLDING };
  const overwriteHolding: RankedStep = { action: "write", row: 0, rule: fromDeclared(0) };
  return { steps: [appendHolding, ...appends.slice(1), overwriteHolding], window: declared.length };
}

/** The transition of a scope that loses all its rules and falls back to others then: the reverse of `addFirstRules`. */
export function removeLastRules(live: readonly RankedRule[], hasHoldingOutcome: boolean): Transition {
  const deletes = live.map((_rule, index): RankedStep => ({ action: "delete", row: live.length - 1 - index }));
  if (live.length <= 1 || live[0]?.reach === "all") return { steps: deletes, window: 0 };
  if (!hasHoldingOutcome) return { steps: deletes, window: live.length - 1 };
  return { steps: [{ action: "write", row: 0, rule: HOLDING }, ...deletes], window: live.length };
}

const HOLDING: HoldingRule = { list: "holding" };

/** The plain way, safe for any two lists: changes outcomes at the top, appends the rest, and deletes from the bottom. */
export function replacement(live: readonly RankedRule[], declared: readonly RankedRule[]): readonly RankedStep[] {
  const commonRows: number[] = [];
  for (const [row, { match }] of live.entries()) if (match === declared[commonRows.length]?.match) commonRows.push(row);
  const isCommon = new Set(commonRows);
  const writes = commonRows.flatMap((row, index): readonly RankedStep[] =>
    isSameRule(live[row], declared[index]) ? [] : [{ action: "write", row, rule: fromDeclared(index) }],
  );
  const appends = declared.slice(commonRows.length).map((_rule, at): RankedStep => {
    return { action: "append", row: live.length + at, rule: fromDeclared(commonRows.length + at) };
  });
  const deletes = [...live.keys()].reverse().filter((row) => !isCommon.has(row));
  return [...writes, ...appends, ...deletes.map((row): RankedStep => ({ action: "delete", row }))];
}

/** Each declared rule over the live one at its place, from the bottom up and from the top down. Safe where no alert reaches what changes. */
function inPlace(live: readonly RankedRule[], declared: readonly RankedRule[]): readonly (readonly RankedStep[])[] {
  const steps = declared.flatMap((rule, row): readonly RankedStep[] => {
    if (isSameRule(live[row], rule)) return [];
    return [{ action: row < live.length ? "write" : "append", row, rule: fromDeclared(row) }];
  });
  const writes = steps.filter(({ action }) => action === "write");
  const appends = steps.filter(({ action }) => action === "append");
  const rows = [...live.keys()].slice(declared.length).reverse();
  const deletes = rows.map((row): RankedStep => ({ action: "delete", row }));
  return [
    [...appends, ...writes.toReversed(), ...deletes],
    [...writes, ...appends, ...deletes],
  ];
}

/**
 * A row of the list when it is longest: a live rule paired with the declared one that it stays or becomes, a live rule that is deleted,
 * a declared rule in a new row, or a declared rule that overwrites an unreachable live one.
 */
type GrownRow =
  | { readonly type: "paired"; readonly live: number; readonly declared: number }
  | { readonly type: "outgoing"; readonly live: number }
  | { readonly type: "incoming"; readonly declared: number }
  | { readonly type: "replacing"; readonly declared: number };

/** The general way, described at the top of this file. */
export function growThenShrink(live: readonly RankedRule[], declared: readonly RankedRule[]): readonly RankedStep[] {
  const isChanged = (row: GrownRow) => row.type !== "paired" || !isSameRule(live[row.live], declared[row.declared]);
  const grown = overwriteLastOutgoing(deferFirstOutgoing(merge(live, declared), isChanged), isChanged);
  const steps: RankedStep[] = [];
  const rows: (RuleReference | undefined)[] = live.map((_rule, index) => ({ list: "live", index }));
  const ruleOf = ({ list, index }: RuleReference) => (list === "live" ? live : declared)[index];
  const placeRule = (row: number, rule: RuleReference) => {
    const current = rows[row];
    if (current === undefined) steps.push({ action: "append", row, rule });
    else if (!isSameRule(ruleOf(current), ruleOf(rule))) steps.push({ action: "write", row, rule });
    rows[row] = rule;
  };
  const copies = copiesFor(grown, isChanged);
  const rowNumbers = [...grown.keys()];
  for (const at of [...rowNumbers.slice(live.length), ...rowNumbers.toReversed()]) {
    const copy = copies[at];
    if (copy !== undefined) placeRule(at, copy);
  }
  for (const [at, row] of grown.entries()) if (row.type !== "outgoing") placeRule(at, fromDeclared(row.declared));
  for (const at of rowNumbers.toReversed())
    if (grown[at]?.type === "outgoing") steps.push({ action: "delete", row: at });
  return steps;
}

/** Both lists as one: the paired rules, and between two pairs the outgoing rules above the incoming ones. */
function merge(live: readonly RankedRule[], declared: readonly RankedRule[]): readonly GrownRow[] {
  const grown: GrownRow[] = [];
  const isUnreachable = unreachableRules(live);
  let [nextLive, nextDeclared] = [0, 0];
  for (const pair of [...longestCommonRun(live, declared), { live: live.length, declared: declared.length }]) {
    for (; nextLive < pair.live; nextLive += 1) {
      if (isUnreachable[nextLive] === true && nextDeclared < pair.declared) {
        grown.push({ type: "replacing", declared: nextDeclared });
        nextDeclared += 1;
      } else grown.push({ type: "outgoing", live: nextLive });
    }
    for (; nextDeclared < pair.declared; nextDeclared += 1) grown.push({ type: "incoming", declared: nextDeclared });
    if (pair.live < live.length) grown.push({ type: "paired", ...pair });
    [nextLive, nextDeclared] = [pair.live + 1, pair.declared + 1];
  }
  return grown;
}

/** The longest run of rules that are in both lists in the same order; of several such runs one that begins low in the live list. */
function longestCommonRun(
  live: readonly RankedRule[],
  declared: readonly RankedRule[],
): readonly { readonly live: number; readonly declared: number }[] {
  const pairs = [...pairRules(live, declared)].map(([index, partner]) => ({ live: partner, declared: index }));
  const fromBelow = pairs.sort((left, right) => right.declared - left.declared);
  const run = longestIncreasing(fromBelow.map((pair) => -pair.live));
  return run.flatMap((at) => fromBelow[at] ?? []).reverse();
}

/** The first incoming rule overwrites the outgoing one above it, which waits in a copy above the next change instead. */
function deferFirstOutgoing(grown: readonly GrownRow[], isChanged: (row: GrownRow) => boolean): readonly GrownRow[] {
  const first = grown.findIndex(({ type }) => type === "incoming");
  const outgoing = grown[first - 1];
  const next = grown.findIndex((row, at) => at > first && isChanged(row));
  if (outgoing?.type !== "outgoing" || next < 0) return grown;
  return [...grown.slice(0, first - 1), ...grown.slice(first, next), outgoing, ...grown.slice(next)];
}

/** The last incoming rule overwrites the outgoing one above it, if these are the last changes. */
function overwriteLastOutgoing(grown: readonly GrownRow[], isChanged: (row: GrownRow) => boolean): readonly GrownRow[] {
  const last = grown.findLastIndex(isChanged);
  const [outgoing, incoming] = [grown[last - 1], grown[last]];
  if (outgoing?.type !== "outgoing" || incoming?.type !== "incoming") return grown;
  const overwritten: GrownRow = { type: "paired", live: outgoing.live, declared: incoming.declared };
  return [...grown.slice(0, last - 1), overwritten, ...grown.slice(last + 1)];
}

/** For each row of the longest list, the rule that is copied into it; undefined above the first new row and below the last live rule. */
function copiesFor(
  grown: readonly GrownRow[],
  isChanged: (row: GrownRow) => boolean,
): readonly (RuleReference | undefined)[] {
  const first = grown.findIndex(({ type }) => type === "incoming");
  const copies: (RuleReference | undefined)[] = [];
  let below: RuleReference | undefined;
  for (const [at, row] of [...grown.entries()].reverse()) {
    const isDeclaredOnly = row.type === "incoming" || row.type === "replacing";
    if (!isDeclaredOnly) below = { list: "live", index: row.live };
    if (row.type === "paired" && !isChanged(row)) copies[at] = fromDeclared(row.declared);
    else if (!isDeclaredOnly || (first >= 0 && at > first)) copies[at] = below;
  }
  return copies;
}

function fromDeclared(index: number): RuleReference {
  return { list: "declared", index };
}
