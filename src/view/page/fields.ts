/** The fields of a change as HTML: short values before and after, lists as their difference, long texts side by side. */

import type { Change } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import type { DiffLine } from "../format/line-diff.ts";
import { diffOf, type FieldRow } from "../plan/field-rows.ts";

/** Most items of a list that one line shows. */
const MAX_ITEMS = 6;

/** The fields on one line: the values of a single one, the names of several. */
export function fieldsLine(rows: readonly FieldRow[], { action }: Change): string {
  const [row] = rows;
  if (row === undefined) return "";
  if (rows.length === 1 && action !== "create") {
    const line = "sides" in row ? itemsLine(row) : valuesLine(row, action);
    if (line !== "") return `<span class="field">${html(row.label)}</span> ${line}`;
  }
  const names = rows.slice(0, 8).map(({ label }) => html(label));
  const rest = rows.length > names.length ? ` and ${rows.length - names.length} more` : "";
  return `<span class="quiet">${names.join(", ")}${rest}</span>`;
}

/** The fields as a table. */
export function fieldTable(rows: readonly FieldRow[], { action }: Change, legend: string | undefined): string {
  if (rows.length === 0) return "";
  const values = action === "create" || action === "delete" ? "value" : (legend ?? "before → after");
  const head = `<thead><tr><th scope="col">Field</th><th scope="col">${html(values)}</th></tr></thead>`;
  const lines = rows.map(
    (row) =>
      `<tr><th scope="row">${html(row.label)}</th><td>${"sides" in row ? sidesPart(row, action === "create") : valuesLine(row, action)}</td></tr>`,
  );
  return `<table class="fields">${head}<tbody>${lines.join("")}</tbody></table>`;
}

function valuesLine(
  { before, after }: { readonly before: string | null; readonly after: string | null },
  action: Change["action"],
): string {
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
function itemsLine({ sides }: FieldRow & { readonly sides: FieldSides }): string {
  if (sides.numbered) return "";
  const lines = diffOf(sides, false).filter(({ sign }) => sign === "-" || sign === "+");
  return lines.length > MAX_ITEMS || lines.length === 0 ? "" : lines.map(itemPart).join(" ");
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
