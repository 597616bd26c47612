/**
 * Takes what plans leave alone out of a configuration: ignored and accepted resources are not declared, and neither are ignored and
 * accepted fields of resources that exist. So no later stage compares, changes or counts them.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { ExemptPlace } from "../../config/settings/exemptions.ts";
import {
  fieldsLeftAlone,
  ignoredFields,
  isIgnored,
  isLeftAlone,
  isListLeftAlone,
} from "../../config/settings/exemptions.ts";
import { type Fields, fieldsIn, type Json, pointerIsWithin, stepsOf, withoutMembers } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix } from "../../kinds/model/resource.ts";
import type { Matching } from "./match.ts";
import type { ResolvedState } from "./resolved-state.ts";

/** The configuration without the resources and lists of rules that are left alone as a whole. */
export function withoutExempt(configuration: Configuration, kinds: readonly Kind[]): Configuration {
  const { exemptions } = configuration;
  if (exemptions === undefined) return configuration;
  const ranked = new Map(kinds.filter(({ lifecycle }) => lifecycle.order === "rank").map((kind) => [kind.name, kind]));
  const isListExempt = (name: string, scope: string): boolean => {
    const kind = ranked.get(name);
    return kind !== undefined && isListLeftAlone(exemptions, kind, scope);
  };
  return {
    ...configuration,
    managed: configuration.managed.filter(({ kind, scope }) => !isListExempt(kind, scope)),
    declared: configuration.declared.filter(
      ({ kind, scope, address }) =>
        !isListExempt(kind.name, scope) && (ranked.has(kind.name) || !isLeftAlone(exemptions, address)),
    ),
  };
}

/** The configuration without the fields that are left alone, of resources that exist. A resource to create has them all. */
export function withoutExemptFields(configuration: Configuration, matching: Matching): Configuration {
  const { exemptions } = configuration;
  if (exemptions === undefined) return configuration;
  const live = matching.liveByDeclared();
  let isChanged = false;
  const declared = configuration.declared.map((resource) => {
    const paths = live.has(resource) ? fieldsLeftAlone(exemptions, resource.address) : [];
    if (paths.length === 0) return resource;
    isChanged = true;
    return withoutFields(resource, paths);
  });
  return isChanged ? { ...configuration, declared } : configuration;
}

/** The places that the settings ignore in the managed lists: live resources, declared resources that are not live, and declared fields. */
export function ignoredPlaces(
  declared: Configuration,
  state: ResolvedState,
  matching: Matching,
): readonly ExemptPlace[] {
  const { exemptions } = declared;
  if (exemptions === undefined) return [];
  const resources = new Set([
    ...declared.declared.flatMap(({ kind, address }) =>
      kind.lifecycle.order !== "rank" && isIgnored(exemptions, address) ? [address] : [],
    ),
    ...declared.managed.flatMap(({ kind: name, scope }) => {
      const kind = state.kinds.get(name);
      const isListIgnored = kind?.lifecycle.order === "rank" && isIgnored(exemptions, `${addressPrefix(kind, scope)}1`);
      return isListIgnored ? [addressPrefix(kind, scope).slice(0, -1)] : [];
    }),
    ...matching.lists.flatMap(({ kind, scope }) =>
      (state.live(kind, scope) ?? []).flatMap(({ address }) => (isIgnored(exemptions, address) ? [address] : [])),
    ),
  ]);
  const fields = declared.declared.flatMap((resource): readonly ExemptPlace[] => {
    const { address, kind } = resource;
    if (resources.has(address) || kind.lifecycle.order === "rank") return [];
    const paths = ignoredFields(exemptions, address).filter((path) => memberAt(resource.fields, path) !== undefined);
    return paths.map((path) => ({ address, path }));
  });
  return [...[...resources].map((address) => ({ address })), ...fields];
}

/** Whether a plan leaves a field alone: `path` is a JSON Pointer into the resource. */
export function isExempt({ exempt = [] }: Pick<DeclaredResource, "exempt">, path: string): boolean {
  return exempt.includes(path);
}

/** The resource without these fields, or members of fields. */
function withoutFields(resource: DeclaredResource, paths: readonly string[]): DeclaredResource {
  const fields = withoutMembers(resource.fields, paths);
  const isGone = (pointer: string): boolean => paths.some((path) => pointerIsWithin(pointer, path));
  return {
    ...resource,
    fields,
    extra: resource.extra.filter((name) => name in fields),
    secrets: resource.secrets.filter((pointer) => !isGone(pointer)),
    exempt: paths,
  };
}

/** The value at a JSON Pointer. Items of lists are not found, because they cannot be left alone. */
function memberAt(fields: Fields, path: string): Json | undefined {
  return stepsOf(path).reduce<Json | undefined>((value, name) => fieldsIn(value)[name], fields);
}
