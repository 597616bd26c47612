/** Differences between two plans, and between two snapshots of a workspace. */

import { equal, type Fields, isFields, isList, type Json, objectsIn } from "../../core/json.ts";
import { counted, thousands } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Operation } from "../../plan/model/plan.ts";
import type { ObservedList } from "../../workspace/match/observation.ts";

/** A difference between two values. */
export interface Difference {
  /** JSON Pointer into both. */
  readonly at: string;
  /** Undefined if this side has no value. */
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** Returns the first difference between two lists of operations, byte for byte; undefined if they are equal. */
export function firstDifference(left: readonly Operation[], right: readonly Operation[]): Difference | undefined {
  if (JSON.stringify(left) === JSON.stringify(right)) return undefined;
  return (
    compareValues(asJson(left), asJson(right), "/operations") ?? {
      at: "/operations",
      left: undefined,
      right: undefined,
    }
  );
}

function compareValues(left: Json | undefined, right: Json | undefined, at: string): Difference | undefined {
  if (left === right) return undefined;
  if (isList(left) && isList(right)) return compareMembers(entriesOf(left), entriesOf(right), at);
  if (isFields(left) && isFields(right)) return compareMembers(Object.entries(left), Object.entries(right), at);
  return { at, left, right };
}

type Members = readonly (readonly [name: string, value: Json])[];

function compareMembers(left: Members, right: Members, at: string): Difference | undefined {
  const others = new Map(right);
  const own = new Map(left);
  for (const name of new Set([...own.keys(), ...others.keys()])) {
    const differences = compareValues(own.get(name), others.get(name), `${at}/${name}`);
    if (differences !== undefined) return differences;
  }
  return undefined;
}

function entriesOf(list: readonly Json[]): Members {
  return list.map((item, index) => [String(index), item]);
}

function asJson(value: readonly Operation[]): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Describes rows of the replica that differ from the live ones, a line for each kind and field. */
export function replicaDifferences(live: readonly ObservedList[], replica: readonly ObservedList[]): readonly string[] {
  const counts = new Map<string, number>();
  const note = (text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { kind, scope, rows } of live) {
    const other = replica.find((one) => one.kind === kind && one.scope === scope)?.rows ?? [];
    const where = scope === "" ? kind : `${kind} of "${scope}"`;
    if (rows.length !== other.length) note(`${where}: ${rows.length} live, ${other.length} in the replica`);
    for (const [index, row] of rows.entries()) {
      for (const [name, value] of Object.entries(row)) {
        const copy = other[index]?.[name];
        if (copy === undefined || !equal(value, copy)) note(`${kind}: the field ${name} of {rows}`);
      }
    }
  }
  return [...counts].map(([text, count]) => text.replace("{rows}", counted(count, "resource")));
}

/** Keys of the resources in each collection; empty for resources that are identified by their position. */
export type Inventory = ReadonlyMap<string, readonly string[]>;

/** Returns the inventory of a snapshot. */
export function inventoryOf(collections: readonly ObservedList[], kinds: readonly Kind[]): Inventory {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return new Map(
    collections.map(({ kind: name, scope, rows }) => {
      const kind = byName.get(name);
      const keys = rows.map((row) => (kind === undefined ? "" : keyOf(kind, row))).sort();
      return [scope === "" ? name : `${name} of "${scope}"`, keys];
    }),
  );
}

/** Returns the prefixes of all valid tokens: a resource has the prefix of its only token, or a list of tokens. */
export function tokensIn(collections: readonly ObservedList[], kinds: readonly Kind[]): readonly string[] {
  return collections.flatMap(({ kind: name, rows }) => {
    const kind = kinds.find((one) => one.name === name);
    if (kind?.lifecycle.secret?.field === undefined) return [];
    const list = kind.lifecycle.secret?.tokens?.list;
    const named = list === undefined ? rows : rows.flatMap((row) => objectsIn(row[list]));
    return named.flatMap(({ prefix }) => (typeof prefix === "string" ? [prefix] : []));
  });
}

/** Describes how an inventory differs from the expected one. */
export function inventoryDifferences(expected: Inventory, actual: Inventory): readonly string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((name): readonly string[] => {
    const [before, after] = [expected.get(name) ?? [], actual.get(name) ?? []];
    if (before.join("\n") === after.join("\n") && before.length === after.length) return [];
    const twice = after.filter((key, at) => key !== "" && after.indexOf(key) !== at);
    const extra = after.filter((key) => !before.includes(key));
    const missing = before.filter((key) => !after.includes(key));
    const parts = [
      ...(twice.length > 0 ? [`duplicates: ${[...new Set(twice)].join(", ")}`] : []),
      ...(extra.length > 0 ? [`unexpected: ${extra.join(", ")}`] : []),
      ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ];
    return [
      [`${name} has ${counted(after.length, "resource")} instead of ${thousands(before.length)}`, ...parts].join("; "),
    ];
  });
}

function keyOf(kind: Kind, row: Fields): string {
  const names = [...kind.identity.keys.flatMap((field) => kind.fields?.[field]?.wireNames ?? [field]), "slug"];
  const value =
    kind.identity.keys.length === 0 ? undefined : names.map((name) => row[name]).find((key) => typeof key === "string");
  return typeof value === "string" ? value : "";
}
