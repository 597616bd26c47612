/** Which way this service goes where services are known to differ, as far as its answers tell. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { type Dialects, dialectChoices } from "../emulator/dialects.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Snapshot } from "./snapshot.ts";

/** One choice, and why it was made. */
export interface ChosenDialect {
  readonly name: keyof Dialects;
  readonly value: string;
  readonly because: "answers" | "flag" | "default";
}

/** Every dialect: the flag's word, else what the answers tell, else the interface's word. */
export function chooseDialects(
  snapshot: Snapshot,
  kinds: readonly Kind[],
  flags: Partial<Dialects>,
): readonly ChosenDialect[] {
  const told: Partial<Dialects> = {
    ...envelope(snapshot, kinds),
    ...conditionValues(snapshot),
    ...readable(snapshot),
  };
  return dialectChoices().map(([name, [standard = ""]]) => {
    const [flag, answer] = [flags[name], told[name]];
    if (flag !== undefined) return { name, value: flag, because: "flag" };
    return answer === undefined
      ? { name, value: standard, because: "default" }
      : { name, value: answer, because: "answers" };
  });
}

/** Only a collection that is itself one member shows how members are wrapped. */
function envelope({ bodies }: Snapshot, kinds: readonly Kind[]): Partial<Dialects> {
  for (const {
    endpoint: {
      list: collection,
      member,
      envelope: { list },
    },
  } of kinds) {
    if (collection.path !== member.path) continue;
    const begin = `/api/v1${collection.path.split("{")[0]}`;
    const [body] = [...bodies].flatMap(([path, body]) => (path.startsWith(begin) ? [body] : []));
    if (isFields(body)) return { envelope: isList(body[list]) ? "bare" : "wrapped" };
  }
  return {};
}

/** Conditions whose values are ids of something that was read. */
function conditionValues({ collections }: Snapshot): Partial<Dialects> {
  const rows = collections.flatMap((collection) => collection.rows);
  const ids = new Set(rows.flatMap((row) => [row, ...objectsIn(row.options)]).flatMap(({ id }) => id ?? []));
  const values = rows
    .flatMap((row) => objectsIn(row.conditions))
    .filter(({ condition_field }) => condition_field !== undefined)
    .flatMap((condition) => (isList(condition.values) ? condition.values : []));
  if (values.length === 0) return {};
  return { condition_values: values.some((value) => ids.has(value)) ? "id" : "slug" };
}

/** The catalog types are always there, and their colours and icons are among what some services never tell. */
function readable({ collections }: Snapshot): Partial<Dialects> {
  const types = collections.find(({ kind }) => kind === "catalog_types")?.rows ?? [];
  if (types.length === 0) return {};
  return { readable: types.some((type) => type.icon !== undefined || type.color !== undefined) ? "full" : "partial" };
}

function objectsIn(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}
