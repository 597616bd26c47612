/**
 * Matches declared resources with live ones: by pin, by key, by former name; never a second copy of a resource that exists under
 * another slug. Lists are matched once for each resolved state. Lists of ranked kinds have no keys and are not matched: their
 * transition plans them as a whole.
 */

import type { Configuration, ManagedList } from "../../config/resources/configuration.ts";
import { admits } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf, startOf, templateAt } from "../../config/resources/origins.ts";
import { isIgnored, isLeftAlone } from "../../config/settings/exemptions.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { groupBy } from "../../core/lists.ts";
import { escapedAlike, looksLike, quoted, yamlWord } from "../../core/sanitise.ts";
import { type LiveResource, listName, originOf, wireKeyOf } from "../../kinds/model/resource.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import { foldedName, nameForms } from "../../kinds/values/sameness.ts";
import type { ResolvedState } from "./resolved-state.ts";

/** A declared resource and its live one; undefined if it has to be created. */
export interface Match {
  readonly declared: DeclaredResource;
  readonly live?: LiveResource | undefined;
}

/** A declared resource that exists. */
interface ExistingMatch extends Match {
  readonly live: LiveResource;
}

/** The matches of a managed list. */
export interface MatchedList {
  readonly kind: string;
  readonly scope: string;
  /** The systems whose resources the files own; absent if they own the whole list. */
  readonly madeBy?: readonly string[] | undefined;
  /** The matches that this run may change, in declared order. */
  readonly matches: readonly Match[];
  /** Matches of declared resources that this run may not change. */
  readonly otherMatches: readonly Match[];
  /** Live resources without a declared one that this run may change, in the service's order. */
  readonly undeclared: readonly LiveResource[];
  /** Live resources without a declared one that this run may not change; also ignored and accepted ones, and those that others made. */
  readonly otherUndeclared: readonly LiveResource[];
  /** Resources that cannot be matched without doubt. With any of these, no plan can be made. */
  readonly errors: readonly Diagnostic[];
  /** Resources that other files make and that cannot be matched without doubt: a plan leaves them alone and says why. */
  readonly unsettled: readonly Unsettled[];
}

/** A made resource that a plan leaves alone, with the reason. */
export interface Unsettled {
  readonly declared: DeclaredResource;
  /** The live resource of its origin, if there is one. */
  readonly live?: LiveResource | undefined;
  readonly reason: Diagnostic;
}

/** Every managed list of resources with keys, matched. */
export class Matching {
  /** In the order in which the files manage them. */
  readonly lists: readonly MatchedList[];
  readonly #byName: ReadonlyMap<string, MatchedList>;

  constructor(state: ResolvedState) {
    this.lists = state.configuration.managed
      .filter(({ kind }) => state.kinds.get(kind)?.lifecycle.order !== "rank")
      .map((list) => matchList(state, list));
    this.#byName = new Map(this.lists.map((list) => [listName(list.kind, list.scope), list]));
  }

  /** A matched list; undefined if the files do not manage it. */
  list(kind: string, scope = ""): MatchedList | undefined {
    return this.#byName.get(listName(kind, scope));
  }

  /** Declared resource → the live one that it matches, for every managed list, whether this run may change it or not. */
  liveByDeclared(): ReadonlyMap<DeclaredResource, LiveResource> {
    const all = this.lists.flatMap(({ matches, otherMatches }) => [...matches, ...otherMatches]);
    return new Map(all.filter(isLive).map(({ declared, live }) => [declared, live]));
  }

  /** The matches of live resources that this run may change, of some kinds. Default: of all. */
  existing(concerns: (kind: string) => boolean = () => true): readonly ExistingMatch[] {
    return this.lists.flatMap(({ kind, matches }) => (concerns(kind) ? matches.filter(isLive) : []));
  }

  /** Live resource → the declared one that it is, for every managed list. */
  declaredByLive(): ReadonlyMap<LiveResource, DeclaredResource> {
    return new Map(this.existing().map(({ declared, live }) => [live, declared]));
  }
}

function isLive(match: Match): match is ExistingMatch {
  return match.live !== undefined;
}

/** Whether this run may change a resource. A list whose first match decides changes as a whole. */
export function isInScope(
  { reach, managed }: Configuration,
  { kind, scope, address }: Pick<LiveResource, "kind" | "scope" | "address">,
): boolean {
  if (reach === undefined) return true;
  return kind.lifecycle.order === "rank"
    ? managed.some((list) => list.kind === kind.name && list.scope === scope)
    : admits(reach, address);
}

/** A live resource that another system or a person made; `why`, if nobody can know. */
interface MadeElsewhere {
  readonly address: string;
  readonly why?: string;
}

/** The live resources of shared lists that neither the files declare nor their systems made. */
export function madeByOthers({ lists }: Matching): readonly MadeElsewhere[] {
  return lists.flatMap(({ madeBy, otherUndeclared }) =>
    otherUndeclared.flatMap((live): readonly MadeElsewhere[] => {
      const { address, kind, row } = live;
      if (isMadeBy(live, madeBy)) return [];
      const isReturned = Object.hasOwn(row, kind.identity.origin?.system ?? "");
      return [isReturned ? { address } : { address, why: "the service does not return who made it" }];
    }),
  );
}

/** Whether the service records that a resource comes from one of the systems; of a list without systems, all are the files' own. */
function isMadeBy({ kind, row }: LiveResource, systems: readonly string[] | undefined): boolean {
  if (systems === undefined) return true;
  const system = row[kind.identity.origin?.system ?? ""];
  return typeof system === "string" && systems.includes(system);
}

function matchList(state: ResolvedState, { kind, scope, madeBy }: ManagedList): MatchedList {
  const { configuration } = state;
  const { exemptions } = configuration;
  const mayChange = (live: LiveResource): boolean =>
    isInScope(configuration, live) && !isLeftAlone(exemptions, live.address) && isMadeBy(live, madeBy);
  const { matches, undeclared, errors, unsettled } = matchResources(
    state.declaredIn(kind, scope),
    state.live(kind, scope) ?? [],
    mayChange,
  );
  if (configuration.reach === undefined && exemptions === undefined && madeBy === undefined)
    return { kind, scope, matches, otherMatches: [], undeclared, otherUndeclared: [], errors, unsettled };
  const ignored = matches.filter(isLive).filter(({ live }) => isIgnored(exemptions, live.address));
  return {
    kind,
    scope,
    madeBy,
    matches: matches.filter(({ declared }) => isInScope(configuration, declared)),
    otherMatches: matches.filter(({ declared }) => !isInScope(configuration, declared)),
    undeclared: undeclared.filter(mayChange),
    otherUndeclared: undeclared.filter((live) => !mayChange(live)),
    errors: [...errors, ...ignored.map(matchesIgnored)],
    unsettled,
  };
}

/** Matches the declared resources of a list with its live ones. `mayGo`: whether a plan removes one that nothing declares. */
export function matchResources(
  declared: readonly DeclaredResource[],
  live: readonly LiveResource[],
  mayGo: (live: LiveResource) => boolean = () => true,
): Pick<MatchedList, "matches" | "undeclared" | "errors" | "unsettled"> {
  const unmatchedLive = new Set(live);
  const matched = new Map<DeclaredResource, LiveResource>();
  const errors: Diagnostic[] = [];
  const addMatch = (resource: DeclaredResource, match: LiveResource | undefined) => {
    if (match === undefined) return;
    matched.set(resource, match);
    unmatchedLive.delete(match);
  };

  const pinned = declared.filter(({ pin }) => pin !== undefined);
  const byId = new Map(pinned.length === 0 ? [] : live.toReversed().map((row) => [row.id, row]));
  for (const resource of pinned) {
    const match = byId.get(resource.pin ?? "");
    if (match === undefined) errors.push(pinNotFound(resource));
    addMatch(resource, match);
  }

  const doubtful = doubtfulOrigins(declared, live);
  const unpinned = declared.filter((one) => one.pin === undefined && !doubtful.has(one));
  const byKey = groupBy(live, ({ key }) => key);
  for (const [resource, own] of matched) {
    const other = byKey.get(resource.key)?.find((row) => row !== own);
    if (other !== undefined && own.key !== resource.key && resource.kind.lifecycle.allowsDuplicates !== true) {
      errors.push(keyTaken(resource, own, other));
    }
  }
  const addMatchByKey = (resource: DeclaredResource, key: string) => {
    const candidates = (byKey.get(key) ?? NONE).filter(
      (row) => row.keyField === resource.keyField && unmatchedLive.has(row),
    );
    // Only the configuration of an undo has several of one name.
    const namesakes = candidates.length > 1 ? unpinned.filter((one) => one.key === key && !matched.has(one)) : [];
    if (candidates.length > Math.max(1, namesakes.length)) errors.push(ambiguousName(resource, candidates));
    addMatch(
      resource,
      candidates.find((live) => namesakes.length > 1 && isAsDeclared(live, resource)) ?? candidates[0],
    );
  };
  for (const resource of unpinned) addMatchByKey(resource, resource.key);
  const unmatched = unpinned.filter((resource) => !matched.has(resource));
  for (const resource of unmatched) {
    if (resource.renamedFrom !== undefined) addMatchByKey(resource, resource.renamedFrom);
  }

  const created = unmatched.filter((resource) => !matched.has(resource));
  const copies = copiesOf(created, live, unmatchedLive, mayGo);
  const unsettled: Unsettled[] = [];
  for (const doubt of [...doubtful.values(), ...copies]) {
    if (isMade(doubt.declared)) unsettled.push(doubt);
    else errors.push(doubt.reason);
  }
  const matches = declared.map((resource) => ({ declared: resource, live: matched.get(resource) }));
  return { matches, undeclared: live.filter((row) => unmatchedLive.has(row)), errors, unsettled };
}

/** Whether another file makes a resource, so that nobody can write a field of it. */
function isMade({ origins, keyField }: DeclaredResource): boolean {
  return templateAt(origins, "") !== undefined || templateAt(origins, `/${keyField}`) !== undefined;
}

/** The resources whose origin is that of a live resource with another key. */
function doubtfulOrigins(
  declared: readonly DeclaredResource[],
  live: readonly LiveResource[],
): ReadonlyMap<DeclaredResource, Unsettled> {
  const doubtful = new Map<DeclaredResource, Unsettled>();
  if (declared[0]?.kind.identity.origin === undefined) return doubtful;
  const byOrigin = new Map(live.map((row) => [originOf(row.kind, row.row), row]));
  for (const resource of declared) {
    const origin = originOf(resource.kind, resource.fields);
    const own = origin === undefined ? undefined : byOrigin.get(origin);
    if (own === undefined || own.key === resource.key) continue;
    doubtful.set(resource, { declared: resource, live: own, reason: originTaken(resource, own) });
  }
  return doubtful;
}

const NONE: readonly LiveResource[] = [];

/** The resources to create that would be a second one of a live name. One that the plan removes is in the way of no made resource. */
function copiesOf(
  created: readonly DeclaredResource[],
  live: readonly LiveResource[],
  unmatched: ReadonlySet<LiveResource>,
  mayGo: (live: LiveResource) => boolean,
): readonly Unsettled[] {
  if (created.length === 0) return [];
  const free = [...unmatched].reverse();
  const byKey = new Map(free.map((row) => [foldedKeyOf(row), row]));
  const byName = new Map(free.map((row) => [displayNameOf(row), row]));
  const staying = new Map(free.filter((row) => !mayGo(row)).map((row) => [displayNameOf(row), row]));
  const renamed = new Map(
    live.filter((row) => row.fields[row.keyField] !== row.key).map((row) => [wireKeyOf(row), row]),
  );
  return created.flatMap((declared) => {
    const name = displayNameOf(declared);
    const sameSlug = renamed.get(declared.key);
    if (sameSlug !== undefined) return [{ declared, reason: slugTaken(declared, sameSlug) }];
    const sameName = name === undefined ? undefined : (isMade(declared) ? staying : byName).get(name);
    if (sameName !== undefined) return [{ declared, reason: nameTaken(declared, sameName) }];
    const sameKey = byKey.get(foldedKeyOf(declared));
    return sameKey === undefined ? [] : [{ declared, reason: storedOtherwise(declared, sameKey) }];
  });
}

/** Whether a live resource has every declared value that the service returns. */
function isAsDeclared({ kind, fields }: LiveResource, declared: DeclaredResource): boolean {
  return Object.entries(declared.fields).every(([name, value]) => {
    const current = fields[name];
    return current === undefined || isSameField(kind, name, current, value);
  });
}

/** The name that people tell a resource by, folded; undefined where there is none besides the key. */
function displayNameOf({ kind, fields }: Pick<LiveResource, "kind" | "fields">): string | undefined {
  const name = fields[kind.identity.displayName ?? ""];
  return typeof name === "string" ? foldedName(name) : undefined;
}

/** The key of a resource, folded, with its field: a number cannot be the form of a slug. */
function foldedKeyOf({ key, keyField }: Pick<LiveResource, "key" | "keyField">): string {
  return `${keyField} ${foldedName(key)}`;
}

function pinNotFound(resource: DeclaredResource): Diagnostic {
  const { kind, pin, address } = resource;
  const { title, identity } = kind;
  const field = identity.pin ?? "";
  const message = `${address} is pinned to "${pin}", but no live ${title} has that ${field}`;
  const help = `Remove ${field} to create the ${title}, or write the ${field} of a live one.`;
  return errorAt(resource, `/${field}`, "E_PIN", message, help);
}

function keyTaken(resource: DeclaredResource, own: LiveResource, other: LiveResource): Diagnostic {
  const { kind, key, keyField, address } = resource;
  const message = `${address} is pinned to the live ${kind.title} "${own.key}", and another live one (${other.id}) has the ${keyField} "${key}"`;
  const help = `Correct ${kind.identity.pin}, choose another ${keyField}, or rename the other ${kind.title} first.`;
  return errorAt(resource, `/${keyField}`, "E_NAME_TAKEN", message, help);
}

/** A declared resource is ignored under its own name already when it is loaded; by pin or former name it may be another one. */
function matchesIgnored({ declared, live }: ExistingMatch): Diagnostic {
  return {
    severity: "error",
    code: "E_IGNORE",
    message: `${declared.address} is the live ${live.address}, which the settings ignore`,
    at: startOf(declared),
    help: "Remove it from the files, or the pattern from ignore in incidentctl.yaml.",
  };
}

function ambiguousName(resource: DeclaredResource, candidates: readonly LiveResource[]): Diagnostic {
  const { kind, key, address } = resource;
  const { pin } = kind.identity;
  const ids = candidates.map(({ id }) => id).join(", ");
  const message = `${candidates.length} live ${kind.name} are named "${key}" (${ids})`;
  const help =
    pin === undefined
      ? "Give the live ones different names first."
      : `Write ${pin}: ${candidates[0]?.id} (or another of these) to choose one.`;
  return { severity: "error", code: "E_AMBIGUOUS", message, at: startOf(resource), address, help };
}

/** The service takes a creation with the origin of a live resource for a change of that one. */
function originTaken(resource: DeclaredResource, other: LiveResource): Diagnostic {
  const { system = "", id = "" } = resource.kind.identity.origin ?? {};
  const message = `${other.address} has the ${system} and ${id} of ${resource.address}; creating that would change the live one instead`;
  const help = isMade(resource)
    ? `Its new ${resource.keyField} is that of another ${resource.kind.title}, or stands for one elsewhere: give the two different ones, or another ${id}.`
    : `Give it the ${other.keyField} "${other.key}" to manage that one, or another ${id}.`;
  return errorAt(resource, `/${id}`, OTHER_SLUG, message, help);
}

function slugTaken(resource: DeclaredResource, other: LiveResource): Diagnostic {
  const { keyField, address } = resource;
  const message = `${other.address} was renamed and keeps the ${keyField} "${wireKeyOf(other)}" in the service; ${address} cannot have it too`;
  return errorAt(resource, `/${keyField}`, OTHER_SLUG, message, `Choose another ${keyField}.`);
}

function nameTaken(resource: DeclaredResource, other: LiveResource): Diagnostic {
  const { kind, keyField, address } = resource;
  const name = other.fields[kind.identity.displayName ?? ""];
  const message = `a live ${kind.title} with the ${other.keyField} "${other.key}" is already named "${name}"; creating ${address} would make a second one`;
  const help = isMade(resource)
    ? `Make the ${other.keyField} ${other.key} of it to manage that one, rename one of the two, or exclude the document.`
    : `Write ${other.keyField}: ${other.key} to manage that one, or choose another name.`;
  return errorAt(resource, `/${keyField}`, OTHER_SLUG, message, help);
}

const OTHER_SLUG = "E_OTHER_SLUG";

function storedOtherwise(resource: DeclaredResource, { key }: LiveResource): Diagnostic {
  const { kind, keyField, key: declared } = resource;
  const own = yamlWord(key, declared);
  const address = escapedAlike(resource.address, looksLike(declared, key));
  const message = `a live ${kind.title} has the ${keyField} ${quoted(key, declared)}, which is the same ${nameForms(key, declared)}; creating ${address} would make a second one`;
  const help = `Write ${keyField}: ${own} to manage that one, add renamed_from: ${own} to rename it, or choose another ${keyField}.`;
  return errorAt(resource, `/${keyField}`, "E_OTHER_FORM", message, help);
}

/** An error at a JSON Pointer into a declared resource. */
function errorAt(
  { origins, address }: DeclaredResource,
  pointer: string,
  code: string,
  message: string,
  help: string,
): Diagnostic {
  const madeAt = templateAt(origins, pointer);
  const place = { at: locationOf(origins, pointer), address, ...(madeAt === undefined ? {} : { madeAt }) };
  return { severity: "error", code, message, ...place, help };
}
