/**
 * Expands `entries_from`: the entries that other files make are added to those of the catalog type, as if its file declared them. What
 * the type's file declares of an entry wins, value by value.
 */

import { createHash } from "node:crypto";
import { Findings } from "../../../core/findings.ts";
import { type Fields, fieldsIn, isList, type Json } from "../../../core/json.ts";
import { counted } from "../../../core/value-text.ts";
import { childrenOf, type Kind } from "../../../kinds/model/kind.ts";
import { BUILT_IN_TYPES } from "../../../kinds/rows/catalog-attributes.ts";
import type { OwnedList } from "../../resources/lists.ts";
import { type EntrySourceSummary, SOURCE_WARNING, type SourcedList } from "../../resources/sourced-list.ts";
import { partAt, resourceSchema } from "../../schema/schema.ts";
import type { Source } from "../../source/source.ts";
import {
  type ListNode,
  type MapNode,
  type Member,
  memberOf,
  memberWithSource,
  type Node,
  placeOf,
  type ScalarNode,
  withMembers,
  withSource,
} from "../../source/tree.ts";
import { literalText } from "../../values/substitution.ts";
import { resolveValue, type SubstitutionResolver } from "../../values/value.ts";
import { withAddedSources } from "./added-sources.ts";
import { type AttributeTypes, attributeTypes } from "./attribute-types.ts";
import type { EntryFiles } from "./entry-files.ts";
import { DEFAULT_SOURCE, type EntrySource, readEntrySources } from "./entry-source.ts";
import { JoinedEntries } from "./joined-entries.ts";
import { EntryMaker, type SourceEntry, type Spellings } from "./make-entries.ts";

/** The context of an expansion. */
export interface ExpansionContext {
  readonly kinds: readonly Kind[];
  readonly substitutions: SubstitutionResolver;
  readonly findings: Findings;
  readonly entryFiles: EntryFiles;
}

/** The lists with the entries of their sources, and what was made. */
export interface ExpandedLists {
  readonly lists: readonly OwnedList[];
  readonly sourced: readonly SourcedList[];
}

/** Expands every list of all files. Entries that stand apart from a type with sources become entries of the type. */
export async function expandEntries(all: readonly OwnedList[], context: ExpansionContext): Promise<ExpandedLists> {
  const lists = withAddedSources(all, context.kinds);
  const sourced: SourcedList[] = [];
  const expanded: OwnedList[] = [];
  const moved = new Set<OwnedList>();
  for (const list of lists) {
    const child = childrenOf(context.kinds, list.of).find(({ parent }) => parent?.from !== undefined);
    if (child === undefined || !list.items.some((item) => hasMember(item, child.parent?.from))) {
      expanded.push(list);
      continue;
    }
    const items: Node[] = [];
    const apartOf = (key: string): readonly Node[] => {
      const own = lists.filter(({ of, scope }) => of === child && scope === key);
      for (const one of own) moved.add(one);
      return own.flatMap((one) => one.items.map((node) => withSource(node, one.source)));
    };
    for (const item of list.items) {
      const made = hasMember(item, child.parent?.from)
        ? await expandItem(item, child, list, apartOf, context)
        : undefined;
      items.push(made?.node ?? item);
      if (made !== undefined) sourced.push(made.sourced);
    }
    expanded.push({ ...list, items });
  }
  return { lists: expanded.map((list) => (moved.has(list) ? { ...list, items: [] } : list)), sourced };
}

/** Records sources in overlays: the files of an environment change entries, not where they come from. */
export function refuseSources(overlay: OwnedList, kinds: readonly Kind[], findings: Findings): void {
  for (const { parent: { from = "" } = {} } of childrenOf(kinds, overlay.of)) {
    for (const item of overlay.items) {
      const member = memberOf(item, from);
      if (member === undefined) continue;
      findings.error("E_OVERLAY", `"${from}" cannot be in an overlay`, placeOf(member, overlay.source), {
        help: "Write it in a configuration file. A variable of the settings may hold what differs.",
      });
    }
  }
}

function hasMember(node: Node | undefined, name = ""): node is MapNode {
  return node?.type === "map" && node.members.has(name);
}

async function expandItem(
  item: MapNode,
  child: Kind,
  list: OwnedList,
  apartOf: (key: string) => readonly Node[],
  context: ExpansionContext,
): Promise<{ readonly node: MapNode; readonly sourced: SourcedList } | undefined> {
  const { field = "", from = "" } = child.parent ?? {};
  const { slug: key, [from]: json = null, ...type } = valuesOf(item, ["slug", "attributes", from], list, context);
  const member = item.members.get(from);
  if (typeof key !== "string" || member === undefined) return undefined;
  const refused = new Findings();
  resolveValue(
    member.value,
    () => undefined,
    list.source,
    context.substitutions,
    refused,
    () => "no environment",
  );
  // It is reported when the resource is extracted.
  if (refused.errorCount > 0) return undefined;
  const errors = context.findings.errorCount;
  const types = attributeTypes({ slug: key, ...type });
  const { findings } = context;
  const read = await readEntrySources(member.value, json, { file: list.source, findings });
  const sources = refuseUnknownAttributes({ slug: key, ...type }, types, read, list.source, context) ? [] : read;
  const own = item.members.get(field);
  const inType = own?.value.type === "list" ? own.value.items : [];
  const declared = [...inType, ...apartOf(key)].map(withRemovals);
  const declaredKeys = new Set(declared.map(keyOf));
  const joined = new JoinedEntries(findings);
  const summaries: EntrySourceSummary[] = [];
  const named = declared.filter((node) => node.type === "map" && node.members.has("name"));
  const spellings: Spellings = { first: new Map(), told: new Set(named.map(keyOf)) };
  for (const source of sources) {
    const { entries: all, ...read } = await makeEntries(source, types, spellings, context);
    const entries = all.filter((entry) => joined.add(entry, source));
    const overridden = entries.filter(({ slug }) => declaredKeys.has(slug)).length;
    summaries.push({ ...read, entries: entries.length, overridden, missing: countMissing(entries) });
  }
  joined.completeMerged(sources);
  const { entries: made, withoutValue, repeated } = joined;
  refuseMissing({ made, sources, withoutValue, types, declared }, list.source, context);
  if (context.findings.errorCount === errors) warnOfOrphans(made, declared, list.source, context);
  const items = mergeEntries(made, declared, list.source);
  const entries: ListNode = { type: "list", start: member.start, end: member.value.end, items };
  const members = new Map(item.members).set(field, { start: member.start, end: member.end, ...own, value: entries });
  const ownsAll = sources.some((one) => one.ownsAll);
  return {
    node: withMembers(item, members),
    sourced: {
      kind: child.name,
      scope: key,
      source: sources[0]?.source ?? DEFAULT_SOURCE,
      ...(ownsAll ? {} : { madeBy: [...new Set(sources.flatMap((one) => [one.source, ...one.takesOver]))] }),
      takenOver: new Map(
        sources.flatMap(({ source: by, takesOver }) => takesOver.map((system) => [system, by] as const)),
      ),
      sources: summaries,
      references: new Map([...types].flatMap(([slug, { target }]) => (target === undefined ? [] : [[slug, target]]))),
      digest: createHash("sha256")
        .update(JSON.stringify(made.map(({ node, slug }) => [node.fields, ...(withoutValue.get(slug) ?? [])])))
        .digest("hex"),
      isComplete: context.findings.errorCount === errors,
      repeated,
      withoutValue,
    },
  };
}

/** Records attributes of sources that the type does not have; built-in types may have others in the workspace. */
function refuseUnknownAttributes(
  type: Fields,
  types: AttributeTypes,
  sources: readonly EntrySource[],
  file: Source,
  { findings }: ExpansionContext,
): boolean {
  if (!isList(type.attributes) || BUILT_IN_TYPES[String(type.slug)] !== undefined) return false;
  const errors = findings.errorCount;
  for (const [name, { at }] of sources.flatMap(({ attributes }) => [...attributes])) {
    if (types.has(name)) continue;
    const message = `the catalog type ${String(type.slug)} has no attribute "${name}"`;
    findings.error("E_REF", message, placeOf(at, file), { help: findings.allowed(name, [...types.keys()]) });
  }
  return findings.errorCount > errors;
}

/** The entries that the sources of a type made, and what tells which values they need. */
interface MadeEntries {
  readonly made: readonly SourceEntry[];
  readonly sources: readonly EntrySource[];
  readonly withoutValue: ReadonlyMap<string, ReadonlySet<string>>;
  readonly types: AttributeTypes;
  /** The entries that the type's file declares. */
  readonly declared: readonly Node[];
}

/** Records required attributes that some source has no value for, unless the type's file has it. */
function refuseMissing(
  { made, sources, withoutValue, types, declared }: MadeEntries,
  file: Source,
  { findings }: ExpansionContext,
): void {
  const required = [...types].flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  if (required.length === 0) return;
  const bySlug = new Map(declared.map((node) => [keyOf(node), memberOf(node, "attributes")?.value]));
  for (const { slug, node } of made) {
    const values = bySlug.get(slug);
    const names = withoutValue.get(slug) ?? new Set();
    const own = values?.type === "map" ? values.members : new Map<string, Member>();
    const hasValue = (name: string) => Object.hasOwn(fieldsIn(node.fields.attributes), name);
    const isMissing = (name: string) =>
      own.has(name) ? isNull(own.get(name)?.value) : names.has(name) && !hasValue(name);
    for (const name of required.filter(isMissing)) {
      const template = sources.flatMap(({ attributes }) => attributes.get(name) ?? [])[0];
      const message = `the attribute "${name}" is required and has no value`;
      findings.error("E_REQUIRED", message, placeOf(node, node.source), {
        madeAt: placeOf(template?.at ?? node.madeAt, file),
        help: "Add the value, or exclude the document with when.",
      });
    }
  }
}

/** Warns of declared entries that change values of a made one which is not there: the slug is misspelt, or the file is gone. */
function warnOfOrphans(
  made: readonly SourceEntry[],
  declared: readonly Node[],
  file: Source,
  { findings }: ExpansionContext,
): void {
  const slugs = new Set(made.map(({ slug }) => slug));
  for (const node of declared) {
    const slug = keyOf(node);
    if (made.length === 0 || slug === undefined || slugs.has(slug) || memberOf(node, "name") !== undefined) continue;
    const at = placeOf(memberOf(node, "slug")?.value ?? node, node.source ?? file);
    findings.warning(SOURCE_WARNING, `no document makes the entry "${slug}", which has no name here`, at, {
      help: findings.guess(slug, slugs) ?? "Delete it here too, or give it a name to keep it.",
    });
  }
}

function countMissing(entries: readonly SourceEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of entries.flatMap(({ withoutValue }) => withoutValue)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The values of some members of a resource after substitution. Errors are recorded when the resource is extracted. */
function valuesOf(
  item: MapNode,
  names: readonly string[],
  list: OwnedList,
  { substitutions }: ExpansionContext,
): Fields {
  const values = names.map((name): readonly [string, Json] => {
    const member = item.members.get(name);
    if (member === undefined) return [name, null];
    const schema = () => partAt(resourceSchema(list.of), name);
    return [name, resolveValue(member.value, schema, list.source, substitutions, new Findings()).json];
  });
  return Object.fromEntries(values);
}

async function makeEntries(
  source: EntrySource,
  types: AttributeTypes,
  spellings: Spellings,
  { findings, entryFiles }: ExpansionContext,
): Promise<
  Omit<EntrySourceSummary, "entries" | "overridden" | "missing"> & { readonly entries: readonly SourceEntry[] }
> {
  const file = source.at.source;
  const at = placeOf(source.filesAt, file);
  const errors = findings.errorCount;
  const maker = new EntryMaker(source, file, types, findings, spellings);
  const files = await entryFiles.documentsOf(source, file);
  const documents = files.flatMap((list) => list ?? []);
  const entries: SourceEntry[] = [];
  for (const document of documents) {
    // A list of 100,000 is too long for the arguments of one call.
    for (const entry of await maker.entriesOf(document)) entries.push(entry);
  }
  // The error of a file is the cause, also if another source has read it.
  const isComplete = findings.errorCount === errors && files.every((list) => list !== undefined);
  if (isComplete) maker.warnOfMissing();
  if (isComplete && files.length > 0 && entries.length === 0) {
    const globs = source.files.map((glob) => `"${glob}"`).join(", ");
    const count = `${counted(files.length, "file")} of ${globs}`;
    const [message, help] =
      documents.length === 0
        ? [`there is no document in ${count}`, "If a program writes the files, check that it succeeded."]
        : [`no document of ${count} makes an entry`, "Compare documents and when with one of the files."];
    findings.warning(SOURCE_WARNING, message, at, { help });
  }
  const counts = { filesRead: files.length, documents: documents.length };
  return { source: source.source, isEmpty: entries.length === 0, files: source.files, at, ...counts, entries };
}

/** The made entries, with what the type's file declares of them, and then the other declared ones. */
function mergeEntries(made: readonly SourceEntry[], declared: readonly Node[], file: Source): readonly Node[] {
  const declaredBySlug = new Map(
    declared.toReversed().flatMap((node) => (node.type === "map" ? [[keyOf(node), node] as const] : [])),
  );
  const used = new Set<Node>();
  const merged = made.map(({ slug, node }) => {
    const over = declaredBySlug.get(slug);
    if (over === undefined) return node;
    used.add(over);
    return mergeOver(node, over, file);
  });
  // A second declaration of an entry is found where all resources are compared.
  const others = declared.filter((node) => !used.has(node));
  return [...merged, ...others.map((node) => withSource(node, file))];
}

/** The declared entry whose attributes may be null: then they take away what the sources make. An empty value may be a slip. */
function withRemovals(entry: Node): Node {
  const member = memberOf(entry, "attributes");
  if (entry.type !== "map" || member?.value.type !== "map") return entry;
  const values = [...member.value.members].map(([name, { value, ...rest }]): [string, Member] => {
    return [name, { ...rest, value: isNull(value) ? { ...value, removes: value.end > value.start } : value }];
  });
  const attributes = withMembers(member.value, new Map(values));
  return withMembers(entry, new Map(entry.members).set("attributes", { ...member, value: attributes }));
}

function isNull(node: Node | undefined): node is ScalarNode {
  return node?.type === "scalar" && node.value === null;
}

/** A mapping with the values of another: mappings in both are merged, every other value is replaced. */
function mergeOver(made: MapNode, declared: MapNode, file: Source): MapNode {
  const members = new Map(made.members);
  for (const [name, member] of declared.members) {
    const before = members.get(name);
    if (before?.value.type === "map" && member.value.type === "map") {
      members.set(name, { ...before, value: mergeOver(before.value, member.value, file) });
    } else {
      members.set(name, {
        ...memberWithSource(member, file),
        ...(before === undefined || name === "slug" ? {} : { covers: before }),
      });
    }
  }
  const { start, end } = declared;
  return { type: "map", start, end, source: declared.source ?? file, madeAt: made.madeAt, members };
}

function keyOf(node: Node): string | undefined {
  return textOf(memberOf(node, "slug")?.value);
}

/** A text without substitutions; undefined for other values. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type !== "scalar" || typeof node.value !== "string" || node.value === "") return undefined;
  return literalText(node.value);
}
