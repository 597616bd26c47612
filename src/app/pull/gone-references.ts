/** References of live resources to what does not exist any more. No file can name that, and what the files have instead stays. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { InvalidConfiguration } from "../../core/diagnostic.ts";
import { escapedStep, isList, stepsOf } from "../../core/json.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Reference } from "../../kinds/model/lookup.ts";
import { addressOf, kindOfAddress, type LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { PullConflict } from "../../view/workspace/pull.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

type Workspace = Pick<ResolvedWorkspace, "state" | "graph">;

/** A part of a resource, as `address#pointer`, with the reason why a pull does not take it. */
export type RefusedPart = readonly [part: string, reason: string];

/** The fields that reference what does not exist, with the reasons, by the addresses of their resources. */
export type GoneFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds every field of live resources that references what does not exist. */
export function goneFields(workspace: Workspace): GoneFields {
  const resources = kinds.flatMap(({ name }) => workspace.state.all(name));
  return new Map(
    resources.flatMap((live) => {
      const reasons = goneReferences(live, workspace).map((reference): readonly [string, string] => [
        fieldOf(reference),
        `it references ${nameOf(reference)}, which does not exist any more`,
      ]);
      return reasons.length === 0 ? [] : [[live.address, new Map(reasons)] as const];
    }),
  );
}

/** The fields as parts. */
export function partsOf(gone: GoneFields): readonly RefusedPart[] {
  return [...gone].flatMap(([address, fields]) =>
    [...fields].map(([field, reason]) => [`${address}#/${escapedStep(field)}`, reason] as const),
  );
}

/** The reason why a field cannot be written that refers to a resource with a conflict, or depends on it as its parent; undefined for another one. */
export function conflictReason(
  { kind, scope, fields }: LiveResource,
  field: string,
  conflicts: readonly PullConflict[],
  graph: Workspace["graph"],
): string | undefined {
  const references = graph
    .referencesOf({ kind, scope, fields })
    .filter(({ reference }) => fieldOf(reference) === field);
  const owner = kind.parent === undefined ? [] : [`${kind.parent.kind}/${scope}`];
  const target = [...references.map(({ address }) => address), ...owner].find((one) =>
    conflicts.some(({ address }) => address === one),
  );
  return target && `${target} stays as the files have it, because of another conflict`;
}

/** The missing references that are live ones, but for those at addresses that have conflicts. */
export function goneConflicts(
  { diagnostics }: InvalidConfiguration,
  gone: GoneFields,
  known: readonly PullConflict[],
): readonly PullConflict[] {
  const missing = diagnostics.filter(({ code }) => code === "E_REF");
  const places = new Map(missing.map(({ address = "", at }) => [address, at]));
  for (const { address } of known) places.delete(address);
  return [...places].flatMap(([address, at]) =>
    [...(gone.get(address) ?? [])].map(([field, reason]) => ({
      ...{ address, path: `/${escapedStep(field)}`, reason },
      ...(at === undefined ? {} : { at }),
    })),
  );
}

/** The references of a live resource to what was looked for, and does not exist. */
export function goneReferences(
  { kind, scope, fields }: LiveResource,
  { state, graph }: Workspace,
): readonly Reference[] {
  const references = graph.referencesOf({ kind, scope, fields }).map(({ reference }) => reference);
  const isGone = (reference: Reference): boolean => {
    const lists = [reference.scope, ...(reference.elsewhere ?? [])];
    return lists.every((list) => isMissing(state, { ...reference, scope: list }));
  };
  // Of several that the service does not tell apart, one is meant.
  const isMeant = (reference: Reference): boolean =>
    reference.isPossible !== true || references.every((one) => one.at !== reference.at || isGone(one));
  return references.filter((reference) => reference.at !== "" && isGone(reference) && isMeant(reference));
}

/** Whether a list was read, or what it belongs to, and it does not have what is referenced. */
function isMissing(state: ResolvedState, { kind: name, scope, key, option }: Omit<Reference, "at">): boolean {
  const { lifecycle, parent, scopes } = state.kinds.get(name) ?? {};
  if (lifecycle?.builtins?.keys.includes(key) === true) return false;
  const list = state.list(name, scope);
  const owner = parent?.kind ?? scopes?.kind;
  if (list?.live === undefined) return owner !== undefined && isMissing(state, { kind: owner, scope: "", key: scope });
  const target = list.liveBy(key);
  if (target === undefined || option === undefined) return target === undefined;
  const offered = optionFields(target.kind).flatMap((field) => {
    const options = target.fields[field];
    return isList(options) ? [options.map(optionLabel)] : [];
  });
  // The service may omit the options of a field.
  return offered.length > 0 && offered.every((labels) => !labels.includes(option));
}

function optionFields({ fields = {} }: Kind): readonly string[] {
  return Object.keys(fields).filter((field) => fields[field]?.optionList === true);
}

function fieldOf({ at }: Reference): string {
  return stepsOf(at)[0] ?? "";
}

function nameOf({ kind: name, scope, key, option }: Reference): string {
  const kind = kinds.find((one) => one.name === name);
  const address = kind === undefined ? key : addressOf(kind, scope, key);
  return option === undefined ? address : `the option "${option}" of ${address}`;
}

/**
 * Parts of the files that stay although they do not exist any more, since a resource of the files keeps its references to them: the live ones
 * lead to nothing. Resources are `address#`, and lists of options `address#/field`.
 */
export function keptFor(address: string, gone: GoneFields, { state, graph }: Workspace): readonly RefusedPart[] {
  const parts = new Map<string, string>();
  const keep = (resource: DeclaredResource, by: string): void => {
    const { kind, scope, key, address: own } = resource;
    if (parts.has(`${own}#`) || !isMissing(state, { kind: kind.name, scope, key })) return;
    parts.set(`${own}#`, `it does not exist any more, and stays because ${by} keeps its reference to it`);
    const owner = kind.parent && state.declared(kind.parent.kind, scope);
    if (owner !== undefined) keep(owner, own);
    keepTargets(resource, () => true);
  };
  const keepTargets = (from: DeclaredResource, isMeant: (field: string) => boolean): void => {
    for (const { reference } of graph.referencesOf(from)) {
      const target = state.declared(reference.kind, reference.key, reference.scope);
      if (target === undefined || !isMeant(fieldOf(reference))) continue;
      keep(target, from.address);
      if (reference.option === undefined || !isMissing(state, reference)) continue;
      const reason = `${from.address} keeps its reference to ${nameOf(reference)}, which does not exist any more`;
      for (const field of optionFields(target.kind)) parts.set(`${target.address}#/${field}`, reason);
    }
  };
  // A list of rules stays as a whole.
  const listOf = (one: string): string => one.slice(0, one.lastIndexOf("/"));
  const isRule = kindOfAddress(address, kinds)?.lifecycle.order === "rank";
  const isOwn = (one: string): boolean => (isRule ? listOf(one) === listOf(address) : one === address);
  const fields = new Set([...gone].flatMap(([one, names]) => (isOwn(one) ? [...names.keys()] : [])));
  const referring = fields.size === 0 ? [] : state.configuration.declared.filter((one) => isOwn(one.address));
  for (const one of referring) keepTargets(one, (field) => fields.has(field));
  return [...parts];
}
