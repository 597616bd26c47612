/** Edits the lists in the files to match the live state, and finds values that must not be overwritten. */

import { type SyntaxNode, valueBelow } from "../../config/edit/cst.ts";
import { applyEdit, checkEdit, type EditRefusal, EditRefused } from "../../config/edit/edit.ts";
import type { EditableDocument } from "../../config/edit/editable-document.ts";
import type { Edit, ItemEdit } from "../../config/edit/list-change.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { fileOf, locationOf, startOf } from "../../config/resources/origins.ts";
import { resourceSchema } from "../../config/schema/schema.ts";
import type { Location } from "../../core/diagnostic.ts";
import { type Fields, fieldsIn, type Json } from "../../core/json.ts";
import { groupBy, longestIncreasing } from "../../core/lists.ts";
import { kinds } from "../../kinds/index.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import type { ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { DesiredFiles, type FileFields } from "./desired-files.ts";
import {
  type AddedResource,
  type DesiredList,
  type KeptResource,
  type PullLimits,
  stayReason,
} from "./desired-list.ts";
import { EditTree } from "./edit-tree.ts";
import { editablePart, isSame, withFiles } from "./editable-part.ts";
import { type OmittedValue, pathOf, refusedIn, representableFields, withNested } from "./live-document.ts";

/** A configuration file open for editing. */
export interface OpenFile {
  readonly file: string;
  readonly document: EditableDocument;
  /** The text on the disk, where the document may have new names. */
  readonly before: string;
  /** The file begins with a byte order mark. */
  readonly marked: boolean;
  /** Returns the line and column of an offset. */
  place(offset: number): Location;
}

/** A live value that is not written, because it would overwrite something of the user's. */
export interface Conflict extends OmittedValue {
  readonly at?: Location;
}

/** A change of a resource in a file. */
export interface PulledResource {
  readonly address: string;
  readonly action: "change" | "add" | "remove" | "move" | "rename";
}

/** The new text of a file. */
export interface PulledFile {
  readonly file: string;
  readonly text: string;
  readonly pulled: readonly PulledResource[];
}

/** Reasons for a conflict. */
const REASONS: Readonly<Record<EditRefusal, string>> = {
  substitution: "the file takes it from a substitution; change its value, or write the value in its place",
  anchor: "an anchor shares it with other places; write the value out where it differs",
  comment: "it would overwrite a comment",
  style: "its YAML style cannot be edited in place",
};

/** Editor of the lists in the files. */
export class ListEditor {
  readonly #configuration: Configuration;
  readonly #state: ResolvedState;
  readonly #fileFields: FileFields;
  readonly #desired: DesiredFiles;
  readonly #files: ReadonlyMap<string, OpenFile>;
  readonly #limits: PullLimits;
  readonly #conflicts: Conflict[] = [];
  #pulled = new Map<string, readonly PulledResource[]>();

  constructor(
    state: ResolvedState,
    graph: ReferenceGraph,
    fileFields: FileFields,
    files: ReadonlyMap<string, OpenFile>,
    limits: PullLimits,
  ) {
    this.#configuration = state.configuration;
    this.#state = state;
    this.#desired = new DesiredFiles(state, graph, fileFields, limits);
    this.#limits = limits;
    this.#fileFields = fileFields;
    this.#files = files;
  }

  get conflicts(): readonly Conflict[] {
    return this.#conflicts;
  }

  /** Returns the files that change, for some of their lists. */
  run(lists: readonly { readonly kind: Kind; readonly scope: string }[]): readonly PulledFile[] {
    const trees = new Map<string, EditTree>();
    for (const { kind, scope } of lists) {
      if (kind.parent !== undefined) {
        this.#apart(kind, kind.parent, scope, trees);
        continue;
      }
      if (this.#isLost(kind, scope)) {
        this.#remove(kind, scope, trees);
        continue;
      }
      const list = this.#desired.list(kind, scope);
      const [conflictCount, pulled] = [this.#conflicts.length, new Map(this.#pulled)];
      const files = this.#perFile(list);
      // The order of rules matters: half of a list would be neither the user's nor the live one.
      if (kind.lifecycle.order === "rank" && this.#conflicts.length > conflictCount) {
        this.#pulled = pulled;
        continue;
      }
      for (const [file, items] of files) {
        const tree = trees.get(file) ?? new EditTree();
        tree.put(pathOf(kind, scope), { items });
        trees.set(file, tree);
      }
    }
    return [...trees].flatMap(([file, tree]) => {
      const open = this.#files.get(file);
      if (open === undefined) return [];
      const edit: Edit = tree.edit() ?? { members: new Map() };
      const refusal = obstacleTo(open, open.document.root, edit);
      if (refusal !== undefined) {
        this.#conflicts.push({ address: file, path: "", ...refusal });
        return [];
      }
      const text = applyEdit(open.document, edit);
      return text === open.document.text ? [] : [{ file, text, pulled: this.#pulled.get(file) ?? [] }];
    });
  }

  /** Whether what a list belongs to no longer exists, and does not stay in the files. */
  #isLost({ scopes, parent }: Kind, scope: string): boolean {
    const owner = parent?.kind ?? scopes?.kind;
    if (owner === undefined || scope === "") return false;
    const declared = this.#state.declared(owner, scope);
    if (stayReason(this.#limits, declared) !== undefined) return false;
    const names = [scope, declared?.renamedFrom];
    return this.#state.live(owner)?.every(({ key }) => !names.includes(key)) === true;
  }

  /** Removes a list whose scope no longer exists, unless the pull does not take it. */
  #remove(kind: Kind, scope: string, trees: Map<string, EditTree>): void {
    if (this.#limits.admits?.(addressPrefix(kind, scope).slice(0, -1)) === false) return;
    const own = this.#state.declaredIn(kind.name, scope);
    const owner = listAt(this.#configuration, kind.name, scope)?.file;
    const files = new Set([...own.map(fileOf), ...(owner === undefined ? [] : [owner])]);
    for (const file of files) {
      const tree = trees.get(file) ?? new EditTree();
      tree.put(pathOf(kind, scope), undefined);
      trees.set(file, tree);
      this.#record(
        file,
        own.map(({ address }) => ({ address, action: "remove" })),
      );
    }
  }

  /** Edits the parts of a nested list that stand apart from its parent. The first takes what is new, unless the parent has a list. */
  #apart(kind: Kind, { kind: parent, field }: Parent, scope: string, trees: Map<string, EditTree>): void {
    if (this.#isLost(kind, scope)) {
      this.#remove(kind, scope, trees);
      return;
    }
    if (this.#state.live(kind.name, scope) === undefined) return;
    const list = this.#desired.list(kind, scope);
    const owner = this.#state.declared(parent, scope);
    let takesNew = owner === undefined || this.#nestedWritten(fileOf(owner), owner, field) === undefined;
    for (const [file, open] of this.#files) {
      const written = this.#find(file, pathOf(kind, scope));
      if (written === undefined) continue;
      const { entries, missing, places } = editablePart(list, written, open, this.#configuration, takesNew);
      takesNew = false;
      const tree = trees.get(file) ?? new EditTree();
      tree.put(pathOf(kind, scope), { items: this.#items(file, written, entries, missing, places) });
      trees.set(file, tree);
    }
  }

  #record(file: string, pulled: readonly PulledResource[]): void {
    this.#pulled.set(file, [...(this.#pulled.get(file) ?? []), ...pulled]);
  }

  /** Returns the items of a list for each file. */
  #perFile(list: DesiredList): ReadonlyMap<string, readonly ItemEdit[]> {
    const { kind, scope, entries, missing } = list;
    const declared = this.#state.declaredIn(kind.name, scope);
    const byFile = groupBy(declared, fileOf);
    const places = new Map([...byFile.values()].flatMap((own) => own.map((entry, place) => [entry, place])));
    const [first = listAt(this.#configuration, kind.name, scope)?.file] = byFile.keys();
    if (first === undefined) return new Map();
    this.#refuseScatter(list, [...byFile.keys()]);
    const result = new Map<string, readonly ItemEdit[]>();
    for (const file of byFile.size === 0 ? [first] : byFile.keys()) {
      const own = withFiles(entries, first).flatMap((one) => (one.file === file ? one.entry : []));
      const written = this.#find(file, pathOf(kind, scope));
      if (written === undefined) continue;
      const lost = missing.filter((entry) => fileOf(entry) === file);
      result.set(file, this.#items(file, written, own, lost, places));
    }
    return result;
  }

  /** Reports a conflict if the live order of a list in several files cannot be written as an order within each file. */
  #refuseScatter({ kind, scope, entries }: DesiredList, files: readonly string[]): void {
    if (kind.lifecycle.order === undefined) return;
    const own = entries.flatMap((entry) => ("declared" in entry ? [entry.declared] : []));
    const places = own.map((resource) => files.indexOf(fileOf(resource)));
    const late = places.findIndex((place, at) => at > 0 && place < (places[at - 1] ?? 0));
    const [before, entry] = [own[late - 1], own[late]];
    if (before === undefined || entry === undefined) return;
    this.#conflicts.push({
      address: scope === "" ? kind.name : `${kind.name}/${scope}`,
      path: "",
      reason: `its order spans several files; move its resources by hand: ${entry.address} comes after ${before.address} in ${fileOf(before)}`,
      at: startOf(entry),
    });
  }

  /** The list at a path of a file. */
  #find(file: string, path: readonly string[]): SyntaxNode | undefined {
    return valueBelow(this.#files.get(file)?.document.root, path);
  }

  #items(
    file: string,
    written: SyntaxNode,
    entries: readonly (KeptResource | AddedResource)[],
    missing: readonly DeclaredResource[],
    places: ReadonlyMap<DeclaredResource, number>,
  ): readonly ItemEdit[] {
    const pulled: PulledResource[] = [];
    const all = entries.flatMap((entry): readonly ItemEdit[] => {
      if (!("declared" in entry)) {
        const item = this.#anew(entry);
        if (item === undefined) return [];
        pulled.push({ address: entry.live.address, action: "add" });
        return [{ to: item }];
      }
      this.#reportStaying(entry);
      const from = places.get(entry.declared) ?? 0;
      const value = written.items[from]?.value;
      const edit = value === undefined ? undefined : this.#entry(file, value, entry);
      if (edit !== undefined) pulled.push({ address: entry.declared.address, action: "change" });
      return [edit === undefined ? { from } : { from, edit }];
    });
    const kept = all.flatMap((item) => ("from" in item ? [item.from] : []));
    const staying = new Set(longestIncreasing(kept).map((at) => kept[at]));
    for (const entry of entries) {
      if ("declared" in entry && !staying.has(places.get(entry.declared) ?? -1))
        pulled.push({ address: entry.declared.address, action: "move" });
    }
    for (const { address } of missing) pulled.push({ address, action: "remove" });
    const whole = written.items.map((_, from): ItemEdit => ({ from }));
    if (isSame(all, whole.length)) return whole;
    const reason = this.#listRefusal(file, written, all);
    if (reason === undefined) {
      this.#record(file, pulled);
      return all;
    }
    // Half of a list would be neither the user's nor the live one.
    for (const address of new Set(pulled.map((one) => one.address))) {
      this.#conflicts.push({ address, path: "", ...reason });
    }
    return whole;
  }

  #reportStaying({ declared, live }: KeptResource): void {
    const reason = live === undefined ? stayReason(this.#limits, declared) : undefined;
    if (reason !== undefined)
      this.#conflicts.push({ address: declared.address, path: "", reason, at: startOf(declared) });
  }

  /** Returns the reason why a list cannot be changed; undefined if it can. */
  #listRefusal(file: string, written: SyntaxNode, items: readonly ItemEdit[]): Obstacle | undefined {
    const open = this.#files.get(file);
    return open === undefined ? undefined : obstacleTo(open, written, { items });
  }

  /** A new resource as its file holds it; undefined if no file can. */
  #anew({ live, fields }: AddedResource): Json | undefined {
    const [found] = withNested(live, fields, childrenOf(kinds, live.kind), this.#state, this.#fileFields);
    if (found === undefined) return undefined;
    const held = representableFields(live, found[1], refusedIn(live, this.#state, this.#limits.refused));
    this.#conflicts.push(...held.omitted);
    return held.fields;
  }

  /** The edit of a resource; undefined if nothing in it changes. */
  #entry(file: string, value: SyntaxNode, { declared, live, fields }: KeptResource): Edit | undefined {
    const order = ["extra", ...Object.keys(propertiesOf(declared.kind))];
    const members = new Map<string, Edit | undefined>();
    const extra = new Map<string, Edit | undefined>();
    const open = this.#files.get(file);
    if (open === undefined) return undefined;
    const refused = live === undefined ? [] : refusedIn(live, this.#state, this.#limits.refused);
    for (const [name, to] of fields) {
      const isExtra = declared.extra.includes(name);
      const edit: Edit | undefined =
        to === undefined ? undefined : { was: declared.written?.[name] ?? declared.fields[name] ?? null, to };
      const one: Edit = { members: new Map([[name, edit]]), order };
      const whole: Edit = isExtra ? { members: new Map([["extra", one]]) } : one;
      const [hidden] = refused.flatMap(({ pointer, reason }) => (pointer === `/${name}` ? [{ reason }] : []));
      const reason = hidden ?? this.#refusal(open, value, declared, name, to, whole);
      if (reason === undefined) (isExtra ? extra : members).set(name, edit);
      else this.#conflicts.push({ address: live?.address ?? declared.address, path: `/${name}`, ...reason });
    }
    if (extra.size > 0) members.set("extra", { members: extra });
    for (const [field, edit] of this.#nested(file, declared)) members.set(field, edit);
    return members.size === 0 ? undefined : { members, order };
  }

  /** Returns the reason why a field cannot be changed; undefined if it can. */
  #refusal(
    open: OpenFile,
    value: SyntaxNode,
    declared: DeclaredResource,
    name: string,
    to: Json | undefined,
    edit: Edit,
  ): Obstacle | undefined {
    const stands = locationOf(declared.origins, `/${name}`);
    if (stands.file !== fileOf(declared)) {
      return { reason: `it comes from ${stands.file}, an overlay of the resource's own file`, at: stands };
    }
    const obstacle = obstacleTo(open, value, edit);
    // Whether the live value can be declared may depend on that of a variable.
    if (obstacle?.reason === REASONS.substitution) return obstacle;
    if (to !== undefined) {
      const whole = { ...identityOf(declared), [name]: to };
      const { omitted } = representableFields({ ...declared, fields: {}, row: {}, id: "" }, whole);
      const [found] = omitted.filter(({ path }) => path === `/${name}`);
      if (found !== undefined) return { reason: found.reason, at: stands };
    }
    return obstacle;
  }

  /** Returns the edits of a resource's nested lists. */
  #nested(file: string, declared: DeclaredResource): readonly (readonly [string, Edit])[] {
    return childrenOf(kinds, declared.kind).flatMap((kind): readonly (readonly [string, Edit])[] => {
      const field = kind.parent?.field ?? "";
      const owned = this.#configuration.managed.some((one) => one.kind === kind.name && one.scope === declared.key);
      if (!owned || this.#state.live(kind.name, declared.key) === undefined) return [];
      const list = this.#desired.list(kind, declared.key);
      const written = this.#nestedWritten(file, declared, field);
      const open = this.#files.get(file);
      if (written === undefined || open === undefined) return [];
      const { entries, missing, places } = editablePart(list, written, open, this.#configuration);
      const items = this.#items(file, written, entries, missing, places);
      return isSame(items, written.items.length) ? [] : [[field, { items }]];
    });
  }

  #nestedWritten(file: string, declared: DeclaredResource, field: string): SyntaxNode | undefined {
    const list = this.#find(file, pathOf(declared.kind, declared.scope));
    const own = this.#state
      .declaredIn(declared.kind.name, declared.scope)
      .filter((resource) => fileOf(resource) === file);
    return valueBelow(list?.items[own.indexOf(declared)]?.value, [field]);
  }
}

/** Reason why a value cannot be changed, and the place of the obstacle. */
interface Obstacle {
  readonly reason: string;
  readonly at: Location;
}

function obstacleTo({ document, place }: OpenFile, value: SyntaxNode, edit: Edit): Obstacle | undefined {
  try {
    checkEdit(document, value, edit);
    return undefined;
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return { reason: REASONS[error.reason], at: place(error.offset) };
  }
}

function propertiesOf(kind: Kind): Fields {
  const { properties } = resourceSchema(kind).part;
  return fieldsIn(properties);
}

function identityOf({ keyField, key }: DeclaredResource): Fields {
  return keyField === "" ? {} : { [keyField]: key };
}

type Parent = NonNullable<Kind["parent"]>;
