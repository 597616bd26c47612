/**
 * The live state without what limits a resource to something that no longer exists. A file cannot name that, and a resource whose limits
 * are all left out would have none.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import { type Fields, isList, type Json } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { PullConflict } from "../../view/workspace/pull.ts";
import type { Observation } from "../../workspace/match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../../workspace/match/resolve.ts";
import { goneReferences } from "./gone-references.ts";

/** A live state for files, and the limits that it leaves out. */
interface WithinLimits extends Pick<ResolvedWorkspace, "state" | "graph" | "matching"> {
  readonly lost: readonly PullConflict[];
}

/** The fields that limit a resource, with the kind. */
const LIMITS = kinds.flatMap((kind) =>
  Object.entries(kind.fields ?? {}).flatMap(([field, { limits }]) => (limits === true ? [[field, kind] as const] : [])),
);

/** Resolves what was read. Limits that no longer exist are left out, and so is a resource that has no others: it is not in use any more. */
export function resolveWithinLimits(configuration: Configuration, observation: Observation): WithinLimits {
  const { state, graph, matching } = resolve(configuration, kinds, observation);
  const lost: PullConflict[] = [];
  const rows = new Map<Fields, readonly Fields[]>();
  for (const [field, kind] of LIMITS) {
    for (const live of state.all(kind.name)) {
      const list = live.fields[field];
      if (!isList(list)) continue;
      const gone: readonly Json[] = goneReferences(live, { state, graph })
        .filter(({ at }) => at.startsWith(`/${field}/`))
        .map(({ key }) => key);
      if (gone.length === 0) continue;
      const left = list.filter((item) => !gone.includes(item));
      const names = gone.map(String).join(", ");
      const [verb, them] = gone.length === 1 ? ["does", "it"] : ["do", "them"];
      const reason =
        left.length === 0
          ? `it is left out: it was limited to ${field} that no longer exist (${names}), and without them a file would not limit it at all`
          : `${names} ${verb} not exist any more, and the file is written without ${them}`;
      lost.push({ address: live.address, path: left.length === 0 ? "" : `/${field}`, reason });
      rows.set(live.row, left.length === 0 ? [] : [{ ...live.row, [field]: left }]);
    }
  }
  if (rows.size === 0) return { state, graph, matching, lost };
  const lists = observation.lists.map((list) => ({
    ...list,
    rows: list.rows.flatMap((row) => rows.get(row) ?? [row]),
  }));
  return { ...resolve(configuration, kinds, { ...observation, lists }), lost };
}
