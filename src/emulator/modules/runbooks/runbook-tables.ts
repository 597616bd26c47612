/** The tables of runbooks and their steps. */

import type { Fields } from "../../../core/json.ts";
import { indexed, integer, json, key, optionalText, type Table, table, text, uniqueText } from "../../store/table.ts";

/** A runbook. Runbooks are listed in the order of their creation. */
export interface RunbookRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly summary: string | null;
  readonly content: string | null;
  readonly external_url: string | null;
  readonly inputs: readonly RunbookInput[];
  readonly aliases: readonly string[];
  readonly watch: Fields | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A question asked when the runbook runs. */
export type RunbookInput = {
  readonly key: string;
  readonly question: string;
  readonly default: string | null;
};

/** One step. Incidents have copies, which a change of the runbook does not affect. */
export interface RunbookStepRow {
  readonly id: string;
  readonly runbook_id: string;
  /** 1-based. */
  readonly position: number;
  readonly title: string;
  readonly instruction: string | null;
  readonly tool: string | null;
  readonly arguments: Fields;
}

/** The runbooks. */
export const runbookTable: Table<RunbookRow> = table("runbooks", {
  id: key,
  name: text,
  slug: uniqueText,
  summary: optionalText,
  content: optionalText,
  external_url: optionalText,
  inputs: json(),
  aliases: json(),
  watch: json<Fields | null>(),
  created_at: text,
  updated_at: text,
});

/** The steps of all runbooks. */
export const runbookSteps: Table<RunbookStepRow> = indexed(
  table("runbook_steps", {
    id: key,
    runbook_id: text,
    position: integer,
    title: text,
    instruction: optionalText,
    tool: optionalText,
    arguments: json(),
  }),
  "runbook_id",
);
