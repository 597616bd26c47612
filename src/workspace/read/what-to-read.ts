/**
 * The lists that a plan needs: the managed ones, those that they reference and, only where something would be removed, those that could
 * reference it. A list is asked for once.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { type Fields, isList, objectsIn } from "../../core/json.ts";
import { type Field, hasOneList, type Kind, mayReference, ownerKindOf } from "../../kinds/model/kind.ts";
import { isRemovable, type LiveResource, listName } from "../../kinds/model/resource.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import { answeredKinds } from "../match/incident-search.ts";
import { isInScope } from "../match/match.ts";
import { hasMissingReference } from "../match/missing-references.ts";
import { removedOptions, removedValues } from "../match/option-match.ts";
import type { ResolvedWorkspace } from "../match/resolve.ts";
import { fieldValue } from "../match/resolved-state.ts";
import type { ReadTarget } from "./observe.ts";

/** Lists to read before anything is known. */
export function managedLists(configuration: Configuration): readonly ReadTarget[] {
  return configuration.managed.map(({ kind, scope }) => ({ kind, scope }));
}

/** Lists that the declared resources reference, and those of their parents. More may become known as more is read. */
export function referencedLists({ state }: ResolvedWorkspace): readonly ReadTarget[] {
  const { configuration } = state;
  const targets = new Map<string, ReadTarget>();
  const add = (kind: string, scope: string) => targets.set(listName(kind, scope), { kind, scope });
  for (const resource of configuration.declared) {
    if (!isInScope(configuration, resource)) continue;
    for (const { kind, scope, elsewhere = [] } of state.listOf(resource).referencesOf(resource.fields)) {
      for (const name of [scope, ...elsewhere]) add(kind, name);
    }
    if (resource.kind.parent !== undefined) add(resource.kind.parent.kind, "");
  }
  return [...targets.values()];
}

/** Lists under the former name of a renamed scope, and fallback lists that decide how a scope may change. */
export function rankedScopeLists({ state }: ResolvedWorkspace): readonly ReadTarget[] {
  return state.configuration.managed.flatMap(({ kind, scope }): readonly ReadTarget[] => {
    const row = state.kinds.get(kind);
    const owner = row === undefined ? undefined : ownerKindOf(row);
    if (row?.lifecycle.order !== "rank" || owner === undefined) return [];
    const isLive = state.live(owner)?.some(({ key }) => key === scope);
    const formerName = state.declared(owner, scope)?.renamedFrom;
    const live = state.live(kind, scope)?.length ?? 0;
    const declared = state.declaredIn(kind, scope).length;
    const isFilledOrEmptied = live + declared > 1 && Math.min(live, declared) === 0;
    return [
      ...(formerName !== undefined && isLive === false ? [{ kind, scope: formerName }] : []),
      ...(isFilledOrEmptied && isLive === true ? [{ kind, scope: "" }] : []),
    ];
  });
}

/** Lists of resources that may reference a resource to remove, or that are removed with it. */
export function removalLists(resolved: ResolvedWorkspace): readonly ReadTarget[] {
  const { state } = resolved;
  const targets: ReadTarget[] = [];
  /** Referring kinds that are already in `targets` as a whole, each with the list that it may reference. */
  const queued = new Set<string>();
  for (const { kind, scope, key } of [...removalCandidates(resolved), ...resourcesLosingOptions(resolved)]) {
    const answered = answeredKinds(state.kinds.values(), kind);
    for (const other of state.kinds.values()) {
      if (!mayReference(other, kind, scope) && !answered.includes(other)) continue;
      if (ownerKindOf(other) === kind.name) targets.push({ kind: other.name, scope: key });
      else if (!queued.has(`${other.name} ${listName(kind.name, scope)}`)) {
        targets.push(hasOneList(other) ? { kind: other.name, scope: "" } : { kind: other.name, every: true });
        const unresolved = state.all(other.name).flatMap((live) => live.unresolved ?? []);
        targets.push(...unresolved.filter((list) => state.mayLeadTo(list, kind)));
      }
      queued.add(`${other.name} ${listName(kind.name, scope)}`);
    }
  }
  return targets;
}

/** Lists that tell whether names in the declared resources exist. */
export function checkingLists({ state: { configuration } }: ResolvedWorkspace): readonly ReadTarget[] {
  const kinds = configuration.declared.flatMap((resource) =>
    isInScope(configuration, resource) ? (resource.kind.references?.checkedAgainst?.(resource.fields) ?? []) : [],
  );
  return [...new Set(kinds)].map((kind) => ({ kind, scope: "" }));
}

/** Lists without which the references of a resource that the plan writes or removes are ids. */
export function unresolvedLists(resolved: ResolvedWorkspace): readonly ReadTarget[] {
  const written = resolved.matching.existing().flatMap(({ declared, live }) => {
    const { unresolved = [] } = live;
    return unresolved.length > 0 && mayDiffer(declared, live) ? unresolved : [];
  });
  const changed = [...removalCandidates(resolved), ...rulesThatMayMove(resolved)];
  return [...written, ...changed.flatMap(({ unresolved = [] }) => unresolved)];
}

/** The live rules of the managed lists: any of them may be copied to another position, or removed. */
function rulesThatMayMove({ state }: ResolvedWorkspace): readonly LiveResource[] {
  return state.configuration.managed.flatMap(({ kind, scope }) =>
    state.kinds.get(kind)?.lifecycle.order === "rank" ? (state.live(kind, scope) ?? []) : [],
  );
}

/** Whether a declared field may differ from the live one. A plan compares more closely. */
function mayDiffer({ kind, fields }: DeclaredResource, live: LiveResource): boolean {
  return Object.entries(fields).some(([name, value]) => !isSameField(kind, name, live.fields[name] ?? null, value));
}

/** Lists of children that could hold values of an item that goes, or values that an item no longer allows. */
export function childLists({ state, matching }: ResolvedWorkspace): readonly ReadTarget[] {
  const holdsItems = hasField(state, ({ keyedItems }) => keyedItems !== undefined);
  return matching.existing(holdsItems).flatMap(({ declared, live }) =>
    Object.entries(live.kind.fields ?? {}).flatMap(([name, { keyedItems }]) => {
      const [before, after] = [live.fields[name], declared.fields[name]];
      if (keyedItems === undefined || !isList(before) || !isList(after)) return [];
      const { keyOf, options = "", kind } = keyedItems;
      const items = objectsIn(after);
      const loses = objectsIn(before).some((item) => {
        const other = items.find((candidate) => keyOf(candidate) === keyOf(item));
        return other === undefined || removedValues(item[options], other[options]).length > 0;
      });
      return loses ? [{ kind, scope: live.key }] : [];
    }),
  );
}

/** A custom field, and the place where incidents hold its values. */
interface AnsweredField {
  readonly answeredIn: string;
  readonly key: string;
}

function answerOf({ kind, key }: LiveResource): readonly AnsweredField[] {
  const { answeredIn } = kind.references ?? {};
  return answeredIn === undefined ? [] : [{ answeredIn, key }];
}

/** Custom fields that would lose options, or whose change incidents would feel. */
export function optionCounts(resolved: ResolvedWorkspace): readonly AnsweredField[] {
  const resources = new Set([...resourcesLosingOptions(resolved), ...resourcesWithRejectedUpdate(resolved)]);
  return [...resources].flatMap(answerOf);
}

/** Custom fields whose answers decide a change: those that would lose options, be removed, or lose a resource that is a choice. */
export function answeredFields(resolved: ResolvedWorkspace): readonly AnsweredField[] {
  const removed = removalCandidates(resolved);
  const kinds = new Set(removed.flatMap(({ kind }) => answeredKinds(resolved.state.kinds.values(), kind)));
  const choosing = [...kinds].flatMap(({ name }) => resolved.state.live(name) ?? []);
  const all = [...optionCounts(resolved), ...[...removed, ...choosing].flatMap(answerOf)];
  return [...new Map(all.map((field) => [field.key, field])).values()];
}

/** Resources whose incidents decide a removal, or a change that incidents would feel. */
export function countedResources(resolved: ResolvedWorkspace): readonly LiveResource[] {
  return [...removalCandidates(resolved), ...resourcesWithRejectedUpdate(resolved)];
}

/** Live resources with an update that is refused if incidents use them. */
function resourcesWithRejectedUpdate({ state, matching }: ResolvedWorkspace): readonly LiveResource[] {
  return matching.existing().flatMap(({ declared, live }) => {
    const { rejectUpdate } = declared.kind.lifecycle;
    if (rejectUpdate === undefined) return [];
    const fields = state.listOf(declared).fillForReplace(declared.fields, live.fields, live.row);
    return rejectUpdate(live.fields, fields, undefined) === undefined ? [] : [live];
  });
}

/**
 * Lists that must be proved complete, because the plan depends on the absence of a row: that a resource to create does not exist, that
 * nothing references a resource to remove, that no rule is between two others.
 */
export function listsToProve(resolved: ResolvedWorkspace): readonly ReadTarget[] {
  const { state, matching } = resolved;
  const losing = new Set(removalCandidates(resolved).map(({ kind, scope }) => listName(kind.name, scope)));
  const own = state.configuration.managed.filter(
    ({ kind, scope }) =>
      state.kinds.get(kind)?.lifecycle.order === "rank" ||
      losing.has(listName(kind, scope)) ||
      matching.list(kind, scope)?.matches.some(({ live }) => live === undefined) === true,
  );
  const referenced = hasMissingReference(state) ? referencedLists(resolved) : [];
  return [...own, ...referenced, ...removalLists(resolved), ...childLists(resolved)];
}

/** Returns whether a resource's own GET must be read, because the list's row lacks a declared field. */
export function needsDetail(configuration: Configuration): (kind: Kind, row: Fields) => boolean {
  const own = configuration.declared.filter((resource) => isInScope(configuration, resource));
  const declared = new Map(own.map((resource) => [listName(resource.kind.name, resource.key), resource]));
  return (kind, row) => {
    const { keys, labels = [] } = kind.identity;
    const candidates = keys.map((key) => declared.get(listName(kind.name, String(row[key]))));
    const resource = candidates.find((candidate) => candidate !== undefined);
    return Object.keys(resource?.fields ?? {}).some(
      (field) => !labels.includes(field) && fieldValue(kind, row, field) === undefined,
    );
  };
}

/** Live resources that are not in the files and not disabled, with a removal policy that depends on their references. */
function removalCandidates({ state, matching }: ResolvedWorkspace): readonly LiveResource[] {
  return matching.lists.flatMap(({ kind, undeclared }) => {
    const row = state.kinds.get(kind);
    if (row === undefined) return [];
    const policy = removalPolicyOf(state.configuration.settings, row);
    return policy === "keep" || policy === "disable"
      ? []
      : undeclared.filter((live) => isRemovable(live, state.configuration));
  });
}

/** Live resources with options that are no longer in the files. */
function resourcesLosingOptions({ state, matching }: ResolvedWorkspace): readonly LiveResource[] {
  const holdsOptions = hasField(state, ({ optionList }) => optionList === true);
  return matching.existing(holdsOptions).flatMap(({ declared, live }) => {
    const loses = Object.entries(live.kind.fields ?? {}).some(([name, { optionList }]) => {
      const [before, after] = [live.fields[name], declared.fields[name]];
      return (
        optionList === true && isList(before) && isList(after) && removedOptions(before.map(String), after).length > 0
      );
    });
    return loses ? [live] : [];
  });
}

/** Returns whether a kind has a field of some sort. */
function hasField(
  { kinds }: ResolvedWorkspace["state"],
  isSought: (field: Field) => boolean,
): (kind: string) => boolean {
  return (name: string): boolean => Object.values(kinds.get(name)?.fields ?? {}).some(isSought);
}
