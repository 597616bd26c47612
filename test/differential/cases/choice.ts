/** Choices by number, and the words that cases are made of: few, so that they collide. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";

/** One of several, by a number of any size; undefined if there is none. */
export function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

/** One of several. */
export function oneOf<T>(list: readonly [T, ...T[]], at: number): T {
  return list[at % list.length] as T;
}

/** Some of several: those whose bit is set. */
export function some<T>(list: readonly T[], bits: number): readonly T[] {
  return list.filter((_one, at) => Math.floor(bits / 2 ** at) % 2 === 1);
}

/** The objects in a list; empty if it is no list. */
export function rowsOf(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The texts in a list; empty if it is no list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The object without undefined members. */
export function defined(fields: Readonly<Record<string, Json | undefined>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** Names of resources. Some give the same slug, some a different one in the two styles of slugs. */
export const NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Alpha beta", "Alpha-beta", "Beta!", "Ünder 34"] as const;
/** Labels of options. */
export const LABELS = ["EU", "US", "APAC", "eu west", "Alpha", "34"] as const;
/** Names of alert sources. */
export const SOURCES = ["Datadog", "Grafana", "Alpha", `Probe & co. \${x}`] as const;
/** Names of webhooks and service keys. */
export const HOOKS = ["pager", "board", "Alpha"] as const;
/** Texts of any kind. */
export const TEXTS = ["Short.", "Two\nlines.", "Alpha", "34"] as const;
export const COLORS = ["#DC143C", "#ffa500"] as const;
export const EVENTS = ["incident.created", "incident.resolved", "lead.assigned"] as const;
export const ABILITIES = ["runbooks.read", "incidents.update", "incidents.read"] as const;
export const PERMISSIONS: readonly [Fields, ...Fields[]] = [
  { incidents: ["read"] },
  { incidents: ["create", "read"], runbooks: ["read"] },
  {},
];
export const STAGES = ["triage", "active", "closed", "canceled"] as const;

/** The slug of a name: hyphens and other characters become `_`, or are dropped if `isWord`. */
export function slugOf(name: string, isWord: boolean): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  if (isWord)
    return plain
      .trim()
      .replaceAll(/\s+/g, "_")
      .replaceAll(/[^a-z0-9_]/g, "");
  return plain.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
}
