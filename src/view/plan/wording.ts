/** The words of the two reports, of a plan and of drift, for the same changes. */

import { counted } from "../../core/value-text.ts";
import type { Action } from "../../plan/model/plan.ts";
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
  /** The resources that are in the files alone. */
  readonly additions: string;
  /** The meaning of the signs of a diff, in a drift report. */
  readonly legend?: string;
  /** The two sides of a diagram, and in a drift report those of a value. */
  readonly sides: readonly [before: string, after: string];
  /** The time of the plan, as the name of a fact. */
  readonly time: string;
}

/** The actions in the order in which they are counted. */
export const ACTIONS: readonly Action[] = ["create", "update", "move", "enable", "disable", "delete"];

/** The symbol and the tone of each action. */
const SIGNS = {
  create: { symbol: "+", tone: "added" },
  update: { symbol: "~", tone: "changed" },
  move: { symbol: ">", tone: "changed" },
  enable: { symbol: "~", tone: "changed" },
  disable: { symbol: "o", tone: "removed" },
  delete: { symbol: "-", tone: "removed" },
} as const;

/** The wording of each action. A count is the number, the text before the word, and the word: `2 to create`. */
function actionWordings(
  words: Readonly<Record<Action, Pick<ActionWording, "column" | "note" | "single">>>,
  before = "",
): Readonly<Record<Action, ActionWording>> {
  const wordingOf = (action: Action): ActionWording => {
    const { column, single = column } = words[action];
    const count = (number: number): string => counted(number, before + single, before + column);
    return { ...SIGNS[action], ...words[action], count };
  };
  return Object.fromEntries(ACTIONS.map((action) => [action, wordingOf(action)])) as Record<Action, ActionWording>;
}

export const PLAN: Wording = {
  title: "Plan",
  noun: "plan",
  isPlan: true,
  isPast: false,
  noChanges: "No changes.",
  additions: "New resources",
  sides: ["Now", "Planned"],
  time: "Planned",
  actions: actionWordings(
    {
      create: { column: "create" },
      update: { column: "update" },
      move: { column: "move" },
      enable: { column: "enable", note: "enable" },
      disable: { column: "disable", note: "disable" },
      delete: { column: "delete", note: "delete" },
    },
    "to ",
  ),
};

/** The names of the two sides within a sentence: `in the workspace`; undefined unless the report is on drift, since values become others. */
export function placesOf({ legend, sides }: Wording): Wording["sides"] | undefined {
  return legend === undefined ? undefined : [sides[0].toLowerCase(), sides[1].toLowerCase()];
}

/** The words of a drift report. */
export const DRIFT: Wording = {
  title: "Drift",
  noun: "report",
  isPlan: false,
  isPast: false,
  noChanges: "No drift.",
  additions: "Missing resources",
  legend: "+ is in the files, - is in the workspace",
  sides: ["In the workspace", "In the files"],
  time: "Compared",
  actions: actionWordings({
    create: { column: "missing", note: "missing in the workspace" },
    update: { column: "differ", single: "differs" },
    move: { column: "out of order", note: "out of order" },
    enable: { column: "wrongly disabled", note: "disabled in the workspace, not in the files" },
    disable: { column: "wrongly enabled", note: "enabled in the workspace, not in the files" },
    delete: { column: "not in the configuration", note: "not in the configuration" },
  }),
};

/** The words of the page of a run: the same changes, in the past tense. */
export const APPLIED: Wording = {
  ...PLAN,
  title: "Apply",
  noun: "run",
  isPast: true,
  sides: ["Before", "After"],
  actions: actionWordings({
    create: { column: "created" },
    update: { column: "updated" },
    move: { column: "moved" },
    enable: { column: "enabled" },
    disable: { column: "disabled" },
    delete: { column: "deleted" },
  }),
};

/** The words of the diagrams of a run that did not end as planned: it is not known that the workspace is as planned. */
export const PARTLY_APPLIED: Wording = { ...APPLIED, sides: ["Before", "Planned"], actions: PLAN.actions };
