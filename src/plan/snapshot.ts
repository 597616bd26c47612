/** What a run found before it wrote, in the words of the configuration: enough to plan its inverse, and no secret. */

import type { Fields } from "../core/json.ts";

/** An entry as it was. */
export interface ResourceSnapshot {
  readonly address: string;
  readonly kind: string;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  /** What the service told and the files could state; without what came from the environment. */
  readonly fields: Fields;
  /** Ids of choices by their labels, by field: what was renamed since can be told from what is new. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The live state as far as a plan changes it. */
export interface RunSnapshot {
  /** Entries that the plan changes or takes away, with what goes along with them. */
  readonly entries: readonly ResourceSnapshot[];
  /** Lists ordered by position that the plan changes: addresses in their order. */
  readonly orders: readonly { readonly kind: string; readonly scope: string; readonly addresses: readonly string[] }[];
  /** Ranked lists that the plan changes: entries as they were, and as they were declared. */
  readonly ranks: readonly RankedListSnapshot[];
}

/** A ranked list before a run, and as the run was to leave it. */
export interface RankedListSnapshot {
  readonly kind: string;
  readonly scope: string;
  readonly before: readonly Fields[];
  readonly after: readonly Fields[];
}
