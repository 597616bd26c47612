/**
 * Values from the environment in the rules of journals. A record has the text of the files in place of each value, such as `${env:NAME}`, and
 * the value is put back when an undo needs it. So no journal holds a value, and none loses what an undo needs.
 */

import { escapedStep, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";

/** Values of environment variables, by name. */
export type EnvironmentValues = ReadonlyMap<string, string>;

/** The member of a record that has references. */
const MARK = "references";
/** A reference, or `$${` for the text `${`. */
const REFERENCE = /\$\$\{|\$\{env:([^}]*)\}/g;

/** The text of a template that is no reference. */
export function literal(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** The fields whose texts are templates. */
export function asTemplate(fields: Fields): Fields {
  return { ...fields, [MARK]: true };
}

/** The record with the values in place of its references, and the mask where there is no value. */
export function withValues(record: Json, values: EnvironmentValues): Json {
  if (!isFields(record) || record[MARK] !== true) return record;
  const { [MARK]: _mark, ...rest } = record;
  return mapTexts(rest, "", (text) =>
    text.replace(REFERENCE, (_part, name?: string) => (name === undefined ? "${" : (values.get(name) ?? MASK))),
  );
}

/** JSON Pointers to the texts of a record that refer to variables. */
export function referringPointers(record: Json): readonly string[] {
  const pointers: string[] = [];
  const search = (value: Json, at: string): void => {
    if (typeof value === "string") {
      if ([...value.matchAll(REFERENCE)].some(([, name]) => name !== undefined)) pointers.push(at);
    } else if (value !== null && typeof value === "object") {
      for (const [name, item] of Object.entries(value)) search(item, `${at}/${escapedStep(name)}`);
    }
  };
  if (isFields(record) && record[MARK] === true) search(record, "");
  return pointers;
}

/** The value at a JSON Pointer with each of its texts changed. */
export function mapTexts(value: Json, at: string, change: (text: string, pointer: string) => string): Json {
  if (typeof value === "string") return change(value, at);
  if (isList(value)) return value.map((item, index) => mapTexts(item, `${at}/${index}`, change));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, `${at}/${escapedStep(name)}`, change)]),
  );
}
