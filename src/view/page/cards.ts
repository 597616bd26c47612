/** The changes of a page: one card for each, those that a reviewer must look at first, then by kind. */

import { placeText, valueText } from "../../core/value-text.ts";
import type { Change } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { diffOf, type FieldRow, fieldRows, shownFields } from "../plan/field-rows.ts";
import type { ChangeView, PlanView } from "../plan/plan-view.ts";
import { countActions } from "../plan/verdict.ts";
import { PLAN, placesOf, type Wording } from "../plan/wording.ts";
import { code, named, pill } from "./parts.ts";

/** Changes up to which those with several fields are open. */
const MAX_OPEN = 12;
/** Resources to name before the rest is counted. */
const MAX_NAMES = 50;

/** A group of cards under one heading. */
interface CardGroup {
  readonly title: string;
  /** The title is the name of a kind. */
  readonly isKind: boolean;
  readonly changes: readonly ChangeView[];
  /** The words of their number. */
  readonly wording: Wording;
}

/** Whether a card belongs to those that a reviewer must look at first. */
export function needsAttention({ change, blocked, open }: ChangeView, wording: Wording): boolean {
  if (open.length > 0) return true;
  if (wording !== PLAN) return false;
  return change.risk === "destructive" || change.attention !== undefined || blocked !== "";
}

/** The cards as HTML. */
export function cards(view: PlanView): readonly string[] {
  const seen = new Set<string>();
  const isOpen = view.plan.changes.length <= MAX_OPEN;
  return cardGroups(view).flatMap(({ title, isKind, changes, wording }) => [
    `<section class="group"><h2>${isKind ? code(title) : html(title)} <span class="quiet">${html(
      countActions(
        changes.map(({ change }) => change),
        wording,
      ),
    )}</span></h2>`,
    ...changes.map((change) => {
      const { address } = change.change;
      const anchor = seen.has(address) ? "" : ` id="${html(address)}"`;
      seen.add(address);
      return card(change, anchor, isOpen, view.wording);
    }),
    "</section>",
  ]);
}

/** The groups in their order. Each change is in one of them. */
function cardGroups({ changes: all, sections, wording }: PlanView): readonly CardGroup[] {
  const first = all.filter((change) => needsAttention(change, wording));
  const asPlanned = first.filter(({ open }) => open.length === 0);
  const inOrder = [
    { title: "Not as planned", wording: PLAN, changes: first.filter(({ open }) => open.length > 0) },
    { title: "Cannot be undone", wording, changes: asPlanned.filter(({ change }) => change.risk === "destructive") },
    { title: "Needs attention", wording, changes: asPlanned.filter(({ change }) => change.risk !== "destructive") },
  ].map((group) => ({ ...group, isKind: false }));
  const byKind = sections.flatMap(({ kinds }) =>
    kinds.map(({ kind, changes }) => ({
      ...{ title: kind, isKind: true, wording },
      changes: changes.filter((change) => !needsAttention(change, wording)),
    })),
  );
  return [...inOrder, ...byKind].filter(({ changes }) => changes.length > 0);
}

function card(view: ChangeView, anchor: string, isOpen: boolean, wording: Wording): string {
  const { change, word, label, position, reviewReason, takeover, open } = view;
  const { action, address, kind, risk } = change;
  const rows = view.isSwitch ? [] : fieldRows(shownFields(change));
  const line = fieldsLine(rows, change, placesOf(wording));
  const notes = [position, wording.isPlan && !isPlain(change) ? reviewReason : "", takeover].filter(
    (part) => part !== "",
  );
  const details = [
    // A single field is on the first line already, unless it is too long for it.
    rows.length === 1 && !line.startsWith('<span class="quiet">') ? "" : fieldTable(rows, change, wording),
    cascades(change),
    ...open.map(({ word: ended, reasons }) =>
      reasons.length === 0 ? "" : `<p>${html(ended)}: ${reasons.map(html).join("<br>")}</p>`,
    ),
    source(change),
  ].filter((part) => part !== "");
  const attributes = [
    ` data-action="${open.length > 0 ? "unfinished" : action}" data-kind="${html(kind)}"`,
    needsAttention(view, wording) ? ' data-attention="yes"' : "",
    risk === "destructive" && wording.isPlan ? ' data-risk="destructive"' : "",
    anchor,
    isOpen && rows.length > 1 ? " open" : "",
  ].join("");
  const at = address.indexOf("/") + 1;
  const inside = details.length === 0 ? `<p class="quiet">${noDetails(rows.length, change)}</p>` : details.join("\n");
  return [
    `<details class="card"${attributes}><summary>`,
    `<span class="sign ${word.tone}" aria-hidden="true">${html(word.symbol)}</span>`,
    `<span class="name"><code><span class="quiet">${html(address.slice(0, at))}</span>${html(address.slice(at))}</code>`,
    label === "" ? "</span>" : ` <span class="label">${html(label)}</span></span>`,
    `<span class="pills">${pill(word.tone, word.single ?? word.column)}${pills(view, wording)}</span>`,
    line === "" && notes.length === 0
      ? ""
      : `<span class="line">${line}${notes.map((note) => `<span class="note">${html(note)}</span>`).join("")}</span>`,
    `</summary><div class="inside">${inside}</div></details>`,
  ].join("");
}

/** The sentence of a card that says everything on its first lines. */
function noDetails(fields: number, { action }: Change): string {
  if (fields === 1) return "No other field changes.";
  return action === "delete" ? "Its fields are not known here." : "No fields change.";
}

/** Whether the card says by itself why there is a change: the resource is new, or its fields differ. */
function isPlain({ action, risk, attention }: Change): boolean {
  return risk === "safe" && attention === undefined && ["create", "update", "move"].includes(action);
}

function pills({ change, blocked, open, origin }: ChangeView, { isPlan }: Wording): string {
  if (open.length > 0) return [...new Set(open.map(({ tone, word }) => pill(tone, word)))].join("");
  if (!isPlan) return "";
  return [
    change.risk === "destructive" ? pill("alarm", "cannot be undone") : "",
    change.risk !== "destructive" && change.attention !== undefined ? pill("attention", "attention") : "",
    blocked === "" ? "" : pill("alarm", blocked),
    origin === "" ? "" : pill("origin", origin),
  ].join("");
}

function cascades({ cascades: also = [] }: Change): string {
  if (also.length === 0) return "";
  return `<p>Also deletes ${named(also, MAX_NAMES, code)}.</p>`;
}

function source({ source: at, action }: Change): string {
  if (at === undefined) return "";
  const place = code(placeText(at));
  const isRemoval = action === "delete" || action === "disable";
  return `<p class="quiet">${isRemoval ? `The list at ${place} does not declare it` : `Declared at ${place}`}.</p>`;
}

type Places = ReturnType<typeof placesOf>;

/** Most items of a list that one line shows. */
const MAX_ITEMS = 6;

/** The fields on one line: the values of a single one, the names of several. */
function fieldsLine(rows: readonly FieldRow[], { action }: Change, places: Places): string {
  const [row] = rows;
  if (row === undefined) return "";
  if (rows.length === 1 && action !== "create") {
    const line = "sides" in row ? itemsLine(row, places) : valuesLine(row, action, places);
    if (line !== "") return `<span class="field">${html(row.label)}</span> ${line}`;
  }
  const names = rows.slice(0, 8).map(({ label }) => html(label));
  const rest = rows.length > names.length ? ` and ${rows.length - names.length} more` : "";
  return `<span class="quiet">${names.join(", ")}${rest}</span>`;
}

function fieldTable(rows: readonly FieldRow[], { action }: Change, wording: Wording): string {
  if (rows.length === 0) return "";
  const places = placesOf(wording);
  const values = action === "create" || action === "delete" ? "value" : (wording.legend ?? "before → after");
  const head = `<thead><tr><th scope="col">Field</th><th scope="col">${html(values)}</th></tr></thead>`;
  const lines = rows.map(
    (row) =>
      `<tr><th scope="row">${html(row.label)}</th><td>${"sides" in row ? sidesPart(row, action === "create") : valuesLine(row, action, places)}</td></tr>`,
  );
  return `<table class="fields">${head}<tbody>${lines.join("")}</tbody></table>`;
}

function valuesLine(
  { before, after }: { readonly before: string | null; readonly after: string | null },
  action: Change["action"],
  places: Places,
): string {
  if (places !== undefined && action !== "create" && action !== "delete") {
    const [was, is] = [before ?? valueText(null), after ?? valueText(null)].map(html);
    return `${places[1]}: <ins>${is}</ins>; ${places[0]}: <span class="removed">${was}</span>`;
  }
  const parts = [
    ...(before === null ? [] : [`<del>${html(before)}</del>`]),
    ...(before === null || after === null ? [] : ['<span class="arrow">→</span>']),
    ...(after === null ? [] : [`<ins>${html(after)}</ins>`]),
    ...(after === null && before !== null && action !== "delete"
      ? ['<span class="arrow">→</span> <span class="quiet">not set</span>']
      : []),
  ];
  return parts.join(" ");
}

/** The difference of a short list on one line; empty if it is long or a text. */
function itemsLine({ sides }: FieldRow & { readonly sides: FieldSides }, places: Places): string {
  if (sides.numbered) return "";
  const lines = diffOf(sides, false).filter(({ sign }) => sign === "-" || sign === "+");
  if (lines.length > MAX_ITEMS || lines.length === 0) return "";
  if (places === undefined) return lines.map(itemPart).join(" ");
  return (["+", "-"] as const)
    .flatMap((sign) => {
      const own = lines.filter((line) => line.sign === sign).map(({ text }) => html(text));
      return own.length === 0 ? [] : [`only ${places[sign === "+" ? 1 : 0]}: ${own.join(", ")}`];
    })
    .join("; ");
}

type FieldSides = Extract<FieldRow, { sides: unknown }>["sides"];

function itemPart({ sign, text }: DiffLine): string {
  const name = sign === "-" ? "del" : sign === "+" ? "ins" : "span";
  const mark = sign === "-" ? "− " : sign === "+" ? "+ " : "";
  return `<${name} class="item">${mark}${html(text)}</${name}>`;
}

function sidesPart({ sides }: FieldRow & { readonly sides: FieldSides }, isNew: boolean): string {
  const lines = diffOf(sides, isNew);
  if (!sides.numbered) return `<ul class="items">${lines.map((line) => `<li>${itemPart(line)}</li>`).join("")}</ul>`;
  const isOneSided = lines.every(({ sign }) => sign !== "-") || lines.every(({ sign }) => sign !== "+");
  const rows = isOneSided ? lines.map((line) => [line] as const) : sideBySide(lines);
  return `<div class="diff${isOneSided ? " one" : ""}">${rows.map(diffRow).join("")}</div>`;
}

function diffRow(cells: readonly (DiffLine | undefined)[]): string {
  const [first] = cells;
  if (first?.sign === "@") return `<div class="hunk">${html(first.text)}</div>`;
  return cells
    .map((line) => {
      if (line === undefined) return "<div></div>";
      const name = line.sign === "-" ? "was" : line.sign === "+" ? "is" : "same";
      return `<div class="${name}">${line.sign === " " ? " " : html(line.sign)} ${html(line.text)}</div>`;
    })
    .join("");
}

/** The lines in pairs: each removed line beside the added one that replaces it. */
function sideBySide(lines: readonly DiffLine[]): readonly (readonly [DiffLine | undefined, DiffLine | undefined])[] {
  const pairs: (readonly [DiffLine | undefined, DiffLine | undefined])[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = (): void => {
    const length = Math.max(removed.length, added.length);
    for (let at = 0; at < length; at += 1) pairs.push([removed[at], added[at]]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.sign === "-") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.sign === "+") added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}
