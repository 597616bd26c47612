/** Compares two configurations, such as those of two environments, with the rules by which a plan compares declared and live fields. */

import type { Configuration, ManagedList } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { startOf } from "../../config/resources/origins.ts";
import { sourcePlace } from "../../core/diagnostic.ts";
import { equal, type Fields, type Json, pointerIsWithin } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { MASK } from "../../core/value-text.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, listName } from "../../kinds/model/resource.ts";
import { equalField } from "../../kinds/values/same-field.ts";
import { isSameValue } from "../../kinds/values/same-value.ts";
import { createdFields } from "../diff/compare.ts";
import type { Action, Change, FieldChange } from "../model/plan.ts";
import { pairForReaders, unmovedIndexes } from "../ranked/changes.ts";
import { toRankedRule } from "../ranked/rule.ts";

/** The differences between two configurations. A resource of the second one alone is a `create`, one of the first alone a `delete`. */
export interface ConfigurationDifferences {
  readonly changes: readonly Change[];
  /** Lists that only the first configuration manages, by their addresses: `webhooks`, `routing_rules/sources/Datadog`. */
  readonly managedBefore: readonly string[];
  /** Lists that only the second one manages. */
  readonly managedAfter: readonly string[];
}

/** Stands for the value of a field that one of the configurations omits. */
const NOT_DECLARED = "(not declared)";

/** Compares them, kind by kind. Values from the environment variables are compared, and masked in the result. */
export function compareConfigurations(
  before: Configuration,
  after: Configuration,
  kinds: readonly Kind[],
  lists: readonly ComparedList[] = differentLists(before, after, kinds),
): ConfigurationDifferences {
  const changes = lists.flatMap(listChanges);
  return { changes, managedBefore: managedOnly(before, after, kinds), managedAfter: managedOnly(after, before, kinds) };
}

/** A list of two configurations. */
export interface ComparedList {
  readonly kind: Kind;
  readonly scope: string;
  readonly before: readonly DeclaredResource[];
  readonly after: readonly DeclaredResource[];
}

/** The lists of two configurations, kind by kind, without those that have the very same resources; unordered ones without these resources. */
export function differentLists(
  before: Configuration,
  after: Configuration,
  kinds: readonly Kind[],
): readonly ComparedList[] {
  const nameOf = ({ kind, scope }: DeclaredResource): string => listName(kind.name, scope);
  const [left, right] = [groupBy(before.declared, nameOf), groupBy(after.declared, nameOf)];
  const lists = [...new Set([...left.keys(), ...right.keys()])].flatMap((name): readonly ComparedList[] => {
    const list = { before: left.get(name) ?? [], after: right.get(name) ?? [] };
    const isSame = list.before.length === list.after.length && list.before.every((one, at) => one === list.after[at]);
    const [resource = list.after[0]] = list.before;
    if (resource === undefined || isSame) return [];
    const { kind, scope } = resource;
    if (kind.lifecycle.order !== undefined) return [{ kind, scope, ...list }];
    const [old, current] = [new Set(list.before), new Set(list.after)];
    const others = {
      before: list.before.filter((one) => !current.has(one)),
      after: list.after.filter((one) => !old.has(one)),
    };
    return [{ kind, scope, ...others }];
  });
  return kinds.flatMap(({ name }) => lists.filter(({ kind }) => kind.name === name));
}

/** The addresses of lists that one configuration manages and the other does not. */
function managedOnly(one: Configuration, other: Configuration, kinds: readonly Kind[]): readonly string[] {
  const isSame = (left: ManagedList, right: ManagedList) => left.kind === right.kind && left.scope === right.scope;
  return one.managed
    .filter((list) => !other.managed.some((managed) => isSame(list, managed)))
    .flatMap(({ kind: name, scope }) => {
      const kind = kinds.find((each) => each.name === name);
      return kind === undefined ? [] : addressPrefix(kind, scope).slice(0, -1);
    });
}

/** The indexes of resources after → the indexes of the same ones before. */
export function partnersIn({ kind, before, after }: ComparedList): ReadonlyMap<number, number> {
  return kind.lifecycle.order === "rank" ? pairRules(kind, before, after) : pairByKey(before, after);
}

function listChanges(list: ComparedList): readonly Change[] {
  const { kind, before, after } = list;
  const partners = partnersIn(list);
  const unmoved = unmovedIndexes(partners);
  const paired = new Set(partners.values());
  const changes: Change[] = [];
  after.forEach((resource, index) => {
    const partner = before[partners.get(index) ?? -1];
    if (partner === undefined) changes.push(changeOf(resource, "create", ownFields(resource)));
    else {
      const fields = fieldChanges(kind, partner, resource);
      const isMoved = kind.lifecycle.order !== undefined && !unmoved.has(index);
      if (fields.length > 0) changes.push(changeOf(resource, "update", fields));
      else if (isMoved) changes.push(changeOf(resource, "move", []));
    }
  });
  before.forEach((resource, index) => {
    if (paired.has(index)) return;
    const fields = ownFields(resource).map((field) => ({ ...field, before: field.after, after: null }));
    changes.push(changeOf(resource, "delete", fields));
  });
  return changes;
}

/** Every declared field, as a change from nothing. A rule has no key. */
function ownFields(resource: DeclaredResource): readonly FieldChange[] {
  return createdFields(resource).filter(({ path }) => resource.keyField !== "" || path !== "/");
}

function pairByKey(
  before: readonly DeclaredResource[],
  after: readonly DeclaredResource[],
): ReadonlyMap<number, number> {
  const indexes = new Map(before.map((resource, index) => [identityOf(resource), index]));
  return new Map(
    after.flatMap((resource, index) => {
      const partner = indexes.get(identityOf(resource));
      return partner === undefined ? [] : [[index, partner] as const];
    }),
  );
}

/** The key with the pin, since pinned resources may share a name. */
function identityOf({ key, keyField, pin }: DeclaredResource): string {
  return JSON.stringify([keyField, key, pin ?? null]);
}

function pairRules(
  kind: Kind,
  before: readonly DeclaredResource[],
  after: readonly DeclaredResource[],
): ReadonlyMap<number, number> {
  const rules = (list: readonly DeclaredResource[]) => list.map(({ fields }) => toRankedRule(kind, fields));
  return pairForReaders(rules(before), rules(after));
}

function fieldChanges(kind: Kind, before: DeclaredResource, after: DeclaredResource): readonly FieldChange[] {
  if (before === after) return [];
  const [left, right] = [comparedFields(before), comparedFields(after)];
  return [...new Set([...Object.keys(right), ...Object.keys(left)])].flatMap((name): readonly FieldChange[] => {
    const [was, is] = [left[name], right[name]];
    if (isSame(kind, name, was, is)) return [];
    const path = `/${name}`;
    const isSecret = [before, after].some(({ secrets }) => secrets.some((pointer) => pointerIsWithin(pointer, path)));
    const shown = (value: Json | undefined): Json => (value === undefined ? NOT_DECLARED : isSecret ? MASK : value);
    return [{ path, before: shown(was), after: shown(is), ...(isSecret ? { secret: true as const } : {}) }];
  });
}

/** The fields, and the keys of the file that no request sends. */
function comparedFields({ fields, kind, protected: isProtected, renamedFrom }: DeclaredResource): Fields {
  const { disable } = kind.lifecycle;
  return {
    // A resource is enabled unless it says otherwise.
    ...(disable === undefined ? {} : { [disable]: true }),
    ...fields,
    ...(isProtected ? { protected: true } : {}),
    ...(renamedFrom === undefined ? {} : { renamed_from: renamedFrom }),
  };
}

function isSame(kind: Kind, name: string, before: Json | undefined, after: Json | undefined): boolean {
  if (kind.lifecycle.order === "rank") return isSameValue(before ?? null, after ?? null);
  if (before === undefined || after === undefined) return before === after;
  return name in (kind.fields ?? {}) ? equalField(kind, name, before, after) : equal(before, after);
}

function changeOf(resource: DeclaredResource, action: Action, fields: readonly FieldChange[]): Change {
  const { kind, address, secrets } = resource;
  const [labelField = ""] = kind.identity.labels ?? [];
  const label = resource.fields[labelField];
  return {
    address,
    ...(typeof label === "string" && !secrets.includes(`/${labelField}`) ? { label } : {}),
    kind: kind.name,
    action,
    fields,
    reason: "",
    risk: "safe",
    operations: [],
    source: sourcePlace(startOf(resource)),
  };
}
