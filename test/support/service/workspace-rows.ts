/** The configuration of a service as rows, with names in place of ids: two services with equal rows differ in ids and tokens alone. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { fill } from "../../../src/core/route.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";

/** Sends a GET and returns the body. */
type Get = (path: string) => Promise<unknown>;

/** Fields that a service makes: ids, tokens and times; and the numbers of an order, which `orders` compares. */
const MADE =
  /^(id|.*_id|token|tokens|prefix|endpoint_path|url_path|webhook_url|ingest_url|secret|.*_at|external_id|position|rank)$/;

/** A row, its address in the test, and its place in its list. */
interface Row {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly row: Fields;
}

/** Every row of the service by `kind scope key`, as text. In the order of their lists. */
export async function workspaceRows(get: Get): Promise<ReadonlyMap<string, string>> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    for (const { scope, parent } of scopesOf(kind, rows)) rows.push(...(await readRows(get, kind, scope, parent)));
  }
  const names = new Map(
    rows.flatMap(({ kind, scope, key, row }) => [
      ...(typeof row.id === "string" ? [[row.id, `${kind.name} ${scope} ${key}`] as const] : []),
      ...optionsOf(row).map(({ id, label }) => [String(id), `${kind.name} ${key} ${String(label)}`] as const),
    ]),
  );
  const named = (value: Json): Json => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (isList(value)) return value.map(named);
    if (!isFields(value)) return value;
    const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const isReference = typeof member === "string" && names.has(member) && name !== "id";
      return MADE.test(name) && !isReference ? [] : [[name, named(member)]];
    });
    return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)));
  };
  return new Map(rows.map(({ kind, scope, key, row }) => [`${kind.name} ${scope} ${key}`, JSON.stringify(named(row))]));
}

/** The lists of a kind; `parent` is the row that a list belongs to. */
function scopesOf(kind: Kind, rows: readonly Row[]): readonly { readonly scope: string; readonly parent?: Fields }[] {
  const owner = kind.parent?.kind ?? kind.scopes?.kind;
  const owned = rows.filter((row) => row.kind.name === owner).map(({ key, row }) => ({ scope: key, parent: row }));
  if (kind.parent !== undefined) return owned;
  if (kind.scopes === undefined) return [{ scope: "" }];
  const isPlain = kind.scopes.patterns.some((pattern) => !pattern.includes("*"));
  return [...(isPlain ? [{ scope: "" }] : []), ...(kind.scopes.names ?? []).map((scope) => ({ scope })), ...owned];
}

async function readRows(get: Get, kind: Kind, scope: string, parent: Fields | undefined): Promise<readonly Row[]> {
  const { path, query } = fill(kind.endpoint.list, { scope, parent: String(parent?.id) });
  const more = { ...query, include_disabled: "true", per_page: "100" };
  const body = (await get(`${path}?${new URLSearchParams(more)}`)) as Fields;
  const inner = Object.values(body).find(isFields);
  const list = [...Object.values(body), ...Object.values(inner ?? {})].find(isList) ?? [];
  return list.filter(isFields).map((row, index): Row => {
    const isRanked = kind.lifecycle.order === "rank";
    const key = [...kind.identity.keys, "slug"].map((name) => row[name]).find((name) => typeof name === "string");
    // A deleted rule leaves a gap in the priorities, which means nothing, and a source's slug is its path.
    const { priority, slug, ...rest } = row;
    const isOwnSlug = kind.identity.keys.includes("slug") || kind.endpoint.keyInBody === true;
    const fields = {
      ...rest,
      ...(isRanked ? {} : { priority: priority ?? null }),
      ...(isOwnSlug ? { slug: slug ?? null } : {}),
    };
    return { kind, scope, key: isRanked ? String(index + 1) : String(key ?? JSON.stringify(row)), row: fields };
  });
}

function optionsOf({ options }: Fields): readonly Fields[] {
  return (isList(options) ? options : []).filter(isFields).filter(({ id }) => typeof id === "string");
}
