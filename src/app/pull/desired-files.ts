/**
 * The desired content of the files: lists and resources with which a plan would have no changes. It is the inverse of a plan, with the
 * same comparison, and does not depend on the text of files.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { isLeftAlone } from "../../config/settings/exemptions.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { equal, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { isRemovable, type LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { equalField } from "../../kinds/values/same-field.ts";
import { normalizedText } from "../../kinds/values/same-value.ts";
import { writableFields } from "../../plan/diff/compare.ts";
import { isExempt } from "../../workspace/match/exempt.ts";
import { matchResources } from "../../workspace/match/match.ts";
import type { ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import {
  type AddedResource,
  type DesiredList,
  type KeptResource,
  narrowList,
  type PullLimits,
  stayReason,
} from "./desired-list.ts";
import { type MatchKeys, matchUnkeyed } from "./match-unkeyed.ts";
import { preserveSpelling } from "./preserve-spelling.ts";

/** The fields of a live resource that files can hold. */
export type FileFields = (live: LiveResource) => Fields;

/** Properties of a resource that is not in a file yet. */
export interface NewResource {
  /** Another live one has the same name, so that it must be pinned. */
  readonly isDuplicateKey?: boolean;
  /** Resources of another kind are nested in it. */
  readonly nests?: boolean;
}

/** The fields of a live resource to write into a file: without those that mean the same if they are omitted. */
export function newResourceFields(
  live: LiveResource,
  fields: Fields,
  { isDuplicateKey, nests }: NewResource = {},
): Fields {
  const { kind, key, keyField } = live;
  const { pin } = kind.identity;
  // A built-in resource with others nested in it is written for these alone.
  const isFrame = nests === true && kind.lifecycle.builtins?.matches(live.row) === true;
  const own = Object.entries(fields)
    .filter(([name, value]) => !isFrame && !isImplied(kind, name, value, fields))
    .map(([name, value]) => [name, withoutFalse(kind, name, value)] as const);
  return {
    ...(keyField === "" ? {} : { [keyField]: key }),
    ...(isDuplicateKey === true && pin !== undefined ? { [pin]: live.id } : {}),
    ...Object.fromEntries(own),
  };
}

/** Items that the service completes without their members that are false, which is what they are if they are omitted. */
function withoutFalse(kind: Kind, name: string, value: Json): Json {
  if (!isList(value) || kind.fields?.[name]?.keyedItems === undefined) return value;
  return value.map((item) =>
    isFields(item) ? Object.fromEntries(Object.entries(item).filter(([, member]) => member !== false)) : item,
  );
}

/** Whether omitting a field means the same as writing it. */
function isImplied(kind: Kind, name: string, value: Json, fields: Fields): boolean {
  const { lifecycle } = kind;
  const field = kind.fields?.[name];
  if (lifecycle.required?.includes(name) === true || (isBlank(value) && field?.attention === true)) return false;
  if (isBlank(value)) return true;
  if (name === lifecycle.disable && value === true) return true;
  if (name === lifecycle.exclusive && value === false) return true;
  if (field?.creationDefault === value) return true;
  const { [name]: _own, ...others } = fields;
  const computed = field?.computedDefault?.(others);
  return computed !== undefined && equalField(kind, name, value, computed);
}

function isBlank(value: Json): boolean {
  if (value === null || value === "") return true;
  return isList(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}

const NO_LIMITS: PullLimits = { refused: new Map() };

/** The lists that the files own, as they would have to be. */
export class DesiredFiles {
  readonly #state: ResolvedState;
  readonly #graph: ReferenceGraph;
  readonly #fileFields: FileFields;
  readonly #limits: PullLimits;
  #referenced: ReadonlySet<string> | undefined;

  constructor(state: ResolvedState, graph: ReferenceGraph, fileFields: FileFields, limits: PullLimits = NO_LIMITS) {
    this.#state = state;
    this.#graph = graph;
    this.#fileFields = fileFields;
    this.#limits = limits;
  }

  list(kind: Kind, scope: string): DesiredList {
    const list = kind.lifecycle.order === "rank" ? this.#ranked(kind, scope) : this.#keyed(kind, scope);
    const { admits } = this.#limits;
    return admits === undefined ? list : narrowList(list, this.#state.declaredIn(kind.name, scope), admits);
  }

  #keyed(kind: Kind, scope: string): DesiredList {
    const live = this.#state.live(kind.name, scope) ?? [];
    const { matches, undeclared } = matchResources(this.#state.declaredIn(kind.name, scope), live);
    const isLost = (declared: DeclaredResource): boolean => stayReason(this.#limits, declared) === undefined;
    const missing = matches.flatMap(({ declared, live: row }) =>
      row === undefined && isLost(declared) ? [declared] : [],
    );
    const matched = matches.flatMap(({ declared, live: row }): readonly KeptResource[] => {
      if (row !== undefined) return [{ declared, live: row, fields: this.#changes(declared, row) }];
      return isLost(declared) ? [] : [{ declared, fields: new Map() }];
    });
    const counts = new Map<string, number>();
    for (const { key } of live) counts.set(key, (counts.get(key) ?? 0) + 1);
    const { exemptions } = this.#state.configuration;
    const added = undeclared
      .filter(({ address }) => !isLeftAlone(exemptions, address))
      .filter((resource) => this.#wouldGo(resource) || this.#isReferenced(resource))
      .map((resource): AddedResource => {
        const isDuplicateKey = (counts.get(resource.key) ?? 0) > 1;
        return {
          live: resource,
          fields: newResourceFields(resource, this.#fileFields(resource), { isDuplicateKey }),
        };
      });
    const entries = [...matched, ...added];
    if (kind.lifecycle.order !== "position") return { kind, scope, entries, missing };
    const places = new Map(live.map((resource, place) => [resource, place]));
    // What stays without a live resource stays behind the one before it.
    const placeOf = (at: number): number => {
      const { live: row } = entries[at] ?? {};
      return row === undefined ? (at < 1 ? -1 : placeOf(at - 1)) : (places.get(row) ?? -1);
    };
    const order = entries.map((entry, at) => ({ entry, place: placeOf(at) }));
    const sorted = order.toSorted((left, right) => left.place - right.place).map(({ entry }) => entry);
    return { kind, scope, entries: sorted, missing };
  }

  /** Whether a plan would remove the undeclared resource. */
  #wouldGo(live: LiveResource): boolean {
    return isRemovable(live) && removalPolicyOf(this.#state.configuration.settings, live.kind) !== "keep";
  }

  /** Whether another live resource that the files own references it: then they must list it, disabled or not. */
  #isReferenced({ kind, row, address }: LiveResource): boolean {
    if (kind.lifecycle.builtins?.matches(row) === true) return false;
    this.#referenced ??= this.#referencedByManaged();
    return this.#referenced.has(address);
  }

  /** Addresses that live resources of managed lists reference. */
  #referencedByManaged(): ReadonlySet<string> {
    const { managed } = this.#state.configuration;
    const live = managed.flatMap(({ kind, scope }) => this.#state.live(kind, scope) ?? []);
    const references = live.flatMap((resource) => {
      const { kind, scope } = resource;
      return this.#graph.referencesOf({ kind, scope, fields: this.#fileFields(resource) });
    });
    return new Set(references.map(({ address }) => address));
  }

  #changes(declared: DeclaredResource, live: LiveResource): ReadonlyMap<string, Json | undefined> {
    const { kind } = declared;
    const { disable, exclusive } = kind.lifecycle;
    const fileFields = this.#fileFields(live);
    const changes = new Map<string, Json | undefined>();
    // Rules have no key: one that has moved is matched by its content.
    const keepsName = this.#limits.refused.has(`${live.address}#/${declared.keyField}`);
    if (declared.keyField !== "" && declared.key !== live.key && !keepsName) {
      changes.set(declared.keyField, live.key);
      if (declared.renamedFrom !== undefined) changes.set("renamed_from", undefined);
    }
    for (const [name, value] of Object.entries(declared.fields)) {
      if (name === declared.keyField || kind.identity.labels?.includes(name) === true) continue;
      const isExtra = declared.extra.includes(name);
      const liveValue = isExtra ? live.row[name] : fileFields[name];
      // The service returns that there is no value, and no file can ask for that: then the files omit the field.
      const isNone = liveValue === undefined ? live.fields[name] === null : isFields(liveValue) && isBlank(liveValue);
      const actual = (isExtra ? undefined : live.fields[name]) ?? liveValue ?? null;
      const means = (candidate: Json) => this.#means(declared, live, name, actual, candidate);
      if (isNone && !isBlank(value) && !means(value)) changes.set(name, undefined);
      if (liveValue === undefined || changes.has(name)) continue;
      const nearest = preserveSpelling(liveValue, value, means);
      const near = kind.fields?.[name]?.optionList === true ? withoutDoneRenames(nearest) : nearest;
      if (equal(near, declared.written?.[name] ?? value)) continue;
      // An exclusive field is taken away by giving it to another resource.
      changes.set(name, name === exclusive && near === false ? undefined : near);
    }
    const isOmitted = (name: string): boolean => declared.fields[name] === undefined && !isExempt(declared, `/${name}`);
    if (disable !== undefined && isOmitted(disable) && live.fields[disable] === false) {
      changes.set(disable, false);
    }
    if (exclusive !== undefined && isOmitted(exclusive) && fileFields[exclusive] === true) {
      if (this.#isExclusiveDeclared(kind, exclusive)) changes.set(exclusive, true);
    }
    return changes;
  }

  /** Whether the files give the exclusive field of a kind to one of its resources. */
  #isExclusiveDeclared(kind: Kind, exclusive: string): boolean {
    return this.#state.configuration.declared.some(
      (resource) => resource.kind === kind && resource.fields[exclusive] === true,
    );
  }

  /** Whether a declared value would leave the live one as it is. */
  #means(declared: DeclaredResource, live: LiveResource, name: string, actual: Json, candidate: Json): boolean {
    const { kind } = declared;
    const fields = { ...declared.fields, [name]: candidate };
    const whole = this.#state.listOf(declared).fillForReplace(fields, live.fields, live.row);
    const value = writableFields(kind, { [name]: whole[name] ?? candidate })[name];
    return value !== undefined && equalField(kind, name, actual, value);
  }

  /** A list of rules, which have no keys: equal ones stay, and the others are matched in order. */
  #ranked(kind: Kind, scope: string): DesiredList {
    const declared = this.#state.declaredIn(kind.name, scope);
    const live = this.#state.live(kind.name, scope) ?? [];
    const matched = new Set<DeclaredResource>();
    const isSame = (resource: DeclaredResource, row: LiveResource) => this.#rankedChanges(resource, row).size === 0;
    const pairs = matchUnkeyed(declared, live, this.#keys(kind), isSame);
    const entries = pairs.map(([row, resource]): KeptResource | AddedResource => {
      if (resource === undefined) {
        return { live: row, fields: newResourceFields(row, this.#fileFields(row)) };
      }
      matched.add(resource);
      return { declared: resource, live: row, fields: this.#rankedChanges(resource, row) };
    });
    return { kind, scope, entries, missing: declared.filter((resource) => !matched.has(resource)) };
  }

  /**
   * The meaning of a rule, field by field. A live rule has a meaning by what the service returns and one by what files can hold of it. It
   * may have any meaning if a field has neither.
   */
  #keys(kind: Kind): MatchKeys<DeclaredResource, LiveResource> {
    const names = Object.keys(kind.fields ?? {}).filter((name) => kind.identity.labels?.includes(name) !== true);
    const isPlain = kind.codec?.fillForReplace === undefined && kind.identity.keys.length === 0;
    return {
      of: ({ fields }) => {
        const writable = writableFields(kind, fields);
        return names.map((name) => meaningOf(kind, name, writable[name] ?? null, fields)).join();
      },
      among: (live) => {
        const fileFields = this.#fileFields(live);
        const known = names.map((name) => [live.fields[name], fileFields[name]].filter((value) => value !== undefined));
        if (!isPlain || known.some(({ length }) => length === 0)) return undefined;
        const meanings = names.map((name, at) => [
          ...new Set((known[at] ?? []).map((value) => meaningOf(kind, name, value, fileFields))),
        ]);
        return meanings.reduce<readonly string[]>(
          (keys, alternatives, at) =>
            keys.flatMap((key) =>
              alternatives.map((alternative) => (at === 0 ? alternative : `${key},${alternative}`)),
            ),
          [""],
        );
      },
    };
  }

  /** The changes of a resource that is written whole: what it omits is computed. */
  #rankedChanges(declared: DeclaredResource, live: LiveResource): ReadonlyMap<string, Json | undefined> {
    const { kind } = declared;
    const changes = new Map(this.#changes(declared, live));
    for (const [name, value] of Object.entries(newResourceFields(live, this.#fileFields(live)))) {
      if (declared.fields[name] === undefined && kind.identity.labels?.includes(name) !== true)
        changes.set(name, value);
    }
    return changes;
  }
}

/** A text that two values of a field share if they mean the same; empty if omitting the field means it too. */
function meaningOf(kind: Kind, name: string, value: Json, fields: Fields): string {
  const text = normalizedText(value);
  const isEmpty = ["{}", "[]", "null", '""'].includes(text);
  return isEmpty || isImplied(kind, name, value, fields) ? "" : text;
}

/** Options without a former label that another option has now: it can be renamed no more. */
function withoutDoneRenames(options: Json): Json {
  if (!isList(options)) return options;
  const labels = new Set(options.map(optionLabel));
  return options.map((option) =>
    isFields(option) && typeof option.renamed_from === "string" && labels.has(option.renamed_from)
      ? optionLabel(option)
      : option,
  );
}
