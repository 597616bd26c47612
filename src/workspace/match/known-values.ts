/**
 * Live values in the words of the files. A service may answer a value of a closed list in another case or notation, such as ACTIVE or
 * "in-progress", true or false as a word or a number, null for false, and a list of one text as the text. The schema of the kind tells
 * where such values are.
 */

import { hasSchema, partAt, resourceSchema, type SchemaPart, typesOf } from "../../config/schema/schema.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, textsIn } from "../../core/json.ts";
import { type Kind, wireNamesOf } from "../../kinds/model/kind.ts";
import { booleanOf } from "../../kinds/values/sameness.ts";
import type { ObservedList } from "./observation.ts";

/** Gives a value in the words of the files: itself, where it is in them. */
type Reading = (value: Json) => Json;

/** Lists in the words of the files. A value that is none of the known ones stays as it is. */
interface WordedLists {
  readonly lists: readonly ObservedList[];
  /** Rows that were answered in other words → as they were answered. */
  readonly answered: ReadonlyMap<Fields, Fields>;
}

/** Gives lists that were read in the words of the files. */
export function inWords(kinds: readonly Kind[], observed: readonly ObservedList[]): WordedLists {
  const names = new Set(observed.flatMap(({ kind, rows }) => (rows.length === 0 ? [] : [kind])));
  const seen = kinds.filter(({ name }) => names.has(name));
  const readings = new Map(seen.map((kind) => [kind.name, { kind, read: rowReading(kind, kinds) }]));
  const answered = new Map<Fields, Fields>();
  const lists = observed.map((list): ObservedList => {
    const { kind, read } = readings.get(list.kind) ?? {};
    if (kind === undefined || read === undefined) return list;
    const mark = defaultMember(kind, list.rows);
    const rows = list.rows.map((row) => {
      const known = read(mark === undefined || mark in row ? row : { ...row, [mark]: false });
      if (known !== row) answered.set(known, row);
      return known;
    });
    return { ...list, rows };
  });
  return { lists, answered };
}

/** The member that tells the default of a list, of which one row is. A service may leave out of the others that they are not. */
function defaultMember(kind: Kind, rows: readonly Fields[]): string | undefined {
  const { exclusive } = kind.lifecycle;
  const wires = exclusive === undefined ? [] : wireNamesOf(kind, exclusive);
  return wires.find((wire) => rows.some((row) => booleanOf(row[wire] ?? false) === true));
}

/** Returns the function that gives rows of a kind in the words of the files. */
export function rowReading(kind: Kind, kinds: readonly Kind[]): (row: Fields) => Fields {
  if (!hasSchema(kind.module)) return (row) => row;
  const schema = resourceSchema(kind);
  const readings = Object.keys(fieldsIn(schema.part.properties)).flatMap((field) => {
    const known = kind.fields?.[field]?.knownValues?.(kinds) ?? [];
    const reading = readingOf(partAt(schema, field), known);
    return reading === undefined ? [] : wireNamesOf(kind, field).map((wire) => [wire, reading] as const);
  });
  return (row) => withMembers(row, readings);
}

/** The function that gives the values of a part of a schema; undefined if all of them stay as they are. */
function readingOf(schema: SchemaPart | undefined, suggested: readonly string[] = []): Reading | undefined {
  if (schema === undefined) return undefined;
  const { properties, enum: closed } = schema.part;
  if (typesOf(schema).join() === "boolean") return (value) => booleanOf(value ?? false);
  const known = closed === undefined ? suggested : textsIn(closed);
  if (known.length > 0 && typesOf(schema).includes("string")) return (value) => knownText(value, known);
  const others = readingOf(partAt(schema, ""), suggested);
  const members = Object.keys(fieldsIn(properties)).flatMap((name) => {
    const reading = readingOf(partAt(schema, name));
    return reading === undefined ? [] : [[name, reading] as const];
  });
  const isOfTexts = typesOf(schema).join() === "array" && typesOf(partAt(schema, "")).join() === "string";
  if (others === undefined && members.length === 0 && !isOfTexts) return undefined;
  return (answered) => {
    const value = isOfTexts && typeof answered === "string" && answered !== "" ? [answered] : answered;
    if (isList(value)) return others === undefined ? value : sameOr(value, value.map(others));
    if (!isFields(value)) return value;
    const open = others === undefined ? [] : Object.keys(value).map((name) => [name, others] as const);
    return withMembers(value, [...open, ...members]);
  };
}

/** The list that was read, where all its items are as they were. */
function sameOr(value: readonly Json[], read: readonly Json[]): readonly Json[] {
  return read.every((item, at) => item === value[at]) ? value : read;
}

function withMembers(fields: Fields, readings: readonly (readonly [name: string, reading: Reading])[]): Fields {
  let read: Record<string, Json> | undefined;
  for (const [name, reading] of readings) {
    const value = fields[name];
    const known = value === undefined ? undefined : reading(value);
    if (known === undefined || known === value) continue;
    read ??= { ...fields };
    read[name] = known;
  }
  return read ?? fields;
}

/** The known value that a text is in another case or notation. */
function knownText(value: Json, known: readonly string[]): Json {
  if (typeof value !== "string" || known.includes(value)) return value;
  const letters = lettersOf(value);
  return known.find((one) => lettersOf(one) === letters) ?? value;
}

/** The letters and digits of a name, in lower case. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
