/** The live state as it was read: raw rows, one list per collection, each proved whole. */

import type { Fields } from "../core/json.ts";

/** Incidents by field and chosen value, a label or an id. */
export type Tally = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** One collection, whole. */
export interface Collection {
  readonly kind: string;
  readonly scope: string;
  readonly rows: readonly Fields[];
  /** That nothing is missing is not proved: it came in pages that were read once, or all that it holds is disabled. */
  readonly open?: { readonly pages: boolean; readonly retired: boolean };
}

/** Everything that was read for a plan. */
export interface Observation {
  readonly collections: readonly Collection[];
  /** Kinds that are not managed and could not be read, though they could point at something that would be removed. */
  readonly unread: readonly string[];
  /** Incidents that hold an entry, by the entry's id, where they were counted. */
  readonly held: ReadonlyMap<string, number>;
  /** Incidents by field and choice, where a choice would be taken away; undefined when they were not or could not be read. */
  readonly chosen?: Tally;
}
