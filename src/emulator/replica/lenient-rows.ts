/** How the answers of a service are read for a replica: leniently, with a note wherever something had to be made up. */

import { randomUUID } from "node:crypto";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Service } from "../service-context.ts";

/** Lists as the interface answers them, by the path below /api/v1, with its query where it has one. */
export type WorkspaceRows = Readonly<Record<string, readonly Fields[]>>;

/** What loading is given. */
export interface Loading {
  readonly service: Service;
  readonly rows: WorkspaceRows;
  /** What was made up or left out, in sentences without their full stop. */
  readonly notes: Set<string>;
}

/** The rows of a path that was read; undefined for one that was not. */
export function rowsAt({ rows }: Loading, path: string): readonly Fields[] | undefined {
  return Object.hasOwn(rows, path) ? rows[path] : undefined;
}

/** The text under the first of the names that holds one. */
export function textOf(row: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The text, or null for anything else. */
export function textOrNull(row: Fields, name: string): string | null {
  return textOf(row, name) ?? null;
}

/** The truth value under the first of the names that holds one. */
export function flagOf(row: Fields, otherwise: boolean, ...names: readonly string[]): boolean {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "boolean") return value;
  }
  return otherwise;
}

/** The whole number, or the other value for anything else. */
export function numberOf(row: Fields, name: string, otherwise: number): number {
  const value = row[name];
  return typeof value === "number" ? Math.trunc(value) : otherwise;
}

/** The objects of the list under the name. */
export function objectsIn(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The texts of the list under the name. */
export function textsIn(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The object, empty for anything else. */
export function objectOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

/** The row's own id; a new one, with a note, where the service does not tell it. */
export function idOf({ notes }: Loading, row: Fields, noun: string): string {
  const id = textOf(row, "id");
  if (id === undefined) notes.add(`the service does not tell the ids of ${noun}; the replica has its own`);
  return id ?? randomUUID();
}
