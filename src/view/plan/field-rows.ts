/** The fields of a change as data for reports: short values as text, long texts and lists as the two sides of a diff. */

import { equal, escapedStep, isFields, isList, type Json } from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import { fieldPath, LONG, MASK, valueText } from "../../core/value-text.ts";
import type { Change, FieldChange } from "../../plan/model/plan.ts";
import { type DiffLine, lineDiff } from "../format/line-diff.ts";

/** A long text or a list before and after, by lines or items. */
export interface DiffSides {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Number of unchanged lines to show around a difference. */
  readonly context: number;
  /** Line numbers are shown. */
  readonly numbered: boolean;
}

/** A field that differs; its texts are sanitised. */
export type FieldRow =
  /** Short values as text; null if not set. */
  | { readonly label: string; readonly before: string | null; readonly after: string | null }
  | { readonly label: string; readonly sides: DiffSides };

/** The rows of a change. An object becomes one row for each member that differs. */
export function fieldRows(fields: readonly FieldChange[]): readonly FieldRow[] {
  return fields.flatMap(({ path, before, after, secret, renamed = [] }) =>
    secret === true
      ? [{ label: fieldPath(path), before: before === null ? null : MASK, after: after === null ? null : MASK }]
      : rowsOf(path, before, after).map((row) => withRenames(row, renamed)),
  );
}

/** The fields of a change that reports show: of a deletion, the last values that are not empty. */
export function shownFields({ action, fields, values = {} }: Change): readonly FieldChange[] {
  if (action !== "delete") return fields;
  const last = Object.entries(values).filter(([, value]) => !isBlank(value));
  if (last.length === 0) return fields;
  return last.map(([name, before]) => ({
    ...{ path: `/${escapedStep(name)}`, before, after: null },
    ...(before === MASK ? { secret: true as const } : {}),
  }));
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The diff of two sides. Without line numbers, `@` lines hold an ellipsis for the items that are not shown. */
export function diffOf({ before, after, context, numbered }: DiffSides, isNew: boolean): readonly DiffLine[] {
  // A text that is added or removed as a whole needs no line numbers.
  const isNumbered = numbered && !isNew && before.length > 0 && after.length > 0;
  return (
    lineDiff(before, after, context)
      // Between the hunks of a list, an ellipsis stands for the items that are not shown.
      .filter(({ sign }, at) => sign !== "@" || isNumbered || at > 0)
      .map((line) => (line.sign === "@" && !isNumbered ? { ...line, text: "…" } : line))
  );
}

function rowsOf(path: string, before: Json, after: Json): readonly FieldRow[] {
  const inner = differingMembers(before, after);
  if (inner !== undefined) return inner.flatMap(([name, was, is]) => rowsOf(`${path}/${name}`, was, is));
  const label = fieldPath(path);
  const sides = listSides(before, after) ?? textSides(before, after);
  if (sides !== undefined) return [{ label, sides }];
  return [
    { label, before: before === null ? null : valueText(before), after: after === null ? null : valueText(after) },
  ];
}

/** The row of a list, with a note on each renamed item. */
function withRenames(row: FieldRow, renamed: NonNullable<FieldChange["renamed"]>): FieldRow {
  if (!("sides" in row) || renamed.length === 0) return row;
  const names = renamed.map(({ from, to }) => [valueText(from), valueText(to)] as const);
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

/** The members that differ, if both values are objects or one of them is missing. */
function differingMembers(before: Json, after: Json): readonly (readonly [string, Json, Json])[] | undefined {
  const was = before ?? {};
  const is = after ?? {};
  if (!isFields(was) || !isFields(is)) return undefined;
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  const pairs = [...names].map((name) => [name, was[name] ?? null, is[name] ?? null] as const);
  const differing = pairs.filter(([, left, right]) => !equal(left, right));
  return differing.length === 0 ? undefined : differing;
}

/** The sides of a list, unless it is new or removed and fits on one line. */
function listSides(before: Json, after: Json): DiffSides | undefined {
  if (!(before === null || isList(before)) || !(after === null || isList(after))) return undefined;
  if ((before ?? []).length === 0 && valueText(after).length <= LONG) return undefined;
  if ((after ?? []).length === 0 && valueText(before).length <= LONG) return undefined;
  const texts = textsOf([...(after ?? []), ...(before ?? [])]);
  const items = (list: readonly Json[] | null) => (list ?? []).map(texts);
  return { before: items(before), after: items(after), context: 1, numbered: false };
}

/**
 * Returns the texts of items. Objects have their members in one order, so that another order makes no difference:
 * that of the largest object, which says where the members belong that others lack.
 */
function textsOf(items: readonly Json[]): (item: Json) => string {
  const objects = items.filter(isFields).map((item) => Object.keys(item));
  const names = [...new Set(objects.sort((one, other) => other.length - one.length).flat())];
  return (item) => {
    if (!isFields(item)) return valueText(item);
    return valueText(Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name] ?? null]] : []))));
  };
}

/** The sides of a text of several lines or too long for one. */
function textSides(before: Json, after: Json): DiffSides | undefined {
  if (!(before === null || typeof before === "string") || !(after === null || typeof after === "string")) {
    return undefined;
  }
  if (![before, after].some((text) => text !== null && (text.length > LONG || text.includes("\n")))) return undefined;
  return { before: textLines(before), after: textLines(after), context: 3, numbered: true };
}

function textLines(text: string | null): readonly string[] {
  return text === null ? [] : text.split("\n").map((line) => sanitised(line).replace(/ +$/, dots));
}

/** Dots in place of spaces at the end of a line, which would be invisible in a diff. */
function dots(blanks: string): string {
  return "·".repeat(blanks.length);
}
