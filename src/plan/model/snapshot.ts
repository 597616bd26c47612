/** Snapshots of the live state before a run, in the fields of the configuration: enough to undo the run, without secrets. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Change, Plan } from "./plan.ts";

/** A resource before a run. */
export interface ResourceSnapshot {
  readonly address: string;
  readonly kind: string;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  /** The id of the resource, in a kind with a pin: several may have one name. Absent in journals of earlier versions. */
  readonly pin?: string;
  /** The fields that a configuration can declare, without values from the environment. */
  readonly fields: Fields;
  /** Fields that are not recorded: their values came from the environment, or the service does not return them. */
  readonly unrecorded?: readonly string[];
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
  /** For each rule before, JSON Pointers to values from the environment; absent in a journal, where references stand for the values. */
  readonly secrets?: readonly (readonly string[])[];
}

/** The id in the first id field that a row holds; empty if it holds none. */
export function idIn({ identity }: Kind, row: Fields): readonly string[] {
  return identity.idFields
    .flatMap((name) => row[name] ?? [])
    .slice(0, 1)
    .map(String);
}

/** The ids of the live resources that the requests of a change are about; empty for a creation. */
export function changedIds(kind: Kind, { operations }: Change, plan: Plan): readonly string[] {
  const rows = plan.operations.flatMap(({ id, guard }) =>
    operations.includes(id) && guard?.row !== undefined ? [guard.row] : [],
  );
  return rows.flatMap((row) => idIn(kind, row));
}
