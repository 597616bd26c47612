/** The words of the two reports, of a plan and of drift, for the same changes. */

import type { Action } from "../../plan/plan.ts";
import type { Tone } from "../format/ansi.ts";

/** The symbol and the words for one action. */
export interface ActionWording {
  readonly symbol: "+" | "~" | ">" | "-" | "o";
  readonly tone: Tone;
  /** Note beside the address, if the symbol is not clear by itself. */
  readonly note?: string;
  /** Head of its column in a table. */
  readonly column: string;
  /** The word for one resource, if it is another one. */
  readonly single?: string;
  /** The number of changes as a part of the summary: `2 to create`. */
  readonly count: (count: number) => string;
}

/** The words of one report. */
export interface Wording {
  /** First word of the summary line. */
  readonly title: string;
  /** The report in a sentence: `This plan is partial`. */
  readonly noun: string;
  /** The report is of a plan: it has risks, reasons, requests, blocked changes and their approval flags. */
  readonly isPlan: boolean;
  /** The changes were made: nothing is left to approve. */
  readonly isPast: boolean;
  /** The beginning of the summary if there are no changes. */
  readonly noChanges: string;
  readonly actions: Readonly<Record<Action, ActionWording>>;
  /** The meaning of the two sides of `→`, in a drift report. */
  readonly legend?: string;
  /** The two sides of a diagram. */
  readonly sides: readonly [before: string, after: string];
  /** The time of the plan, as the name of a fact. */
  readonly time: string;
}

/** The actions in the order in which they are counted. */
export const ACTIONS: readonly Action[] = ["create", "update", "move", "enable", "disable", "delete"];

/** The words of a plan. */
export const PLAN: Wording = {
  title: "Plan",
  noun: "plan",
  isPlan: true,
  isPast: false,
  noChanges: "No changes.",
  sides: ["Now", "Planned"],
  time: "Planned",
  actions: {
    create: { symbol: "+", tone: "added", column: "create", count: (n) => `${n} to create` },
    update: { symbol: "~", tone: "changed", column: "update", count: (n) => `${n} to update` },
    move: { symbol: ">", tone: "changed", column: "move", count: (n) => `${n} to move` },
    enable: { symbol: "~", tone: "changed", note: "enable", column: "enable", count: (n) => `${n} to enable` },
    disable: { symbol: "o", tone: "removed", note: "disable", column: "disable", count: (n) => `${n} to disable` },
    delete: { symbol: "-", tone: "removed", note: "delete", column: "delete", count: (n) => `${n} to delete` },
  },
};

/** The words of a drift report. */
export const DRIFT: Wording = {
  title: "Drift",
  noun: "report",
  isPlan: false,
  isPast: false,
  noChanges: "No drift.",
  legend: "live → declared",
  sides: ["Live", "Declared"],
  time: "Compared",
  actions: {
    create: { symbol: "+", tone: "added", note: "missing", column: "missing", count: (n) => `${n} missing` },
    update: {
      symbol: "~",
      tone: "changed",
      column: "differ",
      single: "differs",
      count: (n) => (n === 1 ? "1 differs" : `${n} differ`),
    },
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
      note: "disabled, should be enabled",
      column: "wrongly disabled",
      count: (n) => `${n} wrongly disabled`,
    },
    disable: {
      symbol: "o",
      tone: "removed",
      note: "enabled, should be disabled",
      column: "wrongly enabled",
      count: (n) => `${n} wrongly enabled`,
    },
    delete: {
      symbol: "-",
      tone: "removed",
      note: "not in the configuration",
      column: "not in the configuration",
      count: (n) => `${n} not in the configuration`,
    },
  },
};

/** The words of the page of a run: the same changes, in the past tense. */
export const APPLIED: Wording = {
  ...PLAN,
  title: "Apply",
  noun: "run",
  isPast: true,
  sides: ["Before", "After"],
  actions: {
    create: { symbol: "+", tone: "added", column: "created", count: (n) => `${n} created` },
    update: { symbol: "~", tone: "changed", column: "updated", count: (n) => `${n} updated` },
    move: { symbol: ">", tone: "changed", column: "moved", count: (n) => `${n} moved` },
    enable: { symbol: "~", tone: "changed", column: "enabled", count: (n) => `${n} enabled` },
    disable: { symbol: "o", tone: "removed", column: "disabled", count: (n) => `${n} disabled` },
    delete: { symbol: "-", tone: "removed", column: "deleted", count: (n) => `${n} deleted` },
  },
};

/** The words of the diagrams of a run that did not end as planned: it is not known that the workspace is as planned. */
export const PARTLY_APPLIED: Wording = { ...APPLIED, sides: ["Before", "Planned"], actions: PLAN.actions };
