/** The changes of a plan by origin, and a section of the places that are no longer managed. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { counted, fieldPath, thousands } from "../../core/value-text.ts";
import type { Change, Plan, RankedTransition, Released } from "../../plan/model/plan.ts";
import type { PlaceItem, PlaceSection } from "./left-alone.ts";
import type { Wording } from "./wording.ts";

/** The note on a change that was there before. */
export const ALREADY_DIFFERENT = "already different";

/** Whether reports tell changes of the files from others: some change was there before. */
export function tellsOrigins({ changes }: Plan, { isPlan, isPast }: Wording): boolean {
  return isPlan && !isPast && changes.some(({ origin }) => origin === "workspace");
}

/** The base as reports name it, sanitised: a revision with the beginning of its commit, or a directory; empty if there is none. */
export function baseTitle({ base }: Plan, { isPlan, isPast }: Wording): string {
  if (base === undefined || !isPlan || isPast) return "";
  const { name, revision } = base;
  return sanitised(name === undefined ? revision : `${name} (${revision.slice(0, 10)})`);
}

interface ViewOfChange {
  readonly change: Change;
}

/** Changes of one origin. The title is empty if reports do not tell origins. */
export interface ChangeSection<View> {
  readonly title: string;
  readonly kinds: readonly ChangesOfKind<View>[];
}

/** The changes of one kind. Those of one resource are side by side. */
export interface ChangesOfKind<View> {
  readonly kind: string;
  readonly changes: readonly View[];
  /** Its ranked lists that change; only of a plan. */
  readonly transitions: readonly RankedTransition[];
}

/** The changes by origin and then by kind: in one section without a title unless some change was there before. */
export function changeSections<View extends ViewOfChange>(
  changes: readonly View[],
  transitions: readonly RankedTransition[],
  hasOrigins: boolean,
): readonly ChangeSection<View>[] {
  const isBefore = ({ change }: View): boolean => change.origin === "workspace";
  const [own, before] = [changes.filter((view) => !isBefore(view)), changes.filter(isBefore)];
  const parts = hasOrigins ? [own, before] : [changes];
  const listed = new Set<RankedTransition>();
  return parts
    .filter((part) => part.length > 0)
    .map((part) => ({
      title: !hasOrigins ? "" : part === own ? ownTitle(own.length) : beforeTitle(before.length),
      kinds: [...groupBy(part, ({ change }) => change.kind)].map(([kind, some]) => {
        const lists = transitions.filter((list) => list.kind === kind && !listed.has(list) && isIn(list, some));
        for (const list of lists) listed.add(list);
        return {
          kind,
          changes: [...groupBy(some, ({ change }) => change.address).values()].flat(),
          transitions: lists,
        };
      }),
    }));
}

function isIn({ address }: RankedTransition, changes: readonly ViewOfChange[]): boolean {
  return changes.some(({ change }) => change.address.startsWith(`${address}/`));
}

/** The line below the title of a section some of whose changes stand above it; empty if none does. */
export function aboveText({ title, kinds }: ChangeSection<{ readonly standsFirst: boolean }>): string {
  const above = kinds.flatMap(({ changes }) => changes).filter(({ standsFirst }) => standsFirst).length;
  return title === "" || above === 0 ? "" : `${thousands(above)} shown above`;
}

function ownTitle(count: number): string {
  return `Of this change (${thousands(count)})`;
}

function beforeTitle(count: number): string {
  return `Already different (${thousands(count)}): changed in the workspace, or not applied yet`;
}

/** The places that are no longer managed, each with the line that would remove it. */
export function releasedSections({ released = [] }: Plan, { isPlan }: Wording): readonly PlaceSection[] {
  if (!isPlan || released.length === 0) return [];
  return [{ title: "No longer managed (stays in the workspace as it is)", items: released.map(releasedItem) }];
}

function releasedItem({ address, path, resources, because, edit }: Released): PlaceItem {
  const size = resources === undefined ? "" : ` (${resources === 0 ? "empty list" : counted(resources, "resource")})`;
  const purpose = resources === 0 ? "keep it empty" : `remove ${(resources ?? 1) === 1 ? "it" : "them"}`;
  const remove = edit === undefined ? "" : `; to ${purpose}: ${edit}`;
  return {
    where: path === undefined ? [`${address}${size}`] : [address, fieldPath(path)],
    note: `${because}${remove}`,
  };
}

/** A sentence about what is no longer managed; empty if there is nothing. */
export function releasedSentence({ released = [] }: Plan): string {
  const fields = released.filter(({ path }) => path !== undefined).length;
  const resources = released
    .filter(({ path }) => path === undefined)
    .reduce((sum, { resources: listed = 1 }) => sum + listed, 0);
  const emptyLists = released.filter(({ resources: listed }) => listed === 0).length;
  const parts = [
    ...(resources === 0 ? [] : [counted(resources, "resource")]),
    ...(fields === 0 ? [] : [counted(fields, "field")]),
    ...(emptyLists === 0 ? [] : [counted(emptyLists, "empty list")]),
  ];
  if (parts.length === 0) return "";
  return `${joinWords(parts)} ${resources + fields + emptyLists === 1 ? "is" : "are"} no longer managed.`;
}
