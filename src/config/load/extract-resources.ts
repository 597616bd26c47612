/** The resources in the lists of files: substitutes, checks schemas, and separates nested kinds. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { bare, escapedStep, type Fields, isFields, isList, type Json, stepsOf } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../kinds/model/kind.ts";
import { addressPrefix, isName } from "../../kinds/model/resource.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { headingOf, type ListHeading, nestedList, type OwnedList } from "../resources/lists.ts";
import { opaqueViolation } from "../resources/opaque-values.ts";
import { locationOf } from "../resources/origins.ts";
import { explainViolation } from "../schema/explain-violations.ts";
import { READ_ONLY, SECRET_KEYS } from "../schema/read-only-fields.ts";
import { partAt, resourceSchema, type SchemaPart, typesOf } from "../schema/schema.ts";
import { violations } from "../schema/validator.ts";
import type { Violation } from "../schema/violation.ts";
import { absenceAt } from "../schema/violation-help.ts";
import type { ParsedFile } from "../source/parsed-file.ts";
import { follow, type Node } from "../source/tree.ts";
import { type ResolvedValue, resolveValue, type SubstitutionResolver } from "../values/value.ts";

/** The resources of some lists. */
export interface ExtractedResources {
  /** A nested list follows the list of its parent resource. */
  readonly lists: readonly ListHeading[];
  /** In file order; without those that have no key. */
  readonly resources: readonly DeclaredResource[];
  /** Resources that break their schema. Rules skip them. */
  readonly invalid: ReadonlySet<DeclaredResource>;
}

/** The context of an extraction: kinds, substitutions, and the findings to add to. */
export interface ExtractionContext {
  readonly kinds: readonly Kind[];
  readonly substitutions: SubstitutionResolver;
  readonly findings: Findings;
  /** The file that the lists are from, if its tree is released after extraction. */
  readonly file?: ParsedFile;
}

/**
 * Extracts every resource of the lists. `counts` has the number of resources so far by list: the positions of a ranked list continue
 * from file to file.
 */
export function extractResources(
  lists: readonly OwnedList[],
  lifting: ExtractionContext,
  counts: Map<string, number> = new Map(),
): ExtractedResources {
  const lifted: Extraction = { lists: [], resources: [], invalid: new Set() };
  for (const list of lists) {
    const name = `${list.kind}\n${list.scope}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + list.items.length);
    const listed = listContext(list, partsOf(list.of, lifting.kinds));
    lifted.lists.push(listed.heading);
    for (const [index, node] of list.items.entries()) {
      const value = resourceValue(node, list, lifting);
      const broken = checkSchema(node, value, list, before + index + 1, lifting);
      const shared = {
        broken: broken.length === 0 ? NONE : new Set(broken.map((pointer) => ownerOf(pointer, list.of, lifting.kinds))),
        brokenFields: broken.length === 0 ? NONE : new Set(broken),
        secrets: groupByResource(value.secrets, list.of, lifting.kinds),
      };
      extractResource(
        { list: listed, node, value: value.json, pointer: "", shared, position: before + index + 1 },
        lifting,
        lifted,
      );
    }
  }
  return lifted;
}

/** The result so far. */
interface Extraction {
  readonly lists: ListHeading[];
  readonly resources: DeclaredResource[];
  readonly invalid: Set<DeclaredResource>;
}

/** A list, and what all its resources have in common. */
interface ListContext {
  readonly heading: ListHeading;
  readonly parts: KindParts;
  /** The beginning of their addresses. */
  readonly addresses: string;
}

function listContext(list: OwnedList, parts: KindParts): ListContext {
  return { heading: headingOf(list), parts, addresses: addressPrefix(list.of, list.scope) };
}

/** The schema check of a resource and the resources nested in it. */
interface Shared {
  /** JSON Pointers to the resources that break the schema. */
  readonly broken: ReadonlySet<string>;
  /** JSON Pointers to the values that break the schema. */
  readonly brokenFields: ReadonlySet<string>;
  /** JSON Pointers of values from the environment, by the JSON Pointer of their resource. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
}

/** A resource before extraction: its tree and its value. */
interface RawResource {
  readonly list: ListContext;
  readonly node: Node;
  readonly value: Json | undefined;
  /** JSON Pointer from the top resource; empty for that itself, and if nothing in it is invalid or secret. */
  readonly pointer: string;
  readonly shared: Shared;
  /** In its list, counted from 1. */
  readonly position: number;
}

function resourceValue(
  node: Node,
  { of, source }: OwnedList,
  { substitutions, findings, kinds }: ExtractionContext,
): ResolvedValue {
  return resolveValue(
    node,
    () => resourceSchema(of),
    source,
    substitutions,
    findings,
    (pointer) => (isOpen(stepsOf(pointer), of, kinds) ? "no environment" : "any"),
  );
}

/** Whether the value at some steps is a name, which is shown, or belongs to a source of entries, which is evaluated. */
function isOpen(steps: readonly string[], kind: Kind, kinds: readonly Kind[]): boolean {
  const [field, index] = steps;
  const children = childrenOf(kinds, kind);
  if (children.some(({ parent }) => parent?.from === field)) return true;
  const child = index === undefined ? undefined : children.find(({ parent }) => parent?.field === field);
  return child === undefined ? isName(kind, steps) : isOpen(steps.slice(2), child, kinds);
}

function checkSchema(
  node: Node,
  value: ResolvedValue,
  list: OwnedList,
  position: number,
  { findings, kinds }: ExtractionContext,
): readonly string[] {
  const problems = [
    ...violations(list.of.name, value.json)
      .filter(({ pointer }) => !isRemoval(follow(node, pointer).node))
      .flatMap((violation) => opaqueViolation(violation, value)),
    ...(hasNull(value.json) ? withoutWords(node, resourceSchema(list.of), "") : []),
  ];
  for (const violation of problems) {
    if (value.unresolved.has(violation.pointer)) continue;
    explainViolation(
      violation,
      {
        source: list.source,
        node,
        title: list.of.title,
        key: list.of.identity.keys[0],
        knownValues: (pointer) => knownValuesAt(pointer, list.of, kinds),
        ...absenceAt(violation.pointer, list.of),
      },
      findings.about(addressAt(violation.pointer, value.json, list.of, list.scope, position, kinds)),
    );
  }
  return [...problems.map(({ pointer }) => pointer), ...value.unresolved];
}

/** Whether a value takes away what a source of entries makes; elsewhere it breaks the schema. */
function isRemoval(node: Node): boolean {
  return node.type === "scalar" && node.removes === true;
}

function hasNull(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.values(value).some(hasNull);
}

/** A violation for each place where null empties what is there, and where no word stands: that may be a slip. */
function withoutWords(node: Node, schema: SchemaPart | undefined, pointer: string): readonly Violation[] {
  if (node.type === "scalar") {
    const isSlip = node.value === null && node.start === node.end && typesOf(schema).includes("null");
    return isSlip ? [{ pointer, keyword: "type", params: {}, schema: schema?.part ?? {}, isBlank: false }] : [];
  }
  const parts: readonly (readonly [string, Node])[] =
    node.type === "list"
      ? node.items.map((item, index) => [String(index), item])
      : [...node.members].map(([name, { value }]) => [name, value]);
  return parts.flatMap(([step, part]) => withoutWords(part, partAt(schema, step), `${pointer}/${escapedStep(step)}`));
}

/** The known values of the field of a resource that contains a place. */
function knownValuesAt(pointer: string, kind: Kind, kinds: readonly Kind[]): readonly string[] {
  const [, field = "", index = ""] = pointer.split("/", 3);
  const nested = nestedKinds(kind, kinds).find((inner) => inner.field === field);
  if (nested === undefined) return kind.fields?.[field]?.knownValues?.(kinds) ?? [];
  return knownValuesAt(pointer.slice(`/${field}/${index}`.length), nested.kind, kinds);
}

/** The address of the innermost resource that contains a place and has a key; undefined if none has. */
function addressAt(
  pointer: string,
  value: Json | undefined,
  kind: Kind,
  scope: string,
  position: number,
  kinds: readonly Kind[],
): string | undefined {
  const identity = isFields(value) ? identify(kind, value, position) : undefined;
  if (identity === undefined || !isFields(value)) return undefined;
  const own = addressPrefix(kind, scope) + identity.key;
  const [, field = "", index = ""] = pointer.split("/", 3);
  const nested = nestedKinds(kind, kinds).find((inner) => inner.field === field);
  const items = value[field];
  if (nested === undefined || !isList(items)) return own;
  const rest = pointer.slice(`/${field}/${index}`.length);
  return addressAt(rest, items[Number(index)], nested.kind, identity.key, Number(index) + 1, kinds) ?? own;
}

function extractResource(raw: RawResource, lifting: ExtractionContext, lifted: Extraction): void {
  const { list: listed, node, value, pointer: base, shared } = raw;
  const { of: kind, source } = listed.heading;
  const identity = isFields(value) ? identify(kind, value, raw.position) : undefined;
  if (identity === undefined || shared.brokenFields.has(`${base}/${identity.keyField}`)) {
    listed.heading.hasInvalidKeys = true;
  }
  if (identity === undefined || !isFields(value)) return;
  const declared = declaredResource(raw, value, identity, lifting.file);
  if (declared.extra.length > 0) checkExtra(declared, lifting.findings);
  lifted.resources.push(declared);
  if (shared.broken.has(base)) lifted.invalid.add(declared);
  for (const { kind: inner, field, parts } of listed.parts.nested) {
    const below = nestedList(inner, node, identity.key, source);
    if (below === undefined) continue;
    const within = listContext(below, parts);
    lifted.lists.push(within.heading);
    const values = value[field];
    for (const [index, item] of below.items.entries()) {
      const own = shared.broken.size + shared.secrets.size === 0 ? "" : `${base}/${field}/${index}`;
      const value = isList(values) ? values[index] : undefined;
      extractResource({ list: within, node: item, value, pointer: own, shared, position: index + 1 }, lifting, lifted);
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

/** The keys of a kind that are not its own fields. */
interface KindParts {
  readonly nested: readonly (NestedKind & { readonly parts: KindParts })[];
  /** Nested lists and what makes their resources, aliases, the pin, and keys such as `protected`. */
  readonly otherKeys: ReadonlySet<string>;
}

function partsOf(kind: Kind, kinds: readonly Kind[]): KindParts {
  const nested = nestedKinds(kind, kinds).map((inner) => ({ ...inner, parts: partsOf(inner.kind, kinds) }));
  const apart = [
    ...nested.flatMap(({ field, kind: { parent } }) => [field, ...(parent?.from === undefined ? [] : [parent.from])]),
    ...(kind.identity.otherNames === undefined ? [] : [kind.identity.otherNames.aliases]),
    ...LIFECYCLE,
    ...(kind.identity.pin === undefined ? [] : [kind.identity.pin]),
  ];
  return { nested, otherKeys: new Set(apart) };
}

function nestedKinds(parent: Kind, kinds: readonly Kind[]): readonly NestedKind[] {
  return childrenOf(kinds, parent).map((kind) => ({ kind, field: kind.parent?.field ?? "" }));
}

/** The JSON Pointer of the innermost resource that contains a place. */
function ownerOf(pointer: string, kind: Kind, kinds: readonly Kind[]): string {
  const [, field, index] = pointer.split("/", 3);
  const nested = index === undefined ? undefined : nestedKinds(kind, kinds).find((inner) => inner.field === field);
  if (nested === undefined) return "";
  const base = `/${field}/${index}`;
  return base + ownerOf(pointer.slice(base.length), nested.kind, kinds);
}

function groupByResource(
  pointers: readonly string[],
  kind: Kind,
  kinds: readonly Kind[],
): ReadonlyMap<string, readonly string[]> {
  return pointers.length === 0 ? NO_GROUPS : groupBy(pointers, (pointer) => ownerOf(pointer, kind, kinds));
}

const NO_FIELDS: Fields = {};
const NOTHING: readonly string[] = [];
const NONE: ReadonlySet<string> = new Set();
const NO_GROUPS: ReadonlyMap<string, readonly string[]> = new Map();

function declaredResource(
  { list: listed, node, pointer: base, shared }: RawResource,
  stated: Fields,
  { key, keyField }: Identity,
  file: ParsedFile | undefined,
): DeclaredResource {
  const { of: kind, scope, source } = listed.heading;
  const { otherKeys: apart } = listed.parts;
  const extra = isFields(stated.extra) ? stated.extra : NO_FIELDS;
  const inside = shared.secrets.get(base)?.map((pointer) => pointer.slice(base.length).replace(/^\/extra\//, "/"));
  const origins = {
    source,
    // A file can be read again for its own resources only.
    tree: node.source === undefined ? (file ?? node) : node,
    start: node.start,
  };
  const resource = {
    kind,
    scope,
    key,
    keyField,
    address: listed.addresses + key,
    fields: ownFields(kind, stated, extra, apart),
    extra: extra === NO_FIELDS ? NOTHING : Object.keys(extra),
    protected: stated.protected === true,
    secrets: inside?.filter((pointer) => !apart.has(stepsOf(pointer)[0] ?? "")) ?? NOTHING,
    origins,
  };
  const names = namesOf(kind, stated);
  return names === undefined ? resource : { ...resource, ...names };
}

/** The other names of a resource; undefined if it has none, as most. */
function namesOf(
  { identity: { pin, otherNames } }: Kind,
  stated: Fields,
): Pick<DeclaredResource, "pin" | "renamedFrom" | "aliases"> | undefined {
  const id = pin === undefined ? undefined : stated[pin];
  const { renamed_from: renamedFrom } = stated;
  const aliases = otherNames === undefined ? undefined : stated[otherNames.aliases];
  if (typeof id !== "string" && typeof renamedFrom !== "string" && !isList(aliases)) return undefined;
  return {
    ...(typeof id === "string" ? { pin: id } : {}),
    ...(typeof renamedFrom === "string" ? { renamedFrom } : {}),
    ...(isList(aliases) ? { aliases: aliases.map(String) } : {}),
  };
}

/** The fields of a resource. The same object if it has no other keys. */
function ownFields(kind: Kind, stated: Fields, extra: Fields, apart: ReadonlySet<string>): Fields {
  const names = Object.keys(stated);
  const clears = (name: string) => stated[name] === null && kind.fields?.[name]?.equals?.(null, "") === true;
  if (!names.some((name) => apart.has(name) || clears(name))) return stated;
  const fields = bare();
  // Services clear a text that is sent empty; some ignore null.
  for (const name of names) if (!apart.has(name)) fields[name] = clears(name) ? "" : (stated[name] ?? null);
  for (const name of Object.keys(extra)) fields[name] = extra[name] ?? null;
  return fields;
}

/** Refuses known, secret and read-only fields under `extra`. */
function checkExtra({ kind, extra, origins }: DeclaredResource, findings: Findings): void {
  const { properties } = resourceSchema(kind).part;
  for (const name of extra) {
    const at = (): Location => locationOf(origins, `/${escapedStep(name)}`);
    const instead = READ_ONLY.get(name);
    if (isFields(properties) && Object.hasOwn(properties, name)) {
      findings.error("E_EXTRA", `"${name}" is a known field`, at(), { help: "Move it out of extra." });
    } else if (SECRET_KEYS.has(name)) {
      findings.error("E_SECRET_IN_CONFIG", `"${name}" holds a secret, which does not belong in a configuration`, at());
    } else if (instead !== undefined) {
      findings.error("E_READONLY", `"${name}" is read-only`, at(), { help: instead });
    }
  }
}
