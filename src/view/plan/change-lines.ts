/** The lines of one change in the text report: symbol, address, notes and fields. */

import { stripVTControlCharacters } from "node:util";
import { sanitised } from "../../core/sanitise.ts";
import { placeText } from "../../core/value-text.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { columns } from "../format/columns.ts";
import type { ReportStyle } from "../format/style.ts";
import { type FieldStyle, fieldLines, singleField } from "./field-lines.ts";
import { shownFields } from "./field-rows.ts";
import type { ChangeView } from "./plan-view.ts";
import { type ActionWording, placesOf, type Wording } from "./wording.ts";

/** Indentation of the lines below the first one of a change. */
const FIELD_INDENT = "      ";
/** Columns of a line that is not for a terminal. */
const WIDTH = 100;

/** The lines of a change; the first one is indented by two. */
export function changeLines(
  view: ChangeView,
  wording: Wording,
  style: ReportStyle,
  operations: ReadonlyMap<string, Operation>,
): readonly string[] {
  const { change, word, label, position, takeover, blocked, isSwitch } = view;
  const { isPlan } = wording;
  const { action, address, cascades = [] } = change;
  const isRemoval = action === "delete" || action === "disable";
  const notes = [
    label,
    noteOf(word, style),
    position,
    reasonNote(view, isPlan, style),
    isRemoval ? blocked : "",
  ].filter((note) => note !== "");
  const head = `  ${style.paint(word.tone, `${markOf(word, style)} ${sanitised(address)}`)}`;
  const first = notes.length === 0 ? head : `${head}  ${style.paint("quiet", notes.join("; "))}`;
  if (isSwitch && !style.verbose) return [first];
  const below = takeover === "" ? [] : [`${FIELD_INDENT}${style.paint("quiet", takeover)}`];
  const cuts = view.isShortenable && !style.verbose;
  const [isNew, isGone] = [action === "create", action === "delete"];
  const fieldStyle: FieldStyle = { ...style, cuts, isNew, isGone, places: placesOf(wording) };
  const fields = shownFields(change);
  const single = action === "update" && !style.verbose ? singleField(fields, fieldStyle) : undefined;
  const line = `${first}  ${single}`;
  if (single !== undefined && columns(stripVTControlCharacters(line)) <= (style.width ?? WIDTH)) {
    return [line, ...below];
  }
  return [
    first,
    ...below,
    ...(isPlan ? cascades : []).map((one) => `${FIELD_INDENT}also deletes ${sanitised(one)}`),
    ...fieldLines(fields, fieldStyle).map((text) => `${FIELD_INDENT}${text}`),
    ...(style.verbose ? details(change, operations).map((text) => `${FIELD_INDENT}${style.paint("quiet", text)}`) : []),
  ];
}

/** The reason, where the plan does not show it above. */
function reasonNote(
  { change, standsFirst, reason, reviewReason, origin }: ChangeView,
  isPlan: boolean,
  { verbose }: ReportStyle,
): string {
  if (standsFirst) return [reviewReason, origin].filter((note) => note !== "").join("; ");
  const isRemoval = change.action === "delete" || change.action === "disable";
  return verbose || (isPlan && isRemoval && change.risk === "safe") ? reason : "";
}

/** The symbol of an action, or its word. */
export function markOf({ symbol, column }: ActionWording, { words = false }: ReportStyle): string {
  return words ? column : symbol;
}

/** The note on an action, unless its word is there already. */
export function noteOf({ note = "", column }: ActionWording, { words = false }: ReportStyle): string {
  return words && note === column ? "" : note;
}

/** The place of the declaration, and the requests. */
function details(
  { source, operations: ids }: ChangeView["change"],
  operations: ReadonlyMap<string, Operation>,
): readonly string[] {
  const requests = ids.flatMap((id) => operations.get(id) ?? []).map(requestLine);
  if (source === undefined) return requests;
  return [`declared at ${placeText(source)}`, ...requests];
}

function requestLine({ id, method, path, query, why }: Operation): string {
  const search = new URLSearchParams(query).toString();
  return sanitised(`${id}  ${method} ${path}${search === "" ? "" : `?${search}`}  ${why}`);
}
