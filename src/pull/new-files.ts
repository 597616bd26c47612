/** Files for kinds that nobody has declared yet: what is live, in the words of the configuration. */

import { type UnrepresentableValue, unrepresentable } from "../config/edit/representable.ts";
import { documentText } from "../config/edit/yaml-writer.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { kinds } from "../kinds/index.ts";
import { childrenOf, type Kind } from "../kinds/kind.ts";
import type { LiveResource } from "../kinds/resource.ts";
import type { ResolvedState } from "../match/resolved-state.ts";
import { type FileFields, newResourceFields } from "./desired-files.ts";

/** Something live that is left out, and why. */
export interface LeftOut {
  readonly address: string;
  /** JSON Pointer into the entry; empty: all of it. */
  readonly path: string;
  readonly reason: string;
}

/** The contents of a new file. */
export interface FreshFile {
  readonly room: string;
  readonly text: string;
  readonly lists: readonly FreshList[];
}

/** The entries of a list, by their addresses, and where it stands in its file. */
export interface FreshList {
  readonly path: readonly string[];
  readonly addresses: readonly string[];
  /** Of the entries that lie in them. */
  readonly inside: readonly string[];
}

/** New files for kinds, one for each room; an empty list is left out, so that its kind is not managed. */
export function freshFiles(
  wanted: readonly Kind[],
  state: ResolvedState,
  stated: FileFields,
  left: LeftOut[],
  refused: ReadonlySet<string>,
): readonly FreshFile[] {
  const rooms = [...new Set(wanted.map(({ module: room }) => room))];
  return rooms.flatMap((room) => {
    const own = wanted.filter((kind) => kind.module === room);
    const lists: FreshList[] = [];
    const found = own.flatMap((kind) => {
      const value = freshKind(kind, state, stated, left, refused, lists);
      return value === undefined ? [] : [[kind.name, value] as const];
    });
    return found.length === 0 ? [] : [{ room, text: documentText(Object.fromEntries(found)), lists }];
  });
}

function freshKind(
  kind: Kind,
  state: ResolvedState,
  stated: FileFields,
  left: LeftOut[],
  refused: ReadonlySet<string>,
  told: FreshList[],
): Json | undefined {
  const known = kind.scopes?.names ?? [];
  const found = new Set(state.all(kind.name).map(({ scope }) => scope));
  const scopes = [...known.filter((scope) => found.delete(scope)), ...found];
  const inner = childrenOf(kinds, kind);
  const lists = scopes.map((scope) => {
    const listed = freshList(kind, scope, state, stated);
    const entries = listed.map(([live, fields]) => sayable(live, fields, left, refused));
    const nested = listed.flatMap(([{ key }]) => inner.flatMap(({ name }) => state.live(name, key) ?? []));
    return {
      path: pathOf(kind, scope),
      entries,
      addresses: listed.map(([{ address }]) => address),
      inside: nested.map(({ address }) => address),
    };
  });
  // What is not listed would be taken away: a kind with an entry that cannot be written is not managed.
  if (lists.some(({ entries }) => entries.includes(undefined))) return undefined;
  const filled = lists.filter(({ entries }) => entries.length > 0);
  told.push(...filled);
  return filled.reduce<Json | undefined>(
    (all, { path, entries }) => put(all, path.slice(1), present(entries)),
    undefined,
  );
}

function present(entries: readonly (Fields | undefined)[] | undefined): readonly Fields[] {
  return (entries ?? []).filter((entry) => entry !== undefined);
}

/** The value with a list put in where the path leads. */
function put(value: Json | undefined, [first, ...rest]: readonly string[], list: Json): Json {
  if (first === undefined) return list;
  const fields = isFields(value) ? value : {};
  return { ...fields, [first]: put(fields[first], rest, list) };
}

/** Where a list stands in a file. */
export function pathOf({ name, scopes }: Kind, scope: string): readonly string[] {
  if (scopes === undefined) return [name];
  const pattern = scopes.patterns.find((one) => one.includes("*") === (scope !== "")) ?? "";
  const steps = pattern.slice(1).split("/");
  return [name, ...steps.map((step) => (step === "*" ? scope : step))];
}

/** Live entries with what a file would say of them, nested ones included. */
function freshList(
  kind: Kind,
  scope: string,
  state: ResolvedState,
  stated: FileFields,
): readonly (readonly [LiveResource, Fields])[] {
  const live = state.live(kind.name, scope) ?? [];
  const inner = childrenOf(kinds, kind);
  return live.flatMap((entry) => {
    const twin = live.filter(({ key }) => key === entry.key).length > 1;
    const fields = newResourceFields(entry, stated(entry), { twin, nests: inner.length > 0 });
    return withInner(entry, fields, inner, state, stated);
  });
}

/** An entry with the entries that lie in it. */
export function withInner(
  entry: LiveResource,
  fields: Fields,
  inner: readonly Kind[],
  state: ResolvedState,
  stated: FileFields,
): readonly (readonly [LiveResource, Fields])[] {
  const nested = inner.flatMap((kind) => {
    if (state.live(kind.name, entry.key) === undefined || kind.parent === undefined) return [];
    const list = freshList(kind, entry.key, state, stated).map(([, own]) => own);
    return [[kind.parent.field, list] as const];
  });
  const isBuiltin = inner.length > 0 && entry.kind.lifecycle.builtins?.matches?.(entry.row) === true;
  if (isBuiltin && nested.every(([, list]) => list.length === 0)) return [];
  return [[entry, { ...fields, ...Object.fromEntries(nested) }]];
}

/** The entry without what no file can say; undefined when that is its identity. */
export function sayable(
  { kind, address, keyField }: LiveResource,
  fields: Fields,
  left: LeftOut[],
  refused: ReadonlySet<string> = new Set(),
): Fields | undefined {
  const asked = [...refused].flatMap((name): readonly UnrepresentableValue[] => {
    const [at = "", pointer = ""] = name.split("#");
    return at === address ? [{ pointer, reason: "it mentions what no file can say" }] : [];
  });
  const found = [...unrepresentable(kind, fields), ...asked];
  const drop = new Set<string>();
  let lost = false;
  for (const { pointer, reason } of found) {
    const [, name = "", at, inner] = pointer.split("/");
    const list = fields[name];
    const nested = isList(list) && inner !== undefined ? nestedKind(kind, name) : undefined;
    const path = nested === undefined ? `/${name}` : `/${name}/${at}/${inner}`;
    lost ||= nested === undefined ? name === "" || name === keyField : nested.identity.keys.includes(inner ?? "");
    if (drop.has(path)) continue;
    drop.add(path);
    left.push({ address, path: name === "" ? "" : path, reason });
  }
  if (lost) return undefined;
  return [...drop].reduce((rest, path) => without(rest, path.split("/").slice(1)) as Fields, fields);
}

function nestedKind(kind: Kind, name: string): Kind | undefined {
  return childrenOf(kinds, kind).find(({ parent }) => parent?.field === name);
}

function without(value: Json, [first = "", ...rest]: readonly string[]): Json {
  if (isList(value)) return value.map((item, at) => (String(at) === first ? without(item, rest) : item));
  if (!isFields(value)) return value;
  const { [first]: found, ...others } = value;
  if (found === undefined || rest.length === 0) return others;
  return { ...value, [first]: without(found, rest) };
}
