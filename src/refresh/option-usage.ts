/** Which choices incidents hold: every incident is read once, and only counts are kept. */

import type { Reader } from "../api/http/connection.ts";
import { readList } from "../api/read/list.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Tally } from "../match/observation.ts";

/** Counts, over all incidents, the values of the fields asked for in the object `answers` of each incident. */
export async function tallyIncidents(reader: Reader, answers: string, fields: readonly string[]): Promise<Tally> {
  const ask = { path: "/api/v1/incidents", purpose: "incidents" } as const;
  const rows = await readList((one) => reader.get(one), { ask, list: "incidents", paginated: true, identity: ["id"] });
  return new Map(fields.map((field) => [field, counted(rows.map((row) => chosen(row, answers, field)))]));
}

function chosen(row: Fields, answers: string, field: string): readonly string[] {
  const given = row[answers];
  const values: Json | undefined = isFields(given) && Object.hasOwn(given, field) ? given[field] : undefined;
  const list = isList(values) ? values : values === undefined || values === null ? [] : [values];
  return [...new Set(list.flatMap(words))];
}

/** A choice as text: its label, its id, or both where the service tells both. */
function words(value: Json): readonly string[] {
  return isFields(value)
    ? [value.label, value.id].flatMap((part) => (typeof part === "string" ? [part] : []))
    : [String(value)];
}

function counted(incidents: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of incidents.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
