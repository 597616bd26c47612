/** What the report of a plan and the report of a drift call the same change. */

import type { Action } from "../../plan/plan.ts";
import type { Tone } from "../format/ansi.ts";

/** How one action looks in a report. */
export interface Word {
  readonly symbol: "+" | "~" | ">" | "-" | "o";
  readonly tone: Tone;
  /** Stands beside the address where the symbol alone does not say it. */
  readonly note?: string;
  /** Its column in a table. */
  readonly column: string;
  /** What is said of a number of them: the summary line is made of these. */
  readonly count: (count: number) => string;
}

/** The words of one report. */
export interface Wording {
  /** First word of the summary line. */
  readonly title: string;
  /** What the report calls itself. */
  readonly noun: string;
  /** The report asks for a decision: risks, what is blocked and the flags that give consent belong in it. */
  readonly asks: boolean;
  /** The summary line when there is nothing. */
  readonly nothing: string;
  readonly actions: Readonly<Record<Action, Word>>;
  /** What the two sides of `→` are, where it is not plain that the left one is now and the right one is planned. */
  readonly sides?: string;
}

/** The actions in the order in which they are counted. */
export const ACTIONS: readonly Action[] = ["create", "update", "move", "enable", "disable", "delete"];

/** A plan says what would be done. */
export const PLAN: Wording = {
  title: "Plan",
  noun: "plan",
  asks: true,
  nothing: "No changes. The workspace matches the configuration.",
  actions: {
    create: { symbol: "+", tone: "added", column: "create", count: (n) => `${n} to create` },
    update: { symbol: "~", tone: "changed", column: "update", count: (n) => `${n} to update` },
    move: { symbol: ">", tone: "changed", column: "move", count: (n) => `${n} to move` },
    enable: { symbol: "~", tone: "changed", note: "enable", column: "enable", count: (n) => `${n} to enable` },
    disable: { symbol: "o", tone: "removed", note: "disable", column: "disable", count: (n) => `${n} to disable` },
    delete: { symbol: "-", tone: "removed", note: "delete", column: "delete", count: (n) => `${n} to delete` },
  },
};

/** A drift says how the workspace differs from what is declared. */
export const DRIFT: Wording = {
  title: "Drift",
  noun: "report",
  asks: false,
  nothing: "No drift. The workspace matches the configuration.",
  sides: "live → declared",
  actions: {
    create: { symbol: "+", tone: "added", note: "missing", column: "missing", count: (n) => `${n} missing` },
    update: { symbol: "~", tone: "changed", column: "differ", count: (n) => (n === 1 ? "1 differs" : `${n} differ`) },
    move: {
      symbol: ">",
      tone: "changed",
      note: "out of order",
      column: "out of order",
      count: (n) => `${n} out of order`,
    },
    enable: {
      symbol: "~",
      tone: "changed",
      note: "disabled, wanted enabled",
      column: "disabled",
      count: (n) => `${n} disabled`,
    },
    disable: {
      symbol: "o",
      tone: "removed",
      note: "enabled, wanted disabled",
      column: "not disabled",
      count: (n) => `${n} not disabled`,
    },
    delete: {
      symbol: "-",
      tone: "removed",
      note: "not declared",
      column: "not declared",
      count: (n) => `${n} not declared`,
    },
  },
};
