/**
 * Changing a first-match-wins list, one request at a time, so that at every moment every alert gets either its old
 * answer or its new one. Conditions are opaque: what two rules match, only equality tells.
 *
 * A list is safe when each of its rules, and its end, finds above it all that stands above it in the live list, or all
 * that stands above it in the declared one. So the list first grows, until it holds both, and then shrinks:
 *
 * 1. Pushing down. A rule is copied to the slot where it will stand, from the bottom up: its old copy still stands above
 *    it, so nothing reaches the new one. Slots of rules that are yet to come hold a copy of the first one that comes.
 * 2. Coming. New rules and new outcomes are written from the top down, so each finds above it all that is declared there.
 * 3. Going. From the bottom up, rules that are no longer wanted are deleted, or overwritten by rules that nothing reaches.
 *    The first of them may be overwritten by the last rule to come.
 *
 * Which rules stay, come and go, and where, is chosen so that the requests are the fewest of this kind (`alignment.ts`). Where
 * at most twelve rules stand below what the lists share at the top, a search tries whether any other way is shorter
 * (`shorter.ts`): of up to four rules it finds the fewest there can be; of more it may give up, and a few requests more than
 * the fewest remain. Lists of more than four thousand rules are replaced instead, from where they differ on. Every list on the way is judged before the requests are given out (`promise.ts`).
 */

import { align, type Slot, sharedPrefix } from "./alignment.ts";
import type { Listed, RankedStep, Rule, Text } from "./rule-list.ts";
import { shorter } from "./shorter.ts";
import { keepsPromise } from "./transition-safety.ts";

/** The requests, in order, and how many of them leave alerts without their old or new answer. */
export interface Transition {
  readonly steps: readonly RankedStep[];
  /** Requests between the first that opens the window and the one that closes it; 0 when there is none. */
  readonly window: number;
}

const HOLDING: Text = { of: "holding" };

/** The transition between two lists of one scope that falls back to nothing. */
export function transition(live: readonly Rule[], declared: readonly Rule[]): Transition {
  const known = laid(live, declared, replacement(live, declared));
  return { steps: searched(live, declared, known.length) ?? known, window: 0 };
}

/** What the cheapest layout comes to; where two of its trades get in each other's way, the one without trades; or, also for very long lists, the given way. */
function laid(
  live: readonly Rule[],
  declared: readonly Rule[],
  otherwise: readonly RankedStep[],
): readonly RankedStep[] {
  for (const trading of [true, false]) {
    const slots = align(live, declared, trading);
    if (slots === undefined) return otherwise;
    const steps = written(live, declared, slots);
    if (steps.length <= otherwise.length && keepsPromise(live, declared, steps)) return steps;
  }
  return otherwise;
}

/** A shorter way that trying finds, below what the two lists share at the top. */
function searched(live: readonly Rule[], declared: readonly Rule[], writes: number): readonly RankedStep[] | undefined {
  const shared = sharedPrefix(live, declared);
  const above = new Set(live.slice(0, shared).map(({ match }) => match));
  const ended = live.slice(0, shared).some(({ reach }) => reach === "all");
  const below = (rules: readonly Rule[]) =>
    rules.slice(shared).map((rule): Rule => (ended || above.has(rule.match) ? { ...rule, reach: "none" } : rule));
  const steps = shorter(below(live), below(declared), writes)?.map((step): RankedStep => {
    const row = step.row + shared;
    if (step.does === "delete") return { ...step, row };
    return { ...step, row, text: { of: step.text.of, rule: step.text.rule + shared } };
  });
  return steps !== undefined && keepsPromise(live, declared, steps) ? steps : undefined;
}

/**
 * The first rules of a scope that has none, and so fell back to other rules until now: the first request cuts it off.
 * `holding`: there is an outcome for a holding rule.
 */
export function entering(declared: readonly Rule[], holding: boolean): Transition {
  const appends = declared.map((_rule, index): RankedStep => ({ does: "append", row: index, text: wanted(index) }));
  if (declared.length <= 1 || declared[0]?.reach === "all") return { steps: appends, window: 0 };
  if (!holding) return { steps: appends, window: declared.length - 1 };
  const hold: RankedStep = { does: "append", row: 0, text: HOLDING };
  const release: RankedStep = { does: "write", row: 0, text: wanted(0) };
  return { steps: [hold, ...appends.slice(1), release], window: declared.length };
}

/** The last rules of a scope that will fall back to other rules once they are gone. */
export function leaving(live: readonly Rule[], holding: boolean): Transition {
  const deletes = live.map((_rule, index): RankedStep => ({ does: "delete", row: live.length - 1 - index }));
  if (live.length <= 1 || live[0]?.reach === "all") return { steps: deletes, window: 0 };
  if (!holding) return { steps: deletes, window: live.length - 1 };
  return { steps: [{ does: "write", row: 0, text: HOLDING }, ...deletes], window: live.length };
}

/**
 * The plain way, safe whatever the lists are: outcomes change where the longest beginning of the declared list stands already;
 * the rest is appended, where all that matched before still matches first; then what is not declared goes from the bottom up.
 */
export function replacement(live: readonly Rule[], declared: readonly Rule[]): readonly RankedStep[] {
  const kept = keptRows(live, declared);
  const stays = new Set(kept);
  const steps: RankedStep[] = kept.flatMap((row, index) =>
    same(live[row], declared[index]) ? [] : [{ does: "write", row, text: wanted(index) } as const],
  );
  for (let index = kept.length; index < declared.length; index += 1) {
    steps.push({ does: "append", row: live.length + index - kept.length, text: wanted(index) });
  }
  for (let row = live.length - 1; row >= 0; row -= 1) if (!stays.has(row)) steps.push({ does: "delete", row });
  return steps;
}

/** Live rows that match what the declared rules do, for as many of them from the top as stand in that order. */
function keptRows(live: readonly Rule[], declared: readonly Rule[]): readonly number[] {
  const rows: number[] = [];
  for (const [row, { match }] of live.entries()) if (match === declared[rows.length]?.match) rows.push(row);
  return rows;
}

/** What a slot is pushed down as, and what it ends as; undefined for one that is deleted. */
interface Course {
  readonly first: Listed;
  readonly last: Listed | undefined;
  /** `now`: in its turn from the top; `going`: in its turn from the bottom, when everything has come; `last`: after that. */
  readonly ends: "now" | "going" | "last";
}

/** The requests that a choice of slots comes to. */
function written(live: readonly Rule[], declared: readonly Rule[], slots: readonly Slot[]): readonly RankedStep[] {
  const steps: RankedStep[] = [];
  const texts: Listed[] = live.map((_rule, rule) => ({ of: "live", rule }));
  const rule = (text: Listed) => (text.of === "live" ? live : declared)[text.rule];
  const put = (row: number, text: Listed | undefined) => {
    const old = texts[row];
    if (text === undefined) steps.push({ does: "delete", row });
    else if (old === undefined) steps.push({ does: "append", row, text });
    else if (!same(rule(old), rule(text))) steps.push({ does: "write", row, text });
    if (text !== undefined) texts[row] = text;
  };
  const tail = slots.filter(({ is }) => is !== "absorbed").findLastIndex(({ is }) => is !== "new") + 1;
  const going: (() => void)[] = [];
  const last: (() => void)[] = [];
  let waiting: (() => void)[] = [];
  for (const { from, slots: pushed, filler } of stretches(slots)) {
    const rows = pushed.map((slot, index) => ({ row: from + index, ...courseOf(slot, filler) }));
    if (filler !== undefined) {
      const room = rows.filter(({ row }) => row < tail || row === from);
      for (const { row, first } of room.filter(({ row }) => row >= live.length)) put(row, first);
      for (const { row, first } of room.filter(({ row }) => row < live.length).reverse()) put(row, first);
    }
    for (const end of waiting) end();
    waiting = [];
    const sunk = pushed.findIndex(({ is }) => is === "sunk");
    rows.forEach(({ row, last: text, ends }, index) => {
      const end = () => put(row, text);
      if (ends === "going") going.push(end);
      else if (ends === "last") last.push(end);
      else if (sunk >= 0 && index >= sunk) waiting.push(end);
      else end();
    });
    pushed.forEach((slot, index) => {
      if (slot.is !== "waiting" || slot.live === undefined) return;
      going.push(() => put(from + index, wanted(slot.declared)));
    });
  }
  for (const end of [...going.reverse(), ...last]) end();
  return steps;
}

/** Slots that stay where they are, or are pushed down, from one row on. */
interface Stretch {
  readonly from: number;
  readonly slots: readonly Slot[];
  /** Where they are pushed down: what stands in for the rules to come. */
  readonly filler: Listed | undefined;
}

function stretches(slots: readonly Slot[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let [row, by] = [0, 0];
  let stretch: Slot[] = [];
  const begin = (filler: Listed | undefined) => {
    stretch = [];
    found.push({ from: row, slots: stretch, filler });
  };
  begin(undefined);
  for (const slot of slots) {
    const filler = fillerOf(slot);
    if (filler !== undefined && by === 0) begin(filler);
    if (filler !== undefined) by += 1;
    if (slot.is === "absorbed") {
      by -= 1;
      if (by === 0) begin(undefined);
    } else {
      stretch.push(slot);
      row += 1;
    }
  }
  return found;
}

/** The text of a slot that did not exist; it may stand below until it is written where it belongs. */
function fillerOf(slot: Slot): Listed | undefined {
  if (slot.is === "parked") return { of: "live", rule: slot.live };
  if (slot.is === "new" || (slot.is === "waiting" && slot.live === undefined)) return wanted(slot.declared);
  return undefined;
}

function courseOf(slot: Slot, filler: Listed | undefined): Course {
  switch (slot.is) {
    case "kept": {
      const last = wanted(slot.declared);
      return { first: slot.early ? last : { of: "live", rule: slot.live }, last, ends: "now" };
    }
    case "new": {
      const last = wanted(slot.declared);
      return { first: slot.early || filler === undefined ? last : filler, last, ends: "now" };
    }
    case "waiting":
      return {
        first: slot.live === undefined ? wanted(slot.declared) : { of: "live", rule: slot.live },
        last: undefined,
        ends: "last",
      };
    case "parked":
      return {
        first: { of: "live", rule: slot.live },
        last: slot.declared === undefined ? undefined : wanted(slot.declared),
        ends: "going",
      };
    case "reused":
    case "swapped":
    case "sunk":
    case "raised":
      return {
        first: { of: "live", rule: slot.live },
        last: wanted(slot.declared),
        ends: slot.is === "swapped" || slot.is === "raised" ? "going" : "now",
      };
    case "doomed":
    case "absorbed":
      return { first: { of: "live", rule: slot.live }, last: undefined, ends: "going" };
  }
}

function wanted(rule: number): Listed {
  return { of: "declared", rule };
}

function same(left: Rule | undefined, right: Rule | undefined): boolean {
  return left?.match === right?.match && left?.outcome === right?.outcome;
}
