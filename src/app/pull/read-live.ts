/** Reads the live state for a pull, and finds the differences that remain after it. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { locationOf } from "../../config/resources/origins.ts";
import type { SourcedList } from "../../config/resources/sourced-list.ts";
import { cutBoth } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { type Kind, topKindOf } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import type { Change, Unreadable } from "../../plan/model/plan.ts";
import type { ApiRequest, Reader } from "../../service/requests/connection.ts";
import { type FieldRow, fieldRows } from "../../view/plan/field-rows.ts";
import type { Observation } from "../../workspace/match/observation.ts";
import { observeWithReferences } from "../../workspace/read/observe-references.ts";
import type { ReadingSession } from "../session/session.ts";
import type { Conflict } from "./list-editor.ts";

/** Returns the top-level keys of kinds in the files; a nested kind has the key of its parent. */
export function topOf(names: readonly string[]): readonly string[] {
  const top = names.map((name) => {
    const kind = kinds.find((one) => one.name === name);
    return kind === undefined ? name : topKindOf(kind);
  });
  return [...new Set(top)];
}

/** Returns a reader, and one that repeats its responses, so that the final comparison uses the state that was read. */
export function recordReader(reader: Reader): { readonly live: Reader; readonly again: Reader } {
  const responses = new Map<string, ReturnType<Reader["get"]>>();
  const get: Reader["get"] = (request) => {
    const response = reader.get(request);
    responses.set(requestKey(request), response);
    return response;
  };
  const { host } = reader;
  return { live: { host, get }, again: { host, get: (request) => responses.get(requestKey(request)) ?? get(request) } };
}

/** Key of a request, whatever its purpose. */
function requestKey({ purpose: _purpose, ...request }: ApiRequest): string {
  return JSON.stringify(request);
}

/** Reads kinds with their nested kinds and references. A refused read is an error only for kinds in `must`. */
export async function observeKinds(
  reader: Reader,
  selectedKinds: readonly Kind[],
  must: readonly string[],
): Promise<Observation> {
  const own = new Set(selectedKinds.map(({ name }) => name));
  for (const { name, parent } of kinds) if (parent !== undefined && own.has(parent.kind)) own.add(name);
  return observeWithReferences(reader, kinds, own, (name) => topOf([name]).some((one) => must.includes(one)));
}

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
  kindNames: readonly string[] | undefined,
  knownConflicts: readonly Conflict[],
): Promise<RemainingDifferences> {
  const filter = { kinds: kindNames ?? [], targets: [], excludes: [] };
  const plan = await session.plan({ configuration, reader, filter, identify: false });
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
    return [{ address, path: "", reason: "it is not in the workspace, but the files make it", at: resource.at }];
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
