/** The entries that all sources of a type make, each once: equal documents are one entry, and others as `merge` and `on_duplicate` say. */

import type { Findings } from "../../../core/findings.ts";
import { canonical, type Fields, fieldsIn, type Json, textsIn } from "../../../core/json.ts";
import { SOURCE_WARNING } from "../../resources/sourced-list.ts";
import type { Source } from "../../source/source.ts";
import { memberOf, placeOf } from "../../source/tree.ts";
import type { EntrySource } from "./entry-source.ts";
import type { SourceEntry } from "./make-entries.ts";

/** Fields of which an entry has one value. A source that does not state them has them from its slug. */
const SINGLE = ["name", "external_id"] as const;

/** The entries of a type, in the order of their first documents. */
export class JoinedEntries {
  readonly #findings: Findings;
  readonly #entries: SourceEntry[] = [];
  /** Slug → its number in the list. */
  readonly #bySlug = new Map<string, number>();
  /** The system and id of an entry there → its number in the list. */
  readonly #byId = new Map<string, number>();
  /** The texts of the documents of each slug that several make. */
  readonly #texts = new Map<string, Set<string>>();
  readonly #withoutValue = new Map<string, ReadonlySet<string>>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Every entry; those that differ from an earlier one of their slug are found where all resources are compared. */
  get entries(): readonly SourceEntry[] {
    return this.#entries;
  }

  /** Slug → the attributes of its sources that have no value. */
  get withoutValue(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#withoutValue;
  }

  /** Slugs that several documents make with different values. These may be references that are spelled in different ways. */
  get repeated(): ReadonlySet<string> {
    return new Set([...this.#texts].flatMap(([slug, texts]) => (texts.size > 1 ? [slug] : [])));
  }

  /** Adds the entry of a document. Returns false if an earlier document makes it too. */
  add(entry: SourceEntry, source: EntrySource): boolean {
    const { slug } = entry;
    const number = this.#bySlug.get(slug);
    const first = number === undefined ? undefined : this.#entries[number];
    if (number === undefined || first === undefined) return this.#addWithId(entry, source);
    if (source.merges) {
      this.#entries[number] = this.#joined(first, entry, source);
      this.#isWithoutValue(entry);
      return false;
    }
    const texts = this.#texts.get(slug) ?? new Set([textOf(first)]);
    this.#texts.set(slug, texts);
    if (texts.has(textOf(entry))) {
      this.#isWithoutValue(entry);
      return false;
    }
    if (source.onDuplicate !== "error") {
      this.#choose(number, first, entry, source);
      return false;
    }
    texts.add(textOf(entry));
    this.#isWithoutValue(entry);
    this.#entries.push(entry);
    return true;
  }

  /** Takes the attributes of all sources for missing in each entry that has none: its other document may be gone. */
  completeMerged(sources: readonly EntrySource[]): void {
    if (!sources.some(({ merges }) => merges)) return;
    const names = sources.flatMap(({ attributes }) => [...attributes.keys()]);
    for (const { slug, node } of this.#entries) {
      const values = fieldsIn(node.fields.attributes);
      this.#withoutValue.set(slug, new Set(names.filter((name) => !Object.hasOwn(values, name))));
    }
  }

  /** Adds the first entry of a slug, unless an earlier entry has its id. */
  #addWithId(entry: SourceEntry, source: EntrySource): boolean {
    const id = JSON.stringify([entry.node.fields.source, entry.node.fields.external_id]);
    const number = this.#byId.get(id);
    const first = number === undefined ? undefined : this.#entries[number];
    if (source.onDuplicate !== "error" && number !== undefined && first !== undefined) {
      this.#choose(number, first, entry, source);
      return false;
    }
    this.#byId.set(id, this.#entries.length);
    this.#bySlug.set(entry.slug, this.#entries.length);
    this.#entries.push(entry);
    this.#isWithoutValue(entry);
    return true;
  }

  /** Keeps one of two documents, with a warning. */
  #choose(number: number, first: SourceEntry, entry: SourceEntry, { onDuplicate, at }: EntrySource): void {
    const isSameSlug = first.slug === entry.slug;
    const what = isSameSlug ? `the entry "${entry.slug}"` : `the external_id "${entry.node.fields.external_id}"`;
    this.#findings.warning(
      SOURCE_WARNING,
      `two documents have ${what}, and on_duplicate keeps the ${onDuplicate}`,
      placeOf(entry.node, entry.node.source),
      {
        madeAt: placeOf(at, at.source),
        related: [{ message: "the first is here", at: placeOf(first.node, first.node.source) }],
        help: "If they are two things, give each a slug and an external_id of its own.",
      },
    );
    if (onDuplicate === "first") return;
    this.#entries[number] = entry;
    this.#bySlug.delete(first.slug);
    this.#bySlug.set(entry.slug, number);
    this.#withoutValue.delete(first.slug);
    this.#withoutValue.set(entry.slug, new Set(entry.withoutValue));
  }

  /** An entry with the values of another document. Two values of one field are an error, unless `on_duplicate` chooses one. */
  #joined(first: SourceEntry, entry: SourceEntry, source: EntrySource): SourceEntry {
    const [before, more] = [first.node.fields, entry.node.fields];
    const attributes: Record<string, Json> = { ...fieldsIn(before.attributes) };
    const fields: Record<string, Json> = { ...before };
    const taken = new Set<string>();
    const take = (into: Record<string, Json>, name: string, path: string, value: Json): void => {
      const known = into[name];
      if (known !== undefined && canonical(known) === canonical(value)) return;
      if (known !== undefined && source.onDuplicate === "error") this.#refuse(first, entry, path, source);
      if (known !== undefined && source.onDuplicate !== "last") return;
      into[name] = value;
      taken.add(path);
    };
    for (const name of SINGLE) {
      const value = source.templates[name] === undefined ? undefined : more[name];
      if (value !== undefined) take(fields, name, name, value);
    }
    for (const [name, value] of Object.entries(fieldsIn(more.attributes))) {
      take(attributes, name, `attributes/${name}`, value);
    }
    const aliases = [...new Set([...textsIn(before.aliases), ...textsIn(more.aliases)])];
    const joined: Fields = {
      ...fields,
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      ...(aliases.length === 0 ? {} : { aliases }),
    };
    return { ...first, node: first.node.joined(entry.node, joined, taken) };
  }

  #refuse(first: SourceEntry, entry: SourceEntry, path: string, { at }: EntrySource): void {
    const [left, right] = [first, entry].map(({ node }) => JSON.stringify(valueIn(node.fields, path)));
    const place = ({ node }: SourceEntry) => placeOf(memberAt(node, path) ?? node, node.source as Source);
    const message = `${path.replace("/", ".")} of the entry "${entry.slug}" has two values, ${left} and ${right}`;
    this.#findings.error("E_ENTRIES_FROM", message, place(entry), {
      madeAt: placeOf(at, at.source),
      related: [{ message: "the first is here", at: place(first) }],
      help: "Let one source give it, or choose with on_duplicate: first or last.",
    });
  }

  #isWithoutValue({ slug, withoutValue }: SourceEntry): void {
    if (withoutValue.length === 0) return;
    this.#withoutValue.set(slug, new Set([...(this.#withoutValue.get(slug) ?? []), ...withoutValue]));
  }
}

/** Sources may list attributes in another order. */
function textOf({ node }: SourceEntry): string {
  return canonical(node.fields);
}

function valueIn(fields: Fields, path: string): Json {
  const [name = "", attribute] = path.split("/");
  const value = fields[name] ?? null;
  return attribute === undefined ? value : (fieldsIn(value)[attribute] ?? null);
}

function memberAt(node: SourceEntry["node"], path: string) {
  const [name = "", attribute] = path.split("/");
  const value = memberOf(node, name)?.value;
  return attribute === undefined || value === undefined ? value : memberOf(value, attribute)?.value;
}
