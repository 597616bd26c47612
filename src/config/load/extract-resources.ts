/** Lifts the entries out of the lists: values resolved, held against their schema, and cut into kinds. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { bare, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../kinds/kind.ts";
import { addressPrefix, type DeclaredResource } from "../../kinds/resource.ts";
import { evaluate, type Resolver, type Value } from "../resolve/value.ts";
import { explain } from "../schema/explain-violations.ts";
import { READ_ONLY, SECRET_KEYS } from "../schema/read-only-fields.ts";
import { entrySchema } from "../schema/schema.ts";
import { violations } from "../schema/validator.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import { escaped, type Node, steps } from "../source/tree.ts";
import { DeclaredInFile } from "./declared-resource.ts";
import { type Heading, headingOf, nestedList, type OwnedList } from "./lists.ts";

/** What the lists declare. */
export interface Lifted {
  /** Nested lists follow the list that holds their entry. */
  readonly lists: readonly Heading[];
  /** Entries that can be told from others, in file order. */
  readonly entries: readonly DeclaredResource[];
  /** Those of them that break their schema, so that no rule may rely on the shape of their fields. */
  readonly unsound: ReadonlySet<DeclaredResource>;
}

/** What the lifting needs besides the lists. */
export interface Lifting {
  readonly kinds: readonly Kind[];
  readonly substitutions: Resolver;
  readonly findings: Findings;
  /** Where the trees of the resources can be read again; without it they are kept. */
  readonly file?: ParsedFile;
}

/**
 * Lifts every entry of the lists; the places of a ranked list that is split over files are counted through, by `counts`,
 * where not all are lifted at once.
 */
export function lift(lists: readonly OwnedList[], lifting: Lifting, counts: Map<string, number> = new Map()): Lifted {
  const lifted: Lifts = { lists: [], entries: [], unsound: new Set() };
  for (const list of lists) {
    const name = `${list.kind}\n${list.scope}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + list.items.length);
    const listed = listedIn(list, partsOf(list.of, lifting.kinds));
    lifted.lists.push(listed.heading);
    for (const [index, node] of list.items.entries()) {
      const value = evaluated(node, list, lifting);
      const broken = check(node, value, list, lifting.findings);
      const shared = {
        broken: broken.length === 0 ? NONE : new Set(broken.map((pointer) => ownerOf(pointer, list.of, lifting.kinds))),
        secrets: grouped(value.secrets, list.of, lifting.kinds),
      };
      liftEntry({ listed, node, stated: value.json, base: "", shared, place: before + index + 1 }, lifting, lifted);
    }
  }
  return lifted;
}

/** What is lifted so far. */
interface Lifts {
  readonly lists: Heading[];
  readonly entries: DeclaredResource[];
  readonly unsound: Set<DeclaredResource>;
}

/** A list with what all its entries have in common. */
interface Listed {
  readonly heading: Heading;
  readonly parts: Parts;
  /** What their addresses begin with. */
  readonly addresses: string;
}

function listedIn(list: OwnedList, parts: Parts): Listed {
  return { heading: headingOf(list), parts, addresses: addressPrefix(list.of, list.scope) };
}

/** What an entry and those nested in it have in common. */
interface Shared {
  /** JSON Pointers to the entries that break the schema. */
  readonly broken: ReadonlySet<string>;
  /** JSON Pointers of values from the environment, by the entry that they are in. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
}

/** An entry on its way: its tree and its value, and where it stands in the value that was checked. */
interface Raw {
  readonly listed: Listed;
  readonly node: Node;
  readonly stated: Json | undefined;
  /** JSON Pointer to it from the entry that holds it; empty at the top, and where nobody looks at it. */
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
    explain(violation, { source: list.source, node, title: list.of.title, key: list.of.identity.keys[0] }, findings);
  }
  return [...found.map(({ pointer }) => pointer), ...value.unresolved];
}

function liftEntry(raw: Raw, lifting: Lifting, lifted: Lifts): void {
  const { listed, node, stated, base, shared } = raw;
  if (!isFields(stated)) return;
  const { of: kind, source } = listed.heading;
  const identity = identify(kind, stated, raw.place);
  if (identity === undefined) return;
  const declared = declare(raw, stated, identity, lifting.file);
  if (declared.extra.length > 0) checkExtra(declared, lifting.findings);
  lifted.entries.push(declared);
  if (shared.broken.has(base)) lifted.unsound.add(declared);
  for (const { kind: inner, field, parts } of listed.parts.nested) {
    const below = nestedList(inner, node, identity.key, source);
    if (below === undefined) continue;
    const within = listedIn(below, parts);
    lifted.lists.push(within.heading);
    const values = stated[field];
    for (const [index, item] of below.items.entries()) {
      const own = shared.broken.size + shared.secrets.size === 0 ? "" : `${base}/${field}/${index}`;
      const value = isList(values) ? values[index] : undefined;
      liftEntry({ listed: within, node: item, stated: value, base: own, shared, place: index + 1 }, lifting, lifted);
    }
  }
}

interface Identity {
  readonly key: string;
  readonly keyField: string;
}

function identify(kind: Kind, stated: Fields, place: number): Identity | undefined {
  if (kind.identity.keys.length === 0) return { key: String(place), keyField: "" };
  for (const keyField of kind.identity.keys) {
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
  const apart = [
    ...nested.map(({ field }) => field),
    ...LIFECYCLE,
    ...(kind.identity.pin === undefined ? [] : [kind.identity.pin]),
  ];
  return { nested, apart: new Set(apart) };
}

function nestedKinds(parent: Kind, kinds: readonly Kind[]): readonly NestedKind[] {
  return childrenOf(kinds, parent).map((kind) => ({ kind, field: kind.parent?.field ?? "" }));
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

function declare(
  { listed, node, base, shared }: Raw,
  stated: Fields,
  { key, keyField }: Identity,
  file: ParsedFile | undefined,
): DeclaredResource {
  const { of: kind, scope, source } = listed.heading;
  const { apart } = listed.parts;
  const extra = isFields(stated.extra) ? stated.extra : NO_FIELDS;
  const pin = kind.identity.pin === undefined ? undefined : stated[kind.identity.pin];
  const inside = shared.secrets.get(base)?.map((pointer) => pointer.slice(base.length).replace(/^\/extra\//, "/"));
  return new DeclaredInFile({
    kind,
    scope,
    key,
    keyField,
    address: listed.addresses + key,
    fields: ownFields(stated, extra, apart),
    extra: extra === NO_FIELDS ? NOTHING : Object.keys(extra),
    ...(typeof pin === "string" ? { pin } : {}),
    ...(typeof stated.renamed_from === "string" ? { renamedFrom: stated.renamed_from } : {}),
    protected: stated.protected === true,
    secrets: inside?.filter((pointer) => !apart.has(steps(pointer)[0] ?? "")) ?? NOTHING,
    source,
    tree: file ?? node,
    start: node.start,
  });
}

/** The fields of an entry; what is stated, where that is nothing else. */
function ownFields(stated: Fields, extra: Fields, apart: ReadonlySet<string>): Fields {
  const names = Object.keys(stated);
  if (!names.some((name) => apart.has(name))) return stated;
  const fields = bare();
  for (const name of names) if (!apart.has(name)) fields[name] = stated[name] ?? null;
  for (const name of Object.keys(extra)) fields[name] = extra[name] ?? null;
  return fields;
}

/** `extra` is for what this tool does not know: neither for what it does, nor for what nobody writes. */
function checkExtra({ kind, extra, place }: DeclaredResource, findings: Findings): void {
  const { properties } = entrySchema(kind).part;
  for (const name of extra) {
    const at = (): Location => place(`/${escaped(name)}`);
    const instead = READ_ONLY.get(name);
    if (isFields(properties) && Object.hasOwn(properties, name)) {
      findings.error("E_EXTRA", `"${name}" is a field that is known`, at(), { help: "Write it outside extra." });
    } else if (SECRET_KEYS.has(name)) {
      findings.error(
        "E_SECRET_IN_CONFIG",
        `"${name}" would hold a secret, which has no place in a configuration`,
        at(),
      );
    } else if (instead !== undefined) {
      findings.error("E_READONLY", `"${name}" is never written by a person`, at(), { help: instead });
    }
  }
}
