/** Reads the whole live workspace, as far as the token may see it: every kind, and how many incidents hold what. Sends GET only. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead } from "../api/read/cannot-read.ts";
import { ServiceError } from "../api/read/service-error.ts";
import type { Fields, Json } from "../core/json.ts";
import { fill } from "../core/route.ts";
import { type Kind, ownerKindOf } from "../kinds/kind.ts";
import type { OptionUsage } from "../match/incident-usage.ts";
import { NOTHING_READ, type Observation, type ObservedList } from "../match/observation.ts";
import { countIncidents, countOptionUsage } from "../refresh/incident-usage.ts";
import { observe } from "../refresh/observe.ts";

/** A kind that the service does not show to this token, and how it says so. */
export interface RefusedRead {
  readonly kind: Kind;
  readonly status: number;
  readonly message: string;
}

/** The live workspace. */
export interface Snapshot {
  readonly collections: readonly ObservedList[];
  readonly refused: readonly RefusedRead[];
  /** Incidents by the query parameter of the incident list and the entry's id; undefined when they may not be counted. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
  /** Undefined when the plan takes no choice away, or when incidents may not be read. */
  readonly chosen: OptionUsage | undefined;
  /** Answers as they came, by path. */
  readonly bodies: ReadonlyMap<string, Json>;
}

/** How to read. */
export interface SnapshotOptions {
  /** Requests in flight at a time. */
  readonly parallelism: number;
  /** Rows whose member is read as well. */
  readonly detail: (kind: Kind, row: Fields) => boolean;
  /** Fields of incidents whose choices are to be counted, once the rest is known: all in the object of this name. */
  readonly choices: (read: Observation) => { readonly answers: string; readonly fields: readonly string[] } | undefined;
}

/** Reads everything. Throws what a reader throws, but for what this token may not see: that is part of the result. */
export async function takeSnapshot(
  reader: Reader,
  kinds: readonly Kind[],
  options: SnapshotOptions,
): Promise<Snapshot> {
  const bodies = new Map<string, Json>();
  const remembering: Reader = {
    host: reader.host,
    get: async (ask) => {
      const answer = await reader.get(ask);
      bodies.set(ask.path, answer.body);
      return answer;
    },
  };
  const refused: RefusedRead[] = [];
  let already: Observation = NOTHING_READ;
  for (const kind of kinds) {
    if (refused.some((other) => other.kind.name === ownerKindOf(kind))) continue;
    try {
      already = await observe(remembering, kinds, [{ kind: kind.name, every: true }], { ...options, already });
    } catch (error) {
      if (!(error instanceof CannotRead)) throw error;
      const { status, message } = error.refusal;
      refused.push({ kind, status, message });
    }
  }
  const { lists: collections } = already;
  const choices = options.choices(already);
  return {
    collections,
    refused,
    bodies,
    held: await seen(() => counts(reader, kinds, collections, options.parallelism)),
    chosen: choices && (await seen(() => countOptionUsage(reader, choices.answers, choices.fields))),
  };
}

/** The rows of a snapshot by the path at which they are listed, below /api/v1 and with its query. */
export function rowsByPath(
  { collections }: Pick<Snapshot, "collections">,
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

async function counts(
  reader: Reader,
  kinds: readonly Kind[],
  collections: readonly ObservedList[],
  parallelism: number,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const asked = kinds.flatMap(({ name, references: { countedBy } = {} }) => {
    const rows = collections.filter(({ kind }) => kind === name).flatMap((collection) => collection.rows);
    return countedBy === undefined
      ? []
      : rows.flatMap(({ id }) => (typeof id === "string" ? [{ parameter: countedBy, id }] : []));
  });
  const found = new Map<string, Map<string, number>>();
  for (let at = 0; at < asked.length; at += parallelism) {
    const some = asked.slice(at, at + parallelism);
    const numbers = await Promise.all(some.map(({ parameter, id }) => countIncidents(reader, parameter, id)));
    for (const [index, { parameter, id }] of some.entries()) {
      const ids = found.get(parameter) ?? new Map<string, number>();
      found.set(parameter, ids.set(id, numbers[index] ?? 0));
    }
  }
  return found;
}

/** What this token may see, undefined when the service does not show it. */
async function seen<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
