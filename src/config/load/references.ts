/** Holds every mention of another entry against what the files declare. */

import type { Location } from "../../core/diagnostic.ts";
import type { Findings } from "../../core/findings.ts";
import { isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Reference, ResourceLookup } from "../../kinds/lookup.ts";
import { addressOf, type DeclaredResource } from "../../kinds/resource.ts";
import type { Dropped, Managed } from "./configuration.ts";
import { ListMap } from "./list-map.ts";
import type { Heading } from "./lists.ts";

/** What is declared, to be asked by kind, scope and key. */
export class Directory implements ResourceLookup {
  readonly #entries = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  readonly #managed = new Map<string, Heading>();

  constructor(entries: Iterable<DeclaredResource>, lists: readonly Heading[]) {
    for (const list of lists) {
      const name = listName(list.kind, list.scope);
      if (!this.#managed.has(name)) this.#managed.set(name, list);
    }
    for (const entry of entries) {
      const list = this.#entries.of(entry.kind.name, entry.scope);
      if (!list.has(entry.key)) list.set(entry.key, entry);
    }
  }

  fields(kind: string, key: string, scope = ""): DeclaredResource["fields"] | undefined {
    return this.entry(kind, key, scope)?.fields;
  }

  /** The same: here nothing is known but the files. */
  declaredFields(kind: string, key: string, scope = ""): DeclaredResource["fields"] | undefined {
    return this.fields(kind, key, scope);
  }

  entry(kind: string, key: string, scope = ""): DeclaredResource | undefined {
    return this.#entries.get(kind, scope)?.get(key);
  }

  keys(kind: string, scope = ""): Iterable<string> {
    return this.#entries.get(kind, scope)?.keys() ?? [];
  }

  /** The list that the files own, undefined when the collection is not managed. */
  list(kind: string, scope = ""): Heading | undefined {
    return this.#managed.get(listName(kind, scope));
  }

  /** The collections that the files own, in file order. */
  get managed(): readonly Managed[] {
    return [...this.#managed.values()].map(({ kind, scope }) => ({ kind, scope }));
  }
}

function listName(kind: string, scope: string): string {
  return `${kind}\n${scope}`;
}

/** Records every mention of an entry, scope or choice that the files own the list of and do not declare. */
export function checkReferences(
  entries: Iterable<DeclaredResource>,
  lists: readonly Heading[],
  kinds: readonly Kind[],
  directory: Directory,
  findings: Findings,
  dropped: readonly Dropped[] = [],
): void {
  const gone = new Map(dropped.map(({ address, at }) => [address, at]));
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const list of lists) {
    const scopeKind = list.of.scopes?.kind;
    if (scopeKind === undefined || list.scope === "") continue;
    const mention = { at: "", kind: scopeKind, scope: "", key: list.scope };
    checkMention(mention, () => list.at, byName.get(scopeKind), directory, findings, gone);
  }
  const referencesIn = referencesByList(directory);
  for (const entry of entries) {
    const scopeKind = entry.kind.scopes?.kind;
    for (const mention of referencesIn(entry)) {
      // The scope was checked once, at its key.
      if (mention.at === "" && mention.kind === scopeKind) continue;
      checkMention(mention, () => entry.place(mention.at), byName.get(mention.kind), directory, findings, gone);
    }
  }
}

/** Returns the function that gives the references of a resource. The kind's function is made once for each list. */
function referencesByList(directory: Directory): (resource: DeclaredResource) => readonly Reference[] {
  const lists = new Map<string, (fields: DeclaredResource["fields"]) => readonly Reference[]>();
  return ({ kind, scope, fields }) => {
    const { of } = kind.references ?? {};
    if (of === undefined) return [];
    const name = listName(kind.name, scope);
    const referencesOf = lists.get(name) ?? of(directory, scope);
    lists.set(name, referencesOf);
    return referencesOf(fields);
  };
}

function checkMention(
  mention: Reference,
  at: () => Location,
  kind: Kind | undefined,
  directory: Directory,
  findings: Findings,
  gone: ReadonlyMap<string, Location>,
): void {
  const target = directory.entry(mention.kind, mention.key, mention.scope);
  if (target !== undefined) {
    checkChoice(mention, target, at, findings);
    return;
  }
  const list = directory.list(mention.kind, mention.scope);
  if (list === undefined || kind?.lifecycle.builtins?.keys?.includes(mention.key) === true) return;
  const where = mention.scope === "" ? "" : ` of ${mention.scope}`;
  const droppedAt = kind === undefined ? undefined : gone.get(addressOf(kind, mention.scope, mention.key));
  const listed = { message: `${mention.kind}${where} are listed here`, at: list.at };
  findings.error("E_REF", `there is no ${kind?.title ?? mention.kind} "${mention.key}"${where}`, at(), {
    related: [droppedAt === undefined ? listed : { message: "an overlay takes it away", at: droppedAt }],
    help:
      findings.guess(mention.key, directory.keys(mention.kind, mention.scope)) ??
      "Declare it, or mention one that is declared.",
  });
}

function checkChoice(mention: Reference, target: DeclaredResource, at: () => Location, findings: Findings): void {
  const { options } = target.fields;
  if (mention.option === undefined || !isList(options)) return;
  const labels = options.map(labelOf);
  if (labels.includes(mention.option)) return;
  findings.error("E_REF", `${target.address} has no option "${mention.option}"`, at(), {
    related: [{ message: "its options are listed here", at: target.place("/options") }],
    help: findings.guess(mention.option, labels) ?? `Its options are: ${labels.join(", ")}.`,
  });
}

function labelOf(option: Json): string {
  return isFields(option) ? String(option.label) : String(option);
}
