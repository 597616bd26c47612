/**
 * Creations that may be removals under a new name. Nothing is guessed for the plan: a person decides, with the line that keeps the
 * resource. Each resource is in at most one pair, the best agreement first; of pairs that agree equally well, none is named.
 */

import { flowText } from "../../config/edit/yaml-writer.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { locationOf, startOf, templateAt } from "../../config/resources/origins.ts";
import { type Location, sourcePlace } from "../../core/diagnostic.ts";
import { isList, type Json, listIn, pointerIsWithin } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { joinWords, suggest } from "../../core/suggest.ts";
import { type Kind, ownerKindOf, POSITION } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource, listName } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import { isSameField } from "../../kinds/values/same-field.ts";
import { removedOptions } from "../../workspace/match/option-match.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Draft } from "../diff/step.ts";
import type { PossibleRename } from "../model/plan.ts";

/** Pairs to compare in one list. Beyond, a person cannot tell them apart either. */
const MAX_PAIRS = 10_000;

/** A creation and a removal that agree, and how well: the first number that differs decides. */
interface Pair {
  readonly rename: PossibleRename;
  readonly agreement: readonly number[];
}

/** The possible renames of resources and of the options in their fields. */
export function possibleRenames(state: ResolvedState, drafts: readonly Draft[]): readonly PossibleRename[] {
  if (state.configuration.undoes !== undefined) return [];
  const lists = groupBy(drafts, ({ kind, scope }) => listName(kind.name, scope));
  return [...lists.values()].flatMap((own) => [
    ...bestPairs(resourcePairs(state, own)),
    ...own.flatMap((draft) => bestPairs(optionPairs(draft))),
  ]);
}

/** Takes the pairs that agree best and stand alone, then the next; equal pairs of one resource are left out. */
function bestPairs(pairs: readonly Pair[]): readonly PossibleRename[] {
  if (pairs.length === 0) return [];
  const taken: PossibleRename[] = [];
  const settled = new Set<string>();
  const levels = [...groupBy(pairs, ({ agreement }) => agreement.join())].map(([, level]) => level);
  levels.sort(([left], [right]) => compareNumbers(right?.agreement ?? [], left?.agreement ?? []));
  for (const level of levels) {
    const open = level.filter(({ rename: { from, to } }) => !settled.has(from) && !settled.has(to));
    const count = (end: "from" | "to", value: string): number =>
      open.filter(({ rename }) => rename[end] === value).length;
    for (const { rename } of open) {
      if (count("from", rename.from) === 1 && count("to", rename.to) === 1) taken.push(rename);
    }
    for (const { rename } of open) settled.add(rename.from).add(rename.to);
  }
  return taken;
}

function compareNumbers(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** The likely renames among resources of one list that only the files have, and others that only the workspace has. */
export function likelyRenames(
  state: ResolvedState,
  created: readonly DeclaredResource[],
  removed: readonly LiveResource[],
): readonly PossibleRename[] {
  return bestPairs(pairsAmong(state, created.filter(hasName), removed));
}

function resourcePairs(state: ResolvedState, drafts: readonly Draft[]): readonly Pair[] {
  const created = drafts.flatMap(({ change, declared }) =>
    change.action === "create" && declared !== undefined && hasName(declared) ? [declared] : [],
  );
  const removed = drafts.flatMap(({ change, declared, live }) =>
    (change.action === "delete" || change.action === "disable") && declared === undefined && live !== undefined
      ? [live]
      : [],
  );
  return pairsAmong(state, created, removed);
}

function pairsAmong(
  state: ResolvedState,
  created: readonly DeclaredResource[],
  removed: readonly LiveResource[],
): readonly Pair[] {
  if (created.length * removed.length > MAX_PAIRS) return [];
  const isOnly = created.length === 1 && removed.length === 1;
  return created.flatMap((declared) => removed.flatMap((live) => resourcePair(state, declared, live, isOnly) ?? []));
}

/** Whether a resource has a name that its file can state: parts of others have none, and a foreign file has its own. */
function hasName({ kind, keyField, origins }: DeclaredResource): boolean {
  const { order, ownedByParent, permanent } = kind.lifecycle;
  const isNamed = keyField !== "" && order !== "rank" && ownedByParent !== true && permanent !== true;
  return isNamed && templateAt(origins, "") === undefined;
}

/** The pair, if the two agree. The only one of what others call by a name is one in any case: much may change at once. */
function resourcePair(
  state: ResolvedState,
  declared: DeclaredResource,
  live: LiveResource,
  isOnly: boolean,
): Pair | undefined {
  const { kind } = declared;
  const { stable = [] } = kind.identity;
  const isOnlyCalled = isOnly && kind.lifecycle.calledByOthers !== undefined;
  const { equal, different } = comparedFields(state, declared, live);
  const children = comparedLists(state, declared, live);
  const otherContent = children.filter(({ shared, isEmpty }) => !isEmpty && shared === 0);
  const isStable = stable.some((name) => equal.includes(name)) && stable.every((name) => !different.includes(name));
  const isAgreed = otherContent.length === 0 && (different.length === 0 || isStable);
  if (!isAgreed && !isOnlyCalled) return undefined;
  const shared = children.reduce((sum, list) => sum + list.shared, 0);
  const same = [...equal, ...children.flatMap((list) => (list.shared > 0 ? [list.name] : []))];
  const isNear = suggest(declared.key, [live.key]) !== undefined || suggest(live.key, [declared.key]) !== undefined;
  // A new slug alone is no new name: two resources that say nothing have nothing in common.
  if (same.length === 0 && !isNear && !isOnlyCalled && kind.identity.slug !== undefined) return undefined;
  const only = `the only ${kind.title} that goes, and the only new one; `;
  return {
    rename: {
      from: live.address,
      to: declared.address,
      because: `${isAgreed ? "" : only}${because(same, [...different, ...otherContent.map(({ name }) => name)])}`,
      ...editOf(state, declared, live),
    },
    agreement: [different.length === 0 ? 1 : 0, isStable ? 1 : 0, shared, equal.length, isNear ? 1 : 0],
  };
}

function because(same: readonly string[], different: readonly string[]): string {
  if (different.length === 0 && same.length === 0) return "nothing but the name differs";
  const rest = different.length === 0 ? "nothing but the name differs" : `other ${joinWords(different)}`;
  return same.length === 0 ? rest : `same ${joinWords(same)}; ${rest}`;
}

/** The declared fields that a live resource has too, but for its name and its state. Values from the environment are not compared. */
function comparedFields(
  state: ResolvedState,
  { kind, fields, secrets }: DeclaredResource,
  live: LiveResource,
): { readonly equal: readonly string[]; readonly different: readonly string[] } {
  const { keys, displayName, labels = [], origin, otherNames } = kind.identity;
  const names = [displayName, origin?.system, origin?.id, otherNames?.aliases, kind.lifecycle.disable, POSITION];
  const apart = new Set([...keys, ...labels, ...names]);
  const compared = Object.entries(fields).filter(
    ([name]) =>
      !apart.has(name) &&
      live.fields[name] !== undefined &&
      !secrets.some((pointer) => pointerIsWithin(pointer, `/${name}`)),
  );
  // What the files omit of a value counts as it is live.
  const filled = state.listOf(live).fillForReplace(fields, live.fields, live.row);
  const isEqual = ([name, value]: readonly [string, Json]) =>
    isSameField(kind, name, live.fields[name] ?? null, filled[name] ?? value);
  return {
    equal: compared.filter(isEqual).map(([name]) => name),
    different: compared.filter((one) => !isEqual(one)).map(([name]) => name),
  };
}

/** A list that belongs to both resources: how many of its resources are the same. */
interface ComparedList {
  readonly name: string;
  readonly shared: number;
  /** One of the two has none. */
  readonly isEmpty: boolean;
}

function comparedLists(state: ResolvedState, declared: DeclaredResource, live: LiveResource): readonly ComparedList[] {
  return [...state.kinds.values()]
    .filter((kind) => ownerKindOf(kind) === declared.kind.name)
    .map((kind) => {
      const before = state.live(kind.name, live.key) ?? [];
      const after = state.declaredIn(kind.name, declared.key);
      const shared = after.filter((child) => before.some((row) => isSame(kind, child, row))).length;
      return { name: kind.name, shared, isEmpty: before.length === 0 || after.length === 0 };
    });
}

function isSame(kind: Kind, declared: DeclaredResource, live: LiveResource): boolean {
  if (kind.lifecycle.order !== "rank" && declared.key !== live.key) return false;
  const { labels = [] } = kind.identity;
  return Object.entries(declared.fields).every(([name, value]) => {
    const isCompared =
      !labels.includes(name) && !declared.secrets.some((pointer) => pointerIsWithin(pointer, `/${name}`));
    return !isCompared || isSameField(kind, name, live.fields[name] ?? null, value);
  });
}

/** The line that keeps the live resource: its former name, the slug that it has, or a pin where others have its name. */
function editOf(
  state: ResolvedState,
  declared: DeclaredResource,
  live: LiveResource,
): Pick<PossibleRename, "edit" | "pull"> {
  const { pin, slug } = declared.kind.identity;
  if (slug !== undefined || pin === undefined) {
    const at = locationOf(declared.origins, `/${declared.keyField}`);
    return { edit: { ...lineOf(at), text: `${declared.keyField}: ${flowText(live.key)}` } };
  }
  const namesakes = (state.live(live.kind.name, live.scope) ?? []).filter(({ key }) => key === live.key);
  const text = namesakes.length > 1 ? `${pin}: ${flowText(live.id)}` : `renamed_from: ${flowText(live.key)}`;
  return { edit: { ...lineOf(startOf(declared)), text }, pull: true };
}

function lineOf(at: Location): Pick<PossibleRename["edit"], "file" | "line"> {
  const { file, line } = sourcePlace(at);
  return { file, line };
}

/** Options that are removed from a field, each with one that is added to it. */
function optionPairs({ kind, declared, live }: Draft): readonly Pair[] {
  if (declared === undefined || live === undefined) return [];
  return Object.entries(declared.fields).flatMap(([field, options]) => {
    if (kind.fields?.[field]?.optionList !== true || !isList(options)) return [];
    if (declared.secrets.some((pointer) => pointerIsWithin(pointer, `/${field}`))) return [];
    const before = listIn(live.fields[field]).map(String);
    const removed = removedOptions(before, options);
    const added = [...options.entries()].filter(([, option]) => {
      return typeof option === "string" && !before.includes(option);
    });
    const isOnly = removed.length === 1 && added.length === 1;
    return added.flatMap(([index, option]) =>
      removed.flatMap((from): readonly Pair[] => {
        const to = optionLabel(option);
        const isNear = suggest(to, [from]) !== undefined || suggest(from, [to]) !== undefined;
        if (!isOnly && !isNear) return [];
        const address = `${addressPrefix(kind, declared.scope)}${declared.key}/${field}`;
        const edit = {
          ...lineOf(locationOf(declared.origins, `/${field}/${index}`)),
          text: flowText({ label: to, renamed_from: from }),
        };
        const why = isOnly ? "the only option that goes, and the only new one" : "the names are near";
        const ends = { from: `${address}/${from}`, to: `${address}/${to}` };
        return [{ rename: { ...ends, because: why, edit, pull: true }, agreement: [1] }];
      }),
    );
  });
}
