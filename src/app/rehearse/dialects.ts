/** Chooses the dialects of the replica: the variants that services are known to differ in, as far as responses show them. */

import { isFields, isList, objectsIn } from "../../core/json.ts";
import { type Dialects, dialectChoices } from "../../emulator/dialects.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { WorkspaceSnapshot } from "./snapshot.ts";

/** A dialect with its value, and the reason for it. */
export interface ChosenDialect {
  readonly name: keyof Dialects;
  readonly value: string;
  readonly because: "answers" | "flag" | "profile" | "default";
}

/** Returns every dialect: from the flag, else from the responses, else from the profile of the service, else the interface's default. */
export function chooseDialects(
  snapshot: WorkspaceSnapshot,
  kinds: readonly Kind[],
  flags: Partial<Dialects>,
  profile: Partial<Dialects>,
): readonly ChosenDialect[] {
  const detected: Partial<Dialects> = {
    ...envelope(snapshot, kinds),
    ...conditionValues(snapshot),
    ...readable(snapshot),
  };
  return dialectChoices().map(([name, [standard = ""]]) => {
    const [flag, dialect, known] = [flags[name], detected[name], profile[name]];
    if (flag !== undefined) return { name, value: flag, because: "flag" };
    if (dialect !== undefined) return { name, value: dialect, because: "answers" };
    return known === undefined
      ? { name, value: standard, because: "default" }
      : { name, value: known, because: "profile" };
  });
}

/** The envelope of members, shown only by a collection that is itself one member. */
function envelope({ bodies }: WorkspaceSnapshot, kinds: readonly Kind[]): Partial<Dialects> {
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

/** The form of condition values: ids if any value is the id of a row, else slugs. */
function conditionValues({ collections }: WorkspaceSnapshot): Partial<Dialects> {
  const rows = collections.flatMap((collection) => collection.rows);
  const ids = new Set(rows.flatMap((row) => [row, ...objectsIn(row.options)]).flatMap(({ id }) => id ?? []));
  const values = rows
    .flatMap((row) => objectsIn(row.conditions))
    .filter(({ condition_field }) => condition_field !== undefined)
    .flatMap((condition) => (isList(condition.values) ? condition.values : []));
  if (values.length === 0) return {};
  return { condition_values: values.some((value) => ids.has(value)) ? "id" : "slug" };
}

/** The readable fields: catalog types always exist, and some services never return their colours and icons. */
function readable({ collections }: WorkspaceSnapshot): Partial<Dialects> {
  const types = collections.find(({ kind }) => kind === "catalog_types")?.rows ?? [];
  if (types.length === 0) return {};
  return { readable: types.some((type) => type.icon !== undefined || type.color !== undefined) ? "full" : "partial" };
}
