/** Lenient access to the rows of a service's responses, with a note for every value that has to be invented. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../core/json.ts";
import type { ServiceContext } from "./service-context.ts";

/** Lists of the interface, by path below /api/v1 with its query. */
export type WorkspaceRows = Readonly<Record<string, readonly Fields[]>>;

/** The context of loading a replica. */
export interface ReplicaLoad {
  readonly service: ServiceContext;
  readonly rows: WorkspaceRows;
  /** Invented and omitted values, as sentences without a full stop. */
  readonly notes: Set<string>;
}

/** The rows of a path; undefined if it was not read. */
export function rowsAt({ rows }: ReplicaLoad, path: string): readonly Fields[] | undefined {
  return Object.hasOwn(rows, path) ? rows[path] : undefined;
}

/** The first text among the named properties. */
export function textOf(row: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The first boolean among the named properties. */
export function flagOf(row: Fields, fallback: boolean, ...names: readonly string[]): boolean {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "boolean") return value;
  }
  return fallback;
}

/** The whole number of a property; `otherwise` for anything else. */
export function numberOf(row: Fields, name: string, fallback: number): number {
  const value = row[name];
  return typeof value === "number" ? Math.trunc(value) : fallback;
}

/** The row's id; a new one, with a note, if the service does not return it. */
export function idOf({ notes }: ReplicaLoad, row: Fields, noun: string): string {
  const id = textOf(row, "id");
  if (id === undefined) notes.add(`the service does not return the ids of ${noun}; the replica has its own`);
  return id ?? randomUUID();
}
