/** The live state as it was read: raw rows, one list each. */

import type { Fields } from "../../core/json.ts";

/** Every row of one list. */
export interface ObservedList {
  readonly kind: string;
  readonly scope: string;
  readonly rows: readonly Fields[];
  /** Set while the list may be incomplete: it came in several pages that were read once, or all its rows are disabled. */
  readonly open?: { readonly pages: boolean };
}

/** Everything that was read for a plan, but for what incidents use. */
export interface Observation {
  readonly lists: readonly ObservedList[];
  /** Kinds that are not managed and could not be read, though their resources could reference one that would be removed. */
  readonly unread: readonly string[];
  /** Addresses of resources that an apply has disabled: the service may not return that. */
  readonly disabled?: ReadonlySet<string>;
  /** Built-in resources that were not read count as those of a default workspace. */
  readonly isDefault?: true;
}

/** Nothing was read yet. */
export const NOTHING_READ: Observation = { lists: [], unread: [] };

/** Nothing is read, and a guess at references is better than none. */
export const DEFAULT_WORKSPACE: Observation = { ...NOTHING_READ, isDefault: true };
