/** Snapshots of the live state before a run, in the fields of the configuration: enough to undo the run, without secrets. */

import type { Fields } from "../core/json.ts";

/** A resource before a run. */
export interface ResourceSnapshot {
  readonly address: string;
  readonly kind: string;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  /** The fields that a configuration can declare, without values from the environment. */
  readonly fields: Fields;
  /** Field → option label → option id, to tell a renamed option from a new one. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The part of the live state that a plan changes. */
export interface RunSnapshot {
  /** Resources that the plan changes or removes, and those that are deleted with them. */
  readonly entries: readonly ResourceSnapshot[];
  /** Lists ordered by position that the plan changes: addresses in their order. */
  readonly orders: readonly { readonly kind: string; readonly scope: string; readonly addresses: readonly string[] }[];
  /** Ranked lists that the plan changes: their rules before, and as declared. */
  readonly ranks: readonly RankedListSnapshot[];
}

/** A ranked list before a run, and as the run was to leave it. */
export interface RankedListSnapshot {
  readonly kind: string;
  readonly scope: string;
  readonly before: readonly Fields[];
  readonly after: readonly Fields[];
}
