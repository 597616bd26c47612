/**
 * Resources that have other names in the workspace than in the files get these in the files before the rest is pulled: those that somebody
 * has renamed, and those whose names the service stores in another form. So they stay where they stand, with their comments, and the lists
 * that belong to them, such as the rules of a source, stay managed.
 */

import { applyEdit, checkEdit, EditRefused } from "../../config/edit/edit.ts";
import { flowText, keyText } from "../../config/edit/yaml-writer.ts";
import { type Configuration, listAt } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { fileOf, locationOf, templateAt } from "../../config/resources/origins.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { Source } from "../../config/source/source.ts";
import { InvalidConfiguration, type Location } from "../../core/diagnostic.ts";
import { addTo, groupBy } from "../../core/lists.ts";
import { quoted, yamlWord } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, isRemovable, type LiveResource } from "../../kinds/model/resource.ts";
import { isSameName } from "../../kinds/values/sameness.ts";
import { likelyRenames } from "../../plan/removal/possible-renames.ts";
import { type LastApplied, wasStoredOtherwise } from "../../workspace/match/last-applied.ts";
import type { MatchedList } from "../../workspace/match/match.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { EditTree } from "./edit-tree.ts";
import { openDocument } from "./files.ts";
import type { RefusedPart } from "./gone-references.ts";
import type { Conflict, PulledResource } from "./list-editor.ts";
import { pathOf } from "./live-document.ts";

/** The configuration with the new names. */
export interface Followed {
  readonly configuration: Configuration;
  /** File → its text with the new names; only files with one. */
  readonly texts: ReadonlyMap<string, string>;
  /** File → what is renamed in it. */
  readonly renamed: ReadonlyMap<string, readonly PulledResource[]>;
  /** Former address → the new one, of renamed resources and of the lists that belong to them. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly kept: readonly KeptName[];
}

/** A resource that keeps its name in the files: its address there and those of its lists, the part that no pull takes, and the conflicts. */
interface KeptName {
  readonly addresses: readonly string[];
  readonly part: RefusedPart;
  readonly conflicts: readonly Conflict[];
}

/** A declared resource, and the live one that it is under another name. */
interface Renamed {
  readonly declared: DeclaredResource;
  readonly live: LiveResource;
}

/** The content of a pull. */
export interface Pulled {
  /** Whether it takes one of some addresses of a kind that are all of one resource or list. */
  takes(kind: Kind, addresses: readonly string[]): boolean;
  /** It takes a part of the workspace only: then no rename is followed that is just likely, as the other resource may not be meant. */
  readonly isNarrow: boolean;
}

/** A text in a file that names the renamed resource. */
interface NamePlace {
  readonly at: Location;
  readonly from: string;
  readonly text: string;
}

/** Follows renames in the files, as far as these are pulled and can take them. */
export async function followRenames(
  { state, matching }: Pick<ResolvedWorkspace, "state" | "matching">,
  lastApplied: LastApplied,
  pulled: Pulled,
  load: (texts: ReadonlyMap<string, string>) => Promise<Configuration>,
): Promise<Followed> {
  const { configuration } = state;
  const lists = kinds.flatMap(({ name }) => matching.lists.filter(({ kind }) => kind === name));
  const all = lists.flatMap((list) => renamesIn(state, list, lastApplied, pulled.isNarrow));
  const taken = all.filter(({ declared, live }) => pulled.takes(declared.kind, [declared.address, live.address]));
  const editable = taken.filter((one) => textsWith(state, [one]) !== undefined);
  const texts = textsWith(state, editable) ?? new Map<string, string>();
  const loaded = texts.size === 0 ? undefined : await loadedOrUndefined(() => load(texts));
  const followed = loaded === undefined ? [] : editable;
  const kept = all.filter((one) => !followed.includes(one));
  return {
    configuration: withFormerNames(loaded ?? configuration, kept),
    texts: loaded === undefined ? new Map() : texts,
    renamed: renamedIn(configuration, followed),
    addresses: new Map(followed.flatMap(addressesOf)),
    kept: kept.map((one) => keptName(one, taken.includes(one), pulled)),
  };
}

/** The result of loading; undefined where the files would not be valid. */
async function loadedOrUndefined(load: () => Promise<Configuration>): Promise<Configuration | undefined> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof InvalidConfiguration) return undefined;
    throw error;
  }
}

/** The renames in a list: matched resources whose names differ, names in another form, names that an apply has seen stored, and likely ones. */
function renamesIn(
  state: ResolvedState,
  list: MatchedList,
  lastApplied: LastApplied,
  isNarrow: boolean,
): readonly Renamed[] {
  const kind = state.kinds.get(list.kind);
  if (kind?.identity.pin === undefined) return [];
  const { settings } = state.configuration;
  const matched = list.matches.flatMap(({ declared, live }): readonly Renamed[] => {
    // Without lists that belong to it, the editor of lists writes the name.
    const isOther =
      live !== undefined && live.key !== declared.key && listsOf(state.configuration, declared).length > 0;
    return isOther ? [{ declared, live }] : [];
  });
  const created = list.matches.flatMap(({ declared, live }) =>
    live === undefined && templateAt(declared.origins, "") === undefined ? [declared] : [],
  );
  const left = new Set(list.undeclared);
  const take = (declared: DeclaredResource, isIt: (live: LiveResource) => boolean): readonly Renamed[] => {
    const [live, ...others] = [...left].filter(isIt);
    if (live === undefined || others.length > 0) return [];
    left.delete(live);
    return [{ declared, live }];
  };
  const stored = created.flatMap((declared) => take(declared, (live) => wasStoredAs(declared, live, lastApplied)));
  const isOpen = (one: DeclaredResource): boolean => stored.every(({ declared }) => declared !== one);
  const inForm = created
    .filter(isOpen)
    .flatMap((declared) => take(declared, ({ key }) => isSameName(key, declared.key)));
  const rest = created.filter((one) => isOpen(one) && inForm.every(({ declared }) => declared !== one));
  const isKept = isNarrow || removalPolicyOf(settings, kind) === "keep";
  const removed = isKept ? [] : [...left].filter((live) => isRemovable(live, state.configuration));
  const likely = likelyRenames(state, rest, removed).flatMap(({ from, to }): readonly Renamed[] => {
    const declared = rest.find(({ address }) => address === to);
    const live = removed.find(({ address }) => address === from);
    return declared === undefined || live === undefined ? [] : [{ declared, live }];
  });
  return [...matched, ...stored, ...inForm, ...likely];
}

/** Whether an apply has created the declared resource, and the service has stored it under the live name. */
function wasStoredAs(
  { address, key, keyField }: DeclaredResource,
  live: LiveResource,
  { hashes }: LastApplied,
): boolean {
  const difference = { path: `/${keyField}`, before: live.key, after: key };
  return wasStoredOtherwise({ hashes, resend: false }, address, difference);
}

/** The resources with the live names as their former ones, so that they are matched, and what belongs to them is. */
function withFormerNames(configuration: Configuration, kept: readonly Renamed[]): Configuration {
  if (kept.length === 0) return configuration;
  const former = new Map(kept.map(({ declared, live }) => [declared.address, live.key]));
  const declared = configuration.declared.map((one) => {
    const renamedFrom = former.get(one.address);
    return renamedFrom === undefined ? one : { ...one, renamedFrom };
  });
  return { ...configuration, declared };
}

function keptName(renamed: Renamed, isTaken: boolean, pulled: Pulled): KeptName {
  const { declared, live } = renamed;
  const { kind, address, key, keyField, origins } = declared;
  const reason = `the workspace calls it ${quoted(live.key)}; write ${keyField}: ${yamlWord(live.key)} by hand`;
  const part: RefusedPart = [`${live.address}#/${keyField}`, reason];
  const at = locationOf(origins, `/${keyField}`);
  const addresses = addressesOf(renamed).map(([from]) => from);
  if (isTaken) return { addresses, part, conflicts: [{ address, path: `/${keyField}`, reason, at }] };
  const lists = scopedKinds(kind).map((one) => [one, listAddress(one, key), listAddress(one, live.key)] as const);
  const conflicts = lists.flatMap(([one, from, to]) => {
    const why = `the workspace calls its ${kind.title} ${quoted(live.key)}; pull ${address} as well`;
    return pulled.takes(one, [from, to]) ? [{ address: from, path: "", reason: why, at }] : [];
  });
  return { addresses, part, conflicts };
}

function addressesOf({ declared, live }: Renamed): readonly (readonly [string, string])[] {
  const lists = scopedKinds(declared.kind).map(
    (kind) => [listAddress(kind, declared.key), listAddress(kind, live.key)] as const,
  );
  return [[declared.address, live.address], ...lists];
}

/** The kinds of the lists that belong to resources of a kind by their names. */
function scopedKinds({ name }: Kind): readonly Kind[] {
  return kinds.filter(({ scopes }) => scopes?.kind === name);
}

function listAddress(kind: Kind, scope: string): string {
  return addressPrefix(kind, scope).slice(0, -1);
}

function renamedIn(
  configuration: Configuration,
  followed: readonly Renamed[],
): ReadonlyMap<string, readonly PulledResource[]> {
  const renamed = new Map<string, PulledResource[]>();
  for (const { declared } of followed) {
    for (const resource of [declared, ...childrenOf(configuration, declared)]) {
      addTo(renamed, fileOf(resource), { address: resource.address, action: "rename" });
    }
  }
  return renamed;
}

/** Its own name, and the keys of the lists that belong to it. */
function placesOf(configuration: Configuration, { declared, live }: Renamed): readonly NamePlace[] {
  const { key, keyField, origins } = declared;
  return [
    { at: locationOf(origins, `/${keyField}`), from: key, text: flowText(live.key) },
    ...listsOf(configuration, declared).map((at) => ({ at, from: key, text: keyText(live.key) })),
  ];
}

/** The places of the keys of the lists that belong to a resource. */
function listsOf(configuration: Configuration, { kind, key }: DeclaredResource): readonly Location[] {
  return scopedKinds(kind).flatMap(({ name }) => listAt(configuration, name, key) ?? []);
}

function childrenOf({ declared }: Configuration, { kind, key }: DeclaredResource): readonly DeclaredResource[] {
  return declared.filter((one) => one.scope === key && one.kind.scopes?.kind === kind.name);
}

/** The texts of the files with the new names, and without former ones; undefined if one cannot be edited where it stands. */
function textsWith(state: ResolvedState, renames: readonly Renamed[]): ReadonlyMap<string, string> | undefined {
  const { configuration } = state;
  const { texts: before, overlays } = configuration;
  const texts = new Map<string, string>();
  const places = renames.flatMap((one) => placesOf(configuration, one));
  for (const [file, own] of groupBy(places, ({ at }) => at.file)) {
    const text = before.get(file);
    if (text === undefined || overlays?.files.includes(file) === true) return undefined;
    const changed = textWith(text, own);
    if (changed === undefined) return undefined;
    texts.set(file, changed);
  }
  for (const { declared } of renames.filter(({ declared: { renamedFrom } }) => renamedFrom !== undefined)) {
    const file = fileOf(declared);
    const text = withoutFormerName(state, declared, texts.get(file) ?? "");
    if (text === undefined) return undefined;
    texts.set(file, text);
  }
  return texts;
}

/** A text with the new names; undefined if one shares its place with others, such as by an anchor. */
function textWith(text: string, places: readonly NamePlace[]): string | undefined {
  const starts = [0];
  for (const line of text.split("\n")) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const offsetOf = ({ line, column }: Location): number => (starts[line - 1] ?? 0) + column - 1;
  let changed = text;
  for (const { at, from, text: name } of places.toSorted((left, right) => offsetOf(right.at) - offsetOf(left.at))) {
    const start = offsetOf(at);
    const end = start + (at.length ?? 0);
    const isShared = /[&*][^\s,[\]{}]+\s*$/.test(text.slice(0, start));
    if (isShared || !isWriting(text.slice(start, end), from)) return undefined;
    changed = changed.slice(0, start) + name + changed.slice(end);
  }
  return changed;
}

/** Whether a text of a file is a name, as it is, in quotes, or with a substitution in it. */
function isWriting(written: string, name: string): boolean {
  if (written.includes("\n") || written.startsWith("*")) return false;
  return [name, JSON.stringify(name), `'${name.replaceAll("'", "''")}'`].includes(written) || written.includes("${");
}

/** The text of a file without the former name of a resource; undefined if it cannot be taken out. */
function withoutFormerName(state: ResolvedState, declared: DeclaredResource, text: string): string | undefined {
  const { kind, scope } = declared;
  const file = fileOf(declared);
  const own = state.declaredIn(kind.name, scope).filter((one) => fileOf(one) === file);
  const items = own.map((one, from) =>
    one === declared ? { from, edit: { members: new Map([["renamed_from", undefined]]) } } : { from },
  );
  const tree = new EditTree();
  tree.put(pathOf(kind, scope), { items });
  const document = openDocument(new Source(file, file, text));
  const edit = tree.edit() ?? { members: new Map() };
  try {
    checkEdit(document, document.root, edit);
    return applyEdit(document, edit);
  } catch (error) {
    if (error instanceof EditRefused) return undefined;
    throw error;
  }
}
