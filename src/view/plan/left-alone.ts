/** Sections of places: what a plan or drift leaves alone, and differences by what was accepted. */

import { fieldPath } from "../../core/value-text.ts";
import { type Drift, type JudgedDifference, WARNING_DAYS } from "../../plan/drift/drift.ts";
import type { LeftAlone, Plan } from "../../plan/model/plan.ts";
import type { Wording } from "./wording.ts";

/** Places with the same title. */
export interface PlaceSection {
  readonly title: string;
  readonly items: readonly PlaceItem[];
  /** Why a test of drift skips them; absent for places that no test is about. */
  readonly skipped?: string;
  /** A terminal shows it dim: nothing has to be done. */
  readonly isQuiet?: true;
}

/** A place, and a note on it. */
export interface PlaceItem {
  /** The address and, for a field, its path. */
  readonly where: readonly string[];
  readonly note: string;
}

/** The places that a plan leaves alone; of drift, whose own sections name accepted differences, without these. */
export function leftAloneSections(
  { accepted = [], ignored = [], others = [] }: Plan,
  { isPlan }: Wording,
): readonly PlaceSection[] {
  const madeByOthers = others.filter(({ why }) => why === undefined);
  const ofUnknownOrigin = others.filter(({ why }) => why !== undefined);
  return filled([
    { title: "Accepted (no change until then)", items: isPlan ? accepted.map(placeItem) : [] },
    { title: "Ignored by the settings", items: ignored.map(placeItem), skipped: "ignored by the settings" },
    { title: "Made by others (entries_from leaves them)", items: madeByOthers.map(placeItem) },
    { title: "Of unknown origin (entries_from leaves them)", items: ofUnknownOrigin.map(placeItem) },
  ]);
}

/** Changed, expired, accepted and resolved differences. */
export function driftSections({ new: fresh, known, expired, resolved }: Drift): readonly PlaceSection[] {
  const [soon, later] = [known.filter(({ ending }) => ending), known.filter(({ ending }) => !ending)];
  const changed = fresh.filter(({ accepted }) => accepted !== undefined);
  return filled([
    { title: "Accepted, but changed since", items: changed.map(acceptedItem) },
    { title: "Expired", items: expired.map(acceptedItem) },
    { title: `Accepted, and ends within ${WARNING_DAYS} days`, items: soon.map(acceptedItem), skipped: "accepted " },
    { title: "Accepted", items: later.map(acceptedItem), skipped: "accepted " },
    { title: "Resolved", items: resolved.map((one) => acceptedItem({ ...one, accepted: one })) },
  ]);
}

function filled(sections: readonly PlaceSection[]): readonly PlaceSection[] {
  return sections.filter(({ items }) => items.length > 0);
}

/** A place, with the terms of its acceptance if it has one. */
function placeItem({ address, path = "", until, by, why = "" }: LeftAlone): PlaceItem {
  const who = by === undefined ? "" : `, by ${by}`;
  return {
    where: path === "" ? [address] : [address, fieldPath(path)],
    note: until === undefined ? why : `until ${until}${who}: ${why}`,
  };
}

/** The place of a difference, with the terms of its acceptance. */
function acceptedItem({ address, path, accepted }: Pick<JudgedDifference, "address" | "path" | "accepted">): PlaceItem {
  const { until = "", because: why = "", by } = accepted ?? {};
  return placeItem({ address, path, until, why, ...(by === undefined ? {} : { by }) });
}
