/** What differs in one entry, field by field, as data: short values as they are shown, long texts and lists as two sides. */

import { equal, isFields, isList, type Json } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import type { FieldChange } from "../../plan/plan.ts";
import { type DiffLine, lineDiff } from "../format/line-diff.ts";
import { MASK } from "../format/mask.ts";
import { LONG, place, shown } from "../format/value.ts";

/** A long text or a list before and after, line by line or item by item. */
export interface Sides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Unchanged lines to show around a difference. */
  readonly context: number;
  /** Line numbers mean something to a reader. */
  readonly numbered: boolean;
}

/** One field that differs; its texts are safe to show. */
export type FieldRow =
  /** Short values, each as it is shown; null where nothing is set. */
  | { readonly label: string; readonly before: string | null; readonly after: string | null }
  | { readonly label: string; readonly sides: Sides };

/** The rows of a change; objects are taken apart into the members that differ. */
export function fieldRows(fields: readonly FieldChange[]): readonly FieldRow[] {
  return fields.flatMap(({ path, before, after, secret, renamed = [] }) =>
    secret === true
      ? [{ label: place(path), before: before === null ? null : MASK, after: after === null ? null : MASK }]
      : rows(path, before, after).map((row) => told(row, renamed)),
  );
}

/** The sides as a diff; `heads` says whether places in the text are told. Without them `@` stands where items are left out. */
export function diffOf({ before, after, context, numbered }: Sides, fresh: boolean): readonly DiffLine[] {
  // Where all of a text comes or goes there are no places to tell.
  const heads = numbered && !fresh && before.length > 0 && after.length > 0;
  return (
    lineDiff(before, after, context)
      // The first hunk of a list needs no mark; a later one says that items are left out.
      .filter(({ sign }, at) => sign !== "@" || heads || at > 0)
      .map((line) => (line.sign === "@" && !heads ? { ...line, text: "…" } : line))
  );
}

function rows(path: string, before: Json, after: Json): readonly FieldRow[] {
  const inner = members(before, after);
  if (inner !== undefined) return inner.flatMap(([name, was, is]) => rows(`${path}/${name}`, was, is));
  const label = place(path);
  const sides = asLists(before, after) ?? asTexts(before, after);
  if (sides !== undefined) return [{ label, sides }];
  return [{ label, before: before === null ? null : shown(before), after: after === null ? null : shown(after) }];
}

/** A list whose items say what becomes of their names. */
function told(row: FieldRow, renamed: NonNullable<FieldChange["renamed"]>): FieldRow {
  if (!("sides" in row) || renamed.length === 0) return row;
  const names = renamed.map(({ from, to }) => [shown(from), shown(to)] as const);
  const to = new Map(names.map(([old, next]) => [old, `${old}  renamed to ${next}`]));
  const from = new Map(names.map(([old, next]) => [next, `${next}  renamed from ${old}`]));
  const { before, after } = row.sides;
  return {
    ...row,
    sides: {
      ...row.sides,
      before: before.map((item) => to.get(item) ?? item),
      after: after.map((item) => from.get(item) ?? item),
    },
  };
}

/** The members that differ, when both values are objects or one of them is not there. */
function members(before: Json, after: Json): readonly (readonly [string, Json, Json])[] | undefined {
  const was = before ?? {};
  const is = after ?? {};
  if (!isFields(was) || !isFields(is)) return undefined;
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  const pairs = [...names].map((name) => [name, was[name] ?? null, is[name] ?? null] as const);
  const differing = pairs.filter(([, left, right]) => !equal(left, right));
  return differing.length === 0 ? undefined : differing;
}

/** Lists item by item, with the neighbours of what changed; a new list that fits a line is no diff. */
function asLists(before: Json, after: Json): Sides | undefined {
  if (!(before === null || isList(before)) || !(after === null || isList(after))) return undefined;
  if ((before ?? []).length === 0 && shown(after).length <= LONG) return undefined;
  if ((after ?? []).length === 0 && shown(before).length <= LONG) return undefined;
  return { before: (before ?? []).map(shown), after: (after ?? []).map(shown), context: 1, numbered: false };
}

/** Texts of several lines, or too long for one. */
function asTexts(before: Json, after: Json): Sides | undefined {
  if (!(before === null || typeof before === "string") || !(after === null || typeof after === "string")) {
    return undefined;
  }
  if (![before, after].some((text) => text !== null && (text.length > LONG || text.includes("\n")))) return undefined;
  return { before: textLines(before), after: textLines(after), context: 3, numbered: true };
}

function textLines(text: string | null): readonly string[] {
  return text === null ? [] : text.split("\n").map((line) => sanitised(line).replace(/ +$/, dots));
}

/** Blanks at the end of a line would be invisible in a diff that is about nothing else. */
function dots(blanks: string): string {
  return "·".repeat(blanks.length);
}
