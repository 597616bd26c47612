/** Sections of reports that name what a plan leaves alone: accepted differences, what the settings ignore, and what others made. */

import { sanitised } from "../../core/sanitise.ts";
import { fieldPath } from "../../core/value-text.ts";
import type { LeftAlone, Plan } from "../../plan/model/plan.ts";
import { code, foldedList, prose, takeFitting } from "../format/markdown.ts";
import type { ReportStyle } from "./change-lines.ts";

/** Differences to name in each section before the rest is counted. */
const MAX_ITEMS = 50;
/** Characters of each section in Markdown. */
const MAX_CHARACTERS = 2_000;

/** Places with the same title. */
export interface PlaceSection {
  readonly title: string;
  readonly items: readonly PlaceItem[];
}

/** A place, and a note on it. */
export interface PlaceItem {
  /** The address and, for a field, its path. */
  readonly where: readonly string[];
  readonly note: string;
}

/** The places that a plan leaves alone; of drift, whose own sections name accepted differences, only what the settings ignore. */
export function leftAloneSections(
  { accepted = [], ignored = [], others = [] }: Plan,
  isPlan: boolean,
): readonly PlaceSection[] {
  const [known, unknown] = [
    others.filter(({ why }) => why === undefined),
    others.filter(({ why }) => why !== undefined),
  ];
  const all: readonly PlaceSection[] = [
    { title: "Accepted (no change until then)", items: isPlan ? accepted.map(placeItem) : [] },
    { title: "Ignored by the settings", items: ignored.map(placeItem) },
    { title: "Made by others (entries_from leaves them)", items: known.map(placeItem) },
    { title: "Of unknown origin (entries_from leaves them)", items: unknown.map(placeItem) },
  ];
  return all.filter(({ items }) => items.length > 0);
}

/** The numbers of accepted and ignored places as a sentence; empty if there are none. */
export function leftAloneSummary({ accepted = [], ignored = [], others = [] }: Plan): string {
  const unknown = others.filter(({ why }) => why !== undefined).length;
  const parts = [
    ...(accepted.length === 0 ? [] : [`${accepted.length} accepted`]),
    ...(ignored.length === 0 ? [] : [`${ignored.length} ignored`]),
    ...(others.length === unknown ? [] : [`${others.length - unknown} made by others`]),
    ...(unknown === 0 ? [] : [`${unknown} of unknown origin`]),
  ];
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

/** A place, with the terms of its acceptance if it has one. */
export function placeItem({ address, path = "", until, by, why }: LeftAlone): PlaceItem {
  const who = by === undefined ? "" : `, by ${by}`;
  return {
    where: path === "" ? [address] : [address, fieldPath(path)],
    note: until === undefined ? (why ?? "") : `until ${until}${who}: ${why ?? ""}`,
  };
}

/** Blocks of lines for a text report. */
export function sectionBlocks(sections: readonly PlaceSection[], style: ReportStyle): readonly (readonly string[])[] {
  return sections.map(({ title, items }) => {
    const visible = style.verbose ? items : items.slice(0, MAX_ITEMS);
    const rest = items.length - visible.length;
    return [
      style.paint("heading", title),
      ...visible.map(({ where, note }) => {
        const notes = note === "" ? [] : [style.paint("quiet", sanitised(note))];
        return `  ${[...where.map(sanitised), ...notes].join("  ")}`;
      }),
      ...(rest === 0 ? [] : [`  … and ${rest} more; --verbose names all`]),
    ];
  });
}

/** The same as lines of Markdown, short enough for a comment. */
export function sectionMarkdown(sections: readonly PlaceSection[], verbose: boolean): readonly string[] {
  return sections.flatMap(({ title, items }) => {
    const lines = items.map(
      ({ where, note }) => `- ${where.map(code).join(" ")}${note === "" ? "" : `: ${prose(note)}`}`,
    );
    return foldedList(title, items.length, verbose ? lines : takeFitting(lines, MAX_CHARACTERS));
  });
}
