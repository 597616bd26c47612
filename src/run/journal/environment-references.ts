/**
 * Values from the environment in journals and saved plans. A record has a reference to the variable in place of each value, `${env:NAME}`
 * as in the files, and the value is put back when the record is read. So no such file holds a value, and none loses what its run needs.
 */

import { escapedStep, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";

/** Values of environment variables, by name. */
export type EnvironmentValues = ReadonlyMap<string, string>;

/** Characters of the shortest value to replace, as where JSON is masked: slugs and paths are likely to hold a shorter one. */
const SHORTEST = 8;
/** The member of a record that has references. */
const MARK = "references";
/** A reference, or `$${` for the text `${`. */
const REFERENCE = /\$\$\{|\$\{env:([^}]*)\}/g;

/** The record with references to the variables whose values it has, of `shortest` characters at least; the same record if it has none. */
export function withReferences(record: Json, values: EnvironmentValues, shortest: number = SHORTEST): Json {
  const known = [...values].filter(([, value]) => value.length >= shortest);
  const longestFirst = known.sort(([, left], [, right]) => right.length - left.length);
  if (!someText(record, (text) => longestFirst.some(([, value]) => text.includes(value)))) return record;
  const names = new Map(longestFirst.map(([name, value]) => [value, name]));
  const pattern = new RegExp(["${", ...names.keys()].map(escaped).join("|"), "g");
  const referring = (text: string): string =>
    text.replace(pattern, (part) => (part === "${" ? "$${" : `\${env:${names.get(part)}}`));
  const encoded = mapTexts(record, referring);
  return isFields(encoded) ? { ...encoded, [MARK]: true } : encoded;
}

/** The record with the values in place of its references, and the text of `unknown` where there is no value. */
export function withValues(
  record: Json,
  values: EnvironmentValues,
  unknown: (reference: string) => string = () => MASK,
): Json {
  if (!isFields(record) || record[MARK] !== true) return record;
  const { [MARK]: _mark, ...rest } = record;
  return mapTexts(rest, (text) =>
    text.replace(REFERENCE, (part, name?: string) => (name === undefined ? "${" : (values.get(name) ?? unknown(part)))),
  );
}

/** The names of the variables that a record refers to, sorted. */
export function referencedVariables(record: Json): readonly string[] {
  const names = new Set<string>();
  withValues(record, new Map(), (reference) => {
    names.add(reference.slice("${env:".length, -1));
    return reference;
  });
  return [...names].sort();
}

/** JSON Pointers to the texts of a record that refer to variables. */
export function referringPointers(record: Json): readonly string[] {
  const pointers: string[] = [];
  const search = (value: Json, at: string): void => {
    if (typeof value === "string") {
      if (referencedVariables({ value, [MARK]: true }).length > 0) pointers.push(at);
    } else if (value !== null && typeof value === "object") {
      for (const [name, item] of Object.entries(value)) search(item, `${at}/${escapedStep(name)}`);
    }
  };
  if (isFields(record) && record[MARK] === true) search(record, "");
  return pointers;
}

/** Whether a value is long enough to have a reference in its place. */
export function isReferable(value: string): boolean {
  return value.length >= SHORTEST;
}

function someText(value: Json, matches: (text: string) => boolean): boolean {
  if (typeof value === "string") return matches(value);
  if (isList(value)) return value.some((item) => someText(item, matches));
  return isFields(value) && Object.entries(value).some(([name, item]) => matches(name) || someText(item, matches));
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (isList(value)) return value.map((item) => mapTexts(item, change));
  if (!isFields(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)] as const);
  return Object.fromEntries(members) satisfies Fields;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
