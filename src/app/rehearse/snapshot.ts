/** Snapshot of the live workspace, as far as the token may read it: every kind, and numbers of incidents. Sends GET only. */

import type { Fields, Json } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import { type Kind, ownerKindOf } from "../../kinds/model/kind.ts";
import { CannotRead } from "../../service/lists/cannot-read.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { OptionUsage } from "../../workspace/match/incident-usage.ts";
import { inWords } from "../../workspace/match/known-values.ts";
import { NOTHING_READ, type Observation, type ObservedList } from "../../workspace/match/observation.ts";
import { countIncidents, countOptionUsage } from "../../workspace/read/incidents.ts";
import { observe } from "../../workspace/read/observe.ts";

/** A kind that this token may not read, with the service's error. */
export interface RefusedRead {
  readonly kind: Kind;
  readonly status: number;
  readonly message: string;
}

/** The state of a workspace. */
export interface WorkspaceSnapshot {
  readonly collections: readonly ObservedList[];
  readonly refused: readonly RefusedRead[];
  /** Numbers of incidents by query parameter of the incident list and resource id; undefined if the token may not count them. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
  /** Undefined if the plan removes no option, or if the token may not read incidents. */
  readonly chosen: OptionUsage | undefined;
  /** Response bodies by path. */
  readonly bodies: ReadonlyMap<string, Json>;
}

export interface SnapshotOptions {
  /** Parallel requests. */
  readonly parallelism: number;
  /** Whether to read the member of a row too. */
  readonly detail: (kind: Kind, row: Fields) => boolean;
  /** Returns the fields of incidents whose options are counted, and the object that contains them, once the rest is read. */
  readonly choices: (read: Observation) => { readonly answers: string; readonly fields: readonly string[] } | undefined;
}

/** Takes a snapshot. Kinds that this token may not read are part of the result; other errors are thrown. */
export async function takeSnapshot(
  reader: Reader,
  kinds: readonly Kind[],
  options: SnapshotOptions,
): Promise<WorkspaceSnapshot> {
  const bodies = new Map<string, Json>();
  const recording: Reader = {
    host: reader.host,
    get: async (ask) => {
      const response = await reader.get(ask);
      bodies.set(ask.path, response.body);
      return response;
    },
  };
  const refused: RefusedRead[] = [];
  let observation: Observation = NOTHING_READ;
  for (const kind of kinds) {
    if (refused.some((other) => other.kind.name === ownerKindOf(kind))) continue;
    try {
      observation = await observe(recording, kinds, [{ kind: kind.name, every: true }], {
        ...options,
        earlier: observation,
      });
    } catch (error) {
      if (!(error instanceof CannotRead)) throw error;
      const { status, message } = error.refusal;
      refused.push({ kind, status, message });
    }
  }
  const { lists: collections } = inWords(kinds, observation.lists);
  const choices = options.choices(observation);
  return {
    collections,
    refused,
    bodies,
    held: await unlessForbidden(() => incidentCounts(reader, kinds, collections, options.parallelism)),
    chosen: choices && (await unlessForbidden(() => countOptionUsage(reader, choices.answers, choices.fields))),
  };
}

/** Returns the rows of a snapshot by the path of their list, below /api/v1 and with its query. */
export function rowsByPath(
  { collections }: Pick<WorkspaceSnapshot, "collections">,
  kinds: readonly Kind[],
): Readonly<Record<string, readonly Fields[]>> {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return Object.fromEntries(
    collections.flatMap(({ kind: name, scope, rows }): readonly (readonly [string, readonly Fields[]])[] => {
      const kind = byName.get(name);
      return kind === undefined ? [] : [[addressOf(kind, scope, collections, byName), rows]];
    }),
  );
}

function addressOf(
  kind: Kind,
  scope: string,
  collections: readonly ObservedList[],
  byName: ReadonlyMap<string, Kind>,
): string {
  const parent = byName.get(ownerKindOf(kind) ?? "");
  const rows = collections.find((other) => other.kind === parent?.name && other.scope === "")?.rows ?? [];
  const row = rows.find((one) => parent?.identity.keys.some((field) => one[field] === scope) === true);
  const { path, query } = fill(kind.endpoint.list, { scope, parent: typeof row?.id === "string" ? row.id : "" });
  const search = new URLSearchParams(query).toString();
  return `${path.replace(/^\/api\/v1/, "")}${search === "" ? "" : `?${search}`}`;
}

async function incidentCounts(
  reader: Reader,
  kinds: readonly Kind[],
  collections: readonly ObservedList[],
  parallelism: number,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const queries = kinds.flatMap(({ name, references: { countedBy } = {} }) => {
    const rows = collections.filter(({ kind }) => kind === name).flatMap((collection) => collection.rows);
    return countedBy === undefined
      ? []
      : rows.flatMap(({ id }) => (typeof id === "string" ? [{ parameter: countedBy, id }] : []));
  });
  const counts = new Map<string, Map<string, number>>();
  for (let at = 0; at < queries.length; at += parallelism) {
    const some = queries.slice(at, at + parallelism);
    const numbers = await Promise.all(some.map(({ parameter, id }) => countIncidents(reader, parameter, id)));
    for (const [index, { parameter, id }] of some.entries()) {
      const ids = counts.get(parameter) ?? new Map<string, number>();
      counts.set(parameter, ids.set(id, numbers[index] ?? 0));
    }
  }
  return counts;
}

/** Returns what was read; undefined if this token may not read it. */
async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
