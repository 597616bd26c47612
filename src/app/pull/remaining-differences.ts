/** The differences that remain after a pull. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { locationOf, startOf } from "../../config/resources/origins.ts";
import type { SourcedList } from "../../config/resources/sourced-list.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { cutBoth } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import type { Change, Unreadable } from "../../plan/model/plan.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { type FieldRow, fieldRows } from "../../view/plan/field-rows.ts";
import type { PlanFilter } from "../session/plan-filter.ts";
import type { ReadingSession } from "../session/session.ts";
import type { Conflict } from "./list-editor.ts";

/** Differences that remain after the pull. */
interface RemainingDifferences {
  /** Changes of a plan that no earlier conflict explains. */
  readonly conflicts: readonly Conflict[];
  /** Declared fields that the service does not return, so that they cannot be compared. */
  readonly untold: readonly Unreadable[];
}

/** Plans the pulled files against the state that was read. */
export async function remainingDifferences(
  configuration: Configuration,
  session: ReadingSession,
  reader: Reader,
  filter: PlanFilter,
  knownConflicts: readonly Conflict[],
): Promise<RemainingDifferences> {
  const plan = await session.plan({ configuration, reader, filter, identify: false }).catch((error) => {
    // A value that no file can have may be one that no plan can change.
    if (error instanceof InvalidConfiguration && isExplained(error, knownConflicts)) return undefined;
    throw error;
  });
  if (plan === undefined) return { conflicts: [], untold: [] };
  const unexplained = plan.changes.filter(({ address }) => knownConflicts.every((one) => one.address !== address));
  const conflicts = unexplained.flatMap((change): readonly Conflict[] => {
    const { address, fields, action } = change;
    const list = sourcedListOf(configuration, address);
    if (list !== undefined) return sourcedConflicts(change, list, configuration);
    const [first] = fields;
    const path = fields.length === 1 && first !== undefined ? first.path : "";
    return [{ address, path, reason: `a plan would still ${action} it; see incidentctl plan` }];
  });
  return { conflicts, untold: plan.unreadable };
}

/** Whether every error is about a resource that has a conflict. */
function isExplained({ diagnostics }: InvalidConfiguration, conflicts: readonly Conflict[]): boolean {
  const addresses = new Set(conflicts.map(({ address }) => address));
  return diagnostics.every(({ severity, address = "" }) => severity !== "error" || addresses.has(address));
}

function sourcedListOf({ sourced = [] }: Configuration, address: string): SourcedList | undefined {
  return sourced.find(({ kind: name, scope }) => {
    const kind = kinds.find((one) => one.name === name);
    return kind !== undefined && address.startsWith(addressPrefix(kind, scope));
  });
}

/** The differences of a resource in a list with sources: one for each value. */
function sourcedConflicts(
  { address, fields, action }: Change,
  { sources }: SourcedList,
  { declared }: Configuration,
): readonly Conflict[] {
  const resource = declared.find((one) => one.address === address);
  if (resource === undefined) {
    const [{ at } = {}] = sources;
    const reason = `no file makes it any more, so a plan would ${action} it`;
    return [{ address, path: "", reason, ...(at === undefined ? {} : { at }) }];
  }
  if (action === "create") {
    return [{ address, path: "", reason: "it is not in the workspace, but the files make it", at: startOf(resource) }];
  }
  return fieldRows(fields).map((row) => {
    const path = `/${row.label}`;
    const [live, own] = sidesOf(row);
    return {
      address,
      path,
      reason: `the workspace has ${live}, and the file ${own}`,
      at: locationOf(resource.origins, path),
    };
  });
}

/** Both values of a field in words. */
function sidesOf(row: FieldRow): readonly [string, string] {
  const sides =
    "sides" in row
      ? cutBoth(row.sides.before.join(", "), row.sides.after.join(", "))
      : ([row.before ?? "", row.after ?? ""] as const);
  const [before, after] = sides;
  return [before || NO_VALUE, after || NO_VALUE];
}

const NO_VALUE = "no value";
