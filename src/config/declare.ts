/** Lifts the entries out of the lists: values resolved, held against their schema, and cut into kinds. */

import type { Location } from "../diagnostic.ts";
import { bare, type Fields, isFields, type Json } from "../json.ts";
import type { Kind } from "../kinds/kind.ts";
import { LIFECYCLE } from "../kinds/kind.ts";
import { addressOf, type Covered, type Declared } from "../kinds/resource.ts";
import { explain } from "./explain.ts";
import type { Findings } from "./findings.ts";
import { type Heading, headingOf, nestedList, type OwnedList } from "./lists.ts";
import { READ_ONLY, SECRET_KEYS } from "./read-only.ts";
import { entrySchema } from "./schema.ts";
import type { Source } from "./source.ts";
import { spotOf } from "./spot.ts";
import { escaped, follow, type Node, placeOf, steps, textOf } from "./tree.ts";
import { violations } from "./validator.ts";
import { evaluate, type Resolver, type Value } from "./value.ts";

/** What the lists declare. */
export interface Lifted {
  /** Nested lists follow the list that holds their entry. */
  readonly lists: readonly Heading[];
  /** Entries that can be told from others, in file order. */
  readonly entries: readonly Entry[];
}

/** A declared entry. */
export interface Entry {
  readonly declared: Declared;
  /** Whether its schema holds, so that rules may rely on the shape of its fields. */
  readonly sound: boolean;
}

/** What the lifting needs besides the lists. */
export interface Lifting {
  readonly kinds: readonly Kind[];
  readonly substitutions: Resolver;
  readonly findings: Findings;
}

/**
 * Lifts every entry of the lists; the places of a ranked list that is split over files are counted through, by `counts`,
 * where not all are lifted at once.
 */
export function lift(lists: readonly OwnedList[], lifting: Lifting, counts: Map<string, number> = new Map()): Lifted {
  const all: Heading[] = [];
  const entries: Entry[] = [];
  for (const list of lists) {
    all.push(headingOf(list));
    const name = `${list.kind}\n${list.scope}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + list.items.length);
    const parts = partsOf(list.of, lifting.kinds);
    for (const [index, node] of list.items.entries()) {
      const value = evaluated(node, list, lifting);
      const broken = check(node, value, list, lifting.findings);
      const shared = {
        json: value.json,
        broken: broken.length === 0 ? NONE : new Set(broken.map((pointer) => ownerOf(pointer, list.of, lifting.kinds))),
        secrets: grouped(value.secrets, list.of, lifting.kinds),
      };
      liftEntry({ list, node, base: "", shared, place: before + index + 1 }, parts, lifting, all, entries);
    }
  }
  return { lists: all, entries };
}

/** What an entry and those nested in it have in common. */
interface Shared {
  readonly json: Json;
  /** JSON Pointers to the entries that break the schema. */
  readonly broken: ReadonlySet<string>;
  /** JSON Pointers of values from the environment, by the entry that they are in. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
}

/** An entry on its way: its tree, and where it stands in the value that was checked. */
interface Raw {
  readonly list: OwnedList;
  readonly node: Node;
  /** JSON Pointer to it from the entry that holds it; empty at the top. */
  readonly base: string;
  readonly shared: Shared;
  /** In its list, counted from 1. */
  readonly place: number;
}

function evaluated(node: Node, list: OwnedList, { substitutions, findings }: Lifting): Value {
  return evaluate(node, entrySchema(list.of), list.source, substitutions, findings);
}

function check(node: Node, value: Value, list: OwnedList, findings: Findings): readonly string[] {
  const found = violations(list.of.name, value.json);
  for (const violation of found) {
    if (value.unresolved.has(violation.pointer)) continue;
    explain(violation, { source: list.source, node, title: list.of.title, key: list.of.key[0] }, findings);
  }
  return [...found.map(({ pointer }) => pointer), ...value.unresolved];
}

function liftEntry(raw: Raw, { nested, apart }: Parts, lifting: Lifting, lists: Heading[], entries: Entry[]): void {
  const { list, node, base } = raw;
  const stated = valueAt(raw.shared.json, base);
  if (!isFields(stated)) return;
  const kind = list.of;
  const identity = identify(kind, stated, raw.place);
  if (identity === undefined) return;
  const declared = declare(raw, stated, identity, apart);
  checkExtra(declared, lifting.findings);
  entries.push({ declared, sound: !raw.shared.broken.has(base) });
  for (const { kind: inner, field, parts } of nested) {
    const below = nestedList(inner, node, identity.key, list.source);
    if (below === undefined) continue;
    lists.push(headingOf(below));
    for (const [index, item] of below.items.entries()) {
      const next = { ...raw, list: below, node: item, base: `${base}/${field}/${index}`, place: index + 1 };
      liftEntry(next, parts, lifting, lists, entries);
    }
  }
}

interface Identity {
  readonly key: string;
  readonly keyField: string;
}

function identify(kind: Kind, stated: Fields, place: number): Identity | undefined {
  if (kind.key.length === 0) return { key: String(place), keyField: "" };
  for (const keyField of kind.key) {
    const key = stated[keyField];
    if (typeof key === "string" && key !== "") return { key, keyField };
  }
  return undefined;
}

interface NestedKind {
  readonly kind: Kind;
  readonly field: string;
}

/** What of an entry is not its own fields. */
interface Parts {
  readonly nested: readonly (NestedKind & { readonly parts: Parts })[];
  /** Names of what is left out of its fields. */
  readonly apart: ReadonlySet<string>;
}

function partsOf(kind: Kind, kinds: readonly Kind[]): Parts {
  const nested = nestedKinds(kind, kinds).map((inner) => ({ ...inner, parts: partsOf(inner.kind, kinds) }));
  const apart = [...nested.map(({ field }) => field), ...LIFECYCLE, ...(kind.pin === undefined ? [] : [kind.pin])];
  return { nested, apart: new Set(apart) };
}

function nestedKinds(parent: Kind, kinds: readonly Kind[]): readonly NestedKind[] {
  return kinds.flatMap((kind) =>
    kind.layout !== undefined && "within" in kind.layout && kind.layout.within === parent.name
      ? [{ kind, field: kind.layout.field }]
      : [],
  );
}

/** The entry that a place lies in: the outer one, or the innermost nested in it. */
function ownerOf(pointer: string, kind: Kind, kinds: readonly Kind[]): string {
  const [, field, index] = pointer.split("/", 3);
  const nested = index === undefined ? undefined : nestedKinds(kind, kinds).find((inner) => inner.field === field);
  if (nested === undefined) return "";
  const base = `/${field}/${index}`;
  return base + ownerOf(pointer.slice(base.length), nested.kind, kinds);
}

function grouped(
  pointers: readonly string[],
  kind: Kind,
  kinds: readonly Kind[],
): ReadonlyMap<string, readonly string[]> {
  if (pointers.length === 0) return NO_GROUPS;
  const groups = new Map<string, string[]>();
  for (const pointer of pointers) {
    const owner = ownerOf(pointer, kind, kinds);
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [pointer]);
    else group.push(pointer);
  }
  return groups;
}

const NO_FIELDS: Fields = {};
const NOTHING: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();
const NO_GROUPS: ReadonlyMap<string, readonly string[]> = new Map();

function declare(raw: Raw, stated: Fields, identity: Identity, apart: ReadonlySet<string>): Declared {
  const { list, node, base, shared } = raw;
  const { source, of: kind } = list;
  const extra = isFields(stated.extra) ? stated.extra : NO_FIELDS;
  const fields = bare();
  for (const name of Object.keys(stated)) if (!apart.has(name)) fields[name] = stated[name] ?? null;
  for (const name of Object.keys(extra)) fields[name] = extra[name] ?? null;
  const pin = kind.pin === undefined ? undefined : stated[kind.pin];
  const inside = shared.secrets.get(base)?.map((pointer) => pointer.slice(base.length).replace(/^\/extra\//, "/"));
  return {
    kind,
    scope: list.scope,
    key: identity.key,
    keyField: identity.keyField,
    address: addressOf(kind, list.scope, identity.key),
    fields,
    extra: extra === NO_FIELDS ? NOTHING : Object.keys(extra),
    ...(typeof pin === "string" ? { pin } : {}),
    ...(typeof stated.renamed_from === "string" ? { renamedFrom: stated.renamed_from } : {}),
    protected: stated.protected === true,
    at: (node.source ?? source).location(node.start),
    ...placing(source, spotOf(source, node), extra),
    secrets: inside?.filter((pointer) => !apart.has(firstStep(pointer))) ?? NOTHING,
  };
}

/** Where the parts of an entry stand. It stays with the entry, and must hold on to nothing else. */
function placing(source: Source, spot: () => Node, extra: Fields): Pick<Declared, "place" | "covered"> {
  const toFile = (pointer: string): string => (Object.hasOwn(extra, firstStep(pointer)) ? `/extra${pointer}` : pointer);
  return {
    place: (pointer) => placeIn(source, spot(), toFile(pointer)),
    covered: (pointer) => coveredIn(source, spot(), toFile(pointer)),
  };
}

/** `extra` is for what this tool does not know: neither for what it does, nor for what nobody writes. */
function checkExtra({ kind, extra, place }: Declared, findings: Findings): void {
  if (extra.length === 0) return;
  const { properties } = entrySchema(kind).part;
  for (const name of extra) {
    const at = place(`/${escaped(name)}`);
    const instead = READ_ONLY.get(name);
    if (isFields(properties) && Object.hasOwn(properties, name)) {
      findings.error("E_EXTRA", `"${name}" is a field that is known`, at, { help: "Write it outside extra." });
    } else if (SECRET_KEYS.has(name)) {
      findings.error("E_SECRET_IN_CONFIG", `"${name}" would hold a secret, which has no place in a configuration`, at);
    } else if (instead !== undefined) {
      findings.error("E_READONLY", `"${name}" is never written by a person`, at, { help: instead });
    }
  }
}

function placeIn(source: Source, node: Node, pointer: string): Location {
  return placeOf(follow(node, pointer).node, source);
}

function coveredIn(source: Source, node: Node, pointer: string): readonly Covered[] {
  const { member, whole } = follow(node, pointer);
  const all: Covered[] = [];
  for (let one = whole ? member?.covers : undefined; one !== undefined; one = one.covers) {
    all.push({ written: textOf(one.value, source).trim(), at: placeOf(one.value, source) });
  }
  return all;
}

function firstStep(pointer: string): string {
  return steps(pointer)[0] ?? "";
}

function valueAt(value: Json, pointer: string): Json | undefined {
  if (pointer === "") return value;
  let found: Json | undefined = value;
  for (const step of pointer.split("/").slice(1)) {
    found = Array.isArray(found) ? found[Number(step)] : isFields(found) ? found[step] : undefined;
  }
  return found;
}
