/**
 * How a live list and a declared one are laid into one: which rules stay, come and go, and which take each other's slot,
 * chosen so that the writes that `ranked.ts` makes of it are the fewest. A cheapest path through the two lists, found
 * backwards in time proportional to the product of their lengths. Of each place of the path only the move that is best there is kept.
 */

import type { Rule } from "./rule-list.ts";

/** What becomes of one slot, from the top; `live` and `declared` count from 0. */
export type Slot =
  /** The rule stays; its outcome may change. `early`: what it becomes may stand there before the rules above it do. */
  | { readonly is: "kept"; readonly live: number; readonly declared: number; readonly early: boolean }
  /** The rule goes at the end. */
  | { readonly is: "doomed"; readonly live: number }
  /** A rule that nothing reaches; its slot is taken by what is pushed down. */
  | { readonly is: "absorbed"; readonly live: number }
  /** A rule comes; `early`: while it is written, nothing reaches it. */
  | { readonly is: "new"; readonly declared: number; readonly early: boolean }
  /** A rule that nothing reaches any more by then becomes another one. */
  | { readonly is: "reused"; readonly live: number; readonly declared: number }
  /** A rule that goes becomes one that comes, at the moment when the first goes. */
  | { readonly is: "swapped"; readonly live: number; readonly declared: number }
  /** Becomes another rule as soon as it stands again further down, where the first rule comes, goes or moves. */
  | { readonly is: "sunk"; readonly live: number; readonly declared: number }
  /** Where a sunk rule stands until it goes, or becomes the one that is declared there. */
  | { readonly is: "parked"; readonly live: number; readonly declared?: number }
  /** Becomes another rule at the very end, which stands further down meanwhile. */
  | { readonly is: "raised"; readonly live: number; readonly declared: number }
  /** Where a rule waits until it is raised: in a slot of its own, or in that of a rule that goes. */
  | { readonly is: "waiting"; readonly declared: number; readonly live?: number };

/** Where a path stands besides its places in the two lists. */
interface Stage {
  /** Slots by which what follows is pushed down; 2 stands for more. */
  readonly push: 0 | 1 | 2;
  /** How rules below the first new one of a push are covered: not, the next live one by itself, or all. */
  readonly cover: 0 | 1 | 2;
  /** A live rule has given its slot to a new one: nothing below may come, go or change. */
  readonly closed: 0 | 1;
  /** A rule above has still to be parked (1), or to wait (2). */
  readonly owes: 0 | 1 | 2;
}

interface Move {
  readonly slot: Slot["is"];
  readonly cost: number;
  readonly live: 0 | 1;
  readonly declared: 0 | 1;
  readonly stage: number;
  readonly early?: boolean;
}

/** Every stage there is; those that owe come last, since to be quits takes no rule of either list. */
const STAGES: readonly Stage[] = [
  ...([0, 1] as const).map((closed): Stage => ({ push: 0, cover: 0, closed, owes: 0 })),
  ...([1, 2] as const).flatMap((push) =>
    ([0, 1, 2] as const).flatMap((cover) =>
      ([0, 1] as const).map((closed): Stage => ({ push, cover, closed, owes: 0 })),
    ),
  ),
  ...([1, 2] as const).map((owes): Stage => ({ push: 0, cover: 0, closed: 0, owes })),
];

function numberOf({ push, cover, closed, owes }: Stage): number {
  if (owes > 0) return STAGES.length - 3 + owes;
  return push === 0 ? closed : 2 + ((push - 1) * 3 + cover) * 2 + closed;
}

/** Pairs of rules that a path is looked for between, at the most: those of two lists of four thousand that differ from the top on. */
const MOST = 2 ** 24;

/**
 * The slots of the cheapest way, from the top; with `trading`, rules may take each other's slot. None where the lists are so long that
 * finding it would take many seconds and hundreds of megabytes.
 */
export function align(live: readonly Rule[], declared: readonly Rule[], trading: boolean): readonly Slot[] | undefined {
  const kept = sharedPrefix(live, declared);
  if ((live.length - kept) * (declared.length - kept) > MOST) return undefined;
  const facts = factsOf(live, declared);
  const waysIn = waysOf(trading);
  const width = declared.length - kept + 1;
  const count = STAGES.length;
  /** Of each place and stage, which of its moves is the best. */
  const chosen = new Uint8Array((live.length - kept + 1) * width * count);
  /** What the rest of the way costs, by place in the declared list and stage: from the live rule at hand, and from the next one. */
  let [here, next] = [new Int32Array(width * count), new Int32Array(width * count)];
  for (let i = live.length; i >= kept; i -= 1) {
    [here, next] = [next, here];
    for (let j = declared.length; j >= kept; j -= 1) {
      const column = j - kept;
      const cell = (i - kept) * width + column;
      const ways = waysIn(situationOf(facts, i, j));
      for (let stage = 0; stage < count; stage += 1) {
        let least = i === live.length && j === declared.length && STAGES[stage]?.owes === 0 ? 0 : NEVER;
        let [best, at] = [0, 0];
        for (const { cost, live: takes, declared: gives, stage: to } of ways[stage] ?? []) {
          const whole = cost + ((takes === 1 ? next : here)[(column + gives) * count + to] ?? NEVER);
          if (whole < least) [least, best] = [whole, at];
          at += 1;
        }
        here[column * count + stage] = least;
        chosen[cell * count + stage] = best;
      }
    }
  }
  const slots = live.slice(0, kept).map((_rule, at): Slot => ({ is: "kept", live: at, declared: at, early: true }));
  const owed = { live: 0, declared: 0 };
  for (let [i, j, stage] = [kept, kept, 0]; i < live.length || j < declared.length || STAGES[stage]?.owes !== 0; ) {
    const best = chosen[((i - kept) * width + j - kept) * STAGES.length + stage] ?? 0;
    const move = waysIn(situationOf(facts, i, j))[stage]?.[best];
    if (move === undefined) throw new Error("a path through two lists of rules has an end");
    if (move.slot === "sunk" || move.slot === "raised") Object.assign(owed, { live: i, declared: j });
    slots.push(slotOf(move, i, j, owed));
    [i, j, stage] = [i + move.live, j + move.declared, move.stage];
  }
  return slots;
}

const NEVER = 2 ** 29;

/** How many rules at the top are the same in both lists. */
export function sharedPrefix(live: readonly Rule[], declared: readonly Rule[]): number {
  const first = declared.findIndex(
    ({ match, outcome }, at) => match !== live[at]?.match || outcome !== live[at]?.outcome,
  );
  return first < 0 ? declared.length : first;
}

function slotOf(
  { slot, early = false, live: takes, declared: gives }: Move,
  live: number,
  declared: number,
  owed: { readonly live: number; readonly declared: number },
): Slot {
  switch (slot) {
    case "kept":
      return { is: "kept", live, declared, early };
    case "new":
      return { is: "new", declared, early };
    case "doomed":
    case "absorbed":
      return { is: slot, live };
    case "parked":
      return { is: "parked", live: owed.live, ...(gives === 1 ? { declared } : {}) };
    case "waiting":
      return { is: "waiting", declared: owed.declared, ...(takes === 1 ? { live } : {}) };
    default:
      return { is: slot, live, declared };
  }
}

/** Tells the moves of a situation, by stage. Each situation is worked out once for a pair of lists, which have few. */
function waysOf(trading: boolean): (situation: number) => readonly (readonly Move[])[] {
  const found: (readonly (readonly Move[])[])[] = [];
  return (situation) => {
    const ways =
      found[situation] ??
      STAGES.map((stage) => moves(situation, stage).filter(({ slot }) => trading || !TRADES.has(slot)));
    found[situation] = ways;
    return ways;
  };
}

/** Slots that one rule takes from another. */
const TRADES: ReadonlySet<Slot["is"]> = new Set(["reused", "swapped", "sunk", "raised"]);

/** What matters of two rules that the path stands before, as bits. */
const [OLD, WANTED, ALIKE, SAME, DEAD, SPENT, QUIET, COVERED] = [1, 2, 4, 8, 16, 32, 64, 128];

interface Facts {
  readonly live: readonly Rule[];
  readonly declared: readonly Rule[];
  /** Nothing reaches the live rule: it is off, repeats one above, or stands below one that matches everything. */
  readonly dead: readonly boolean[];
  /** Index of the first live rule that matches everything. */
  readonly everything: number;
  readonly firstLive: ReadonlyMap<string, number>;
  readonly firstDeclared: ReadonlyMap<string, number>;
}

function factsOf(live: readonly Rule[], declared: readonly Rule[]): Facts {
  const first = (rules: readonly Rule[]) => new Map(rules.map(({ match }, index) => [match, index] as const).reverse());
  const firstLive = first(live);
  const found = live.findIndex(({ reach }) => reach === "all");
  const everything = found < 0 ? Number.POSITIVE_INFINITY : found;
  const dead = live.map(
    ({ match, reach }, index) => reach === "none" || firstLive.get(match) !== index || index > everything,
  );
  return { live, declared, dead, everything, firstLive, firstDeclared: first(declared) };
}

function situationOf({ live, declared, dead, everything, firstLive, firstDeclared }: Facts, i: number, j: number) {
  const old = live[i];
  const wanted = declared[j];
  const above = (rules: ReadonlyMap<string, number>, match: string, here: number) => (rules.get(match) ?? here) < here;
  const alike = old !== undefined && old.match === wanted?.match;
  return (
    (old === undefined ? 0 : OLD) |
    (wanted === undefined ? 0 : WANTED) |
    (alike ? ALIKE : 0) |
    (alike && old.outcome === wanted.outcome ? SAME : 0) |
    (dead[i] === true ? DEAD : 0) |
    (old !== undefined && (dead[i] === true || above(firstDeclared, old.match, j)) ? SPENT : 0) |
    (wanted !== undefined && (wanted.reach === "none" || above(firstLive, wanted.match, i) || everything < i)
      ? QUIET
      : 0) |
    (everything <= i ? COVERED : 0)
  );
}

function moves(situation: number, stage: Stage): readonly Move[] {
  const { push, cover, closed, owes } = stage;
  const is = (bit: number) => (situation & bit) !== 0;
  const all: Move[] = [];
  const touched = push === 0 ? 0 : 1;
  const after = cover === 2 ? 2 : 0;
  const add = (slot: Slot["is"], cost: number, next: Partial<Stage>, takes: 0 | 1, gives: 0 | 1, early?: boolean) => {
    const to = numberOf({ ...stage, cover: after, ...next });
    all.push({ slot, cost, live: takes, declared: gives, stage: to, ...(early === undefined ? {} : { early }) });
  };
  if (is(ALIKE) && (is(SAME) || (closed === 0 && owes === 0)) && (owes === 0 || !is(COVERED))) {
    const early = is(SAME) || cover > 0;
    add("kept", touched + (early ? 0 : 1), {}, 1, 1, early);
  }
  if (owes !== 0) {
    if (owes === 2 && is(OLD) && !is(DEAD) && !is(COVERED)) {
      add("doomed", 1, {}, 1, 0);
      add("waiting", 2, { owes: 0, closed: 1 }, 1, 0);
    }
    if (owes === 2) add("waiting", 3 - 1, { owes: 0, push: 1, cover: is(COVERED) ? 2 : 1 }, 0, 0);
    if (owes === 1) {
      add("parked", 2, { owes: 0, push: 1, cover: 0 }, 0, 0);
      if (is(WANTED)) add("parked", 2, { owes: 0, push: 1, cover: 0, closed: is(QUIET) ? 0 : 1 }, 0, 1);
    }
    return all;
  }
  if (is(OLD) && is(WANTED) && (closed === 0 || (is(DEAD) && is(QUIET)))) {
    if (is(SPENT)) add("reused", touched + 1, {}, 1, 1);
    else add("swapped", touched + 1, { closed: is(QUIET) ? 0 : 1 }, 1, 1);
    if (push === 0 && closed === 0 && !is(SPENT) && !is(QUIET)) {
      add("sunk", 1, { owes: 1 }, 1, 1);
      add("raised", 1, { owes: 2 }, 1, 1);
    }
  }
  if (is(OLD) && (is(DEAD) || closed === 0)) {
    if (is(DEAD) && push > 0) add("absorbed", 0, push === 1 ? { push: 0, cover: 0 } : {}, 1, 0);
    add("doomed", touched + 1, {}, 1, 0);
  }
  if (is(WANTED) && (is(QUIET) || closed === 0)) {
    const early = push > 0 && (is(QUIET) || cover === 2);
    const next: Partial<Stage> =
      push === 0 ? { push: 1, cover: is(COVERED) ? 2 : 1 } : { push: 2, cover: early ? cover : 0 };
    add("new", push === 0 || early || !is(OLD) ? 1 : 2, next, 0, 1, early);
  }
  return all;
}
