/**
 * Items of keyed lists, and their options, that the service has under a name in another form: declared resources get the live names, and their
 * children hold values under the live keys. The attributes of catalog types are such items, and their entries the children.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { escapedStep, type Fields, isFields, isList, type Json, objectsIn, pointerIsWithin } from "../../core/json.ts";
import type { KeyedItems, Kind } from "../../kinds/model/kind.ts";
import { listName } from "../../kinds/model/resource.ts";
import { compareName } from "../../kinds/values/same-field.ts";
import type { Matching } from "./match.ts";

/** The configuration with the live names of items and options where the declared ones are the same in another form. */
export function withLiveItemNames(configuration: Configuration, matching: Matching): Configuration {
  const owners = new Map<DeclaredResource, DeclaredResource>();
  const children = new Map<string, ChildForms>();
  for (const { kind, matches, otherMatches } of matching.lists) {
    for (const { declared, live } of [...matches, ...otherMatches]) {
      for (const [field, items] of keyedLists(declared.kind)) {
        const [own, other] = [declared.fields[field], live?.fields[field]];
        if (declared.kind.name !== kind || !isList(own) || !isList(other)) continue;
        const forms = liveForms(objectsIn(own), objectsIn(other), items);
        if (forms.items.size === 0) continue;
        const list = own.map((item) => forms.items.get(item) ?? item);
        owners.set(declared, replaced(owners.get(declared) ?? declared, field, list, own));
        children.set(listName(items.kind, declared.key), { field: items.values, ...forms });
      }
    }
  }
  if (owners.size === 0) return configuration;
  const declared = configuration.declared.map((resource) => {
    const forms = children.get(listName(resource.kind.name, resource.scope));
    const named = owners.get(resource) ?? resource;
    return forms === undefined ? named : withLiveKeys(named, forms);
  });
  return { ...configuration, declared };
}

function keyedLists({ fields = {} }: Kind): readonly (readonly [field: string, items: KeyedItems])[] {
  return Object.entries(fields).flatMap(([field, { keyedItems }]) =>
    keyedItems === undefined ? [] : [[field, keyedItems] as const],
  );
}

/** The items and options of a list that the service has in another form. */
interface LiveForms {
  /** Declared item → the item with its live name and options. */
  readonly items: ReadonlyMap<Json, Fields>;
  /** Declared key → live key. */
  readonly keys: ReadonlyMap<string, string>;
  /** Live key of an item → declared option → live option. */
  readonly options: ReadonlyMap<string, ReadonlyMap<Json, Json>>;
}

/** The forms of a list for the children, and the field in which they hold their values. */
interface ChildForms extends LiveForms {
  readonly field: string;
}

function liveForms(declared: readonly Fields[], live: readonly Fields[], keyed: KeyedItems): LiveForms {
  const { keyOf, names, options: optionField = "" } = keyed;
  const [nameField = ""] = names;
  const liveByKey = new Map(live.map((item) => [keyOf(item), item]));
  const listed = new Set(declared.map(keyOf));
  const items = new Map<Json, Fields>();
  const keys = new Map<string, string>();
  const options = new Map<string, ReadonlyMap<Json, Json>>();
  for (const item of declared) {
    const isForm = (other: Fields): boolean => isFormOf(other[nameField], item[nameField]);
    const other = liveByKey.get(keyOf(item)) ?? live.find((one) => !listed.has(keyOf(one)) && isForm(one));
    if (other === undefined) continue;
    listed.add(keyOf(other));
    if (keyOf(other) !== keyOf(item)) keys.set(keyOf(item), keyOf(other));
    const forms = optionForms(item[optionField], other[optionField]);
    if (forms.size > 0) options.set(keyOf(other), forms);
    const isRenamed = isForm(other) && other[nameField] !== item[nameField];
    if (!isRenamed && forms.size === 0) continue;
    const name = isRenamed ? { [nameField]: other[nameField] ?? null } : {};
    const labels = forms.size === 0 ? {} : { [optionField]: inLiveForm(item[optionField] ?? null, forms) };
    items.set(item, { ...item, ...name, ...labels });
  }
  return { items, keys, options };
}

/** Declared option → live option, of those that are the same in another form and are not both declared or both live. */
function optionForms(declared: Json | undefined, live: Json | undefined): ReadonlyMap<Json, Json> {
  if (!isList(declared) || !isList(live)) return new Map();
  const left = new Set(live.filter((option) => !declared.includes(option)));
  const forms = new Map<Json, Json>();
  for (const option of declared) {
    const form = live.includes(option) ? undefined : [...left].find((other) => isFormOf(other, option));
    if (form === undefined) continue;
    left.delete(form);
    forms.set(option, form);
  }
  return forms;
}

function isFormOf(live: Json | undefined, declared: Json | undefined): boolean {
  return typeof live === "string" && typeof declared === "string" && compareName(live, declared).isSame;
}

/** A value, or the values of a list, as the service has them. */
function inLiveForm(value: Json, forms: ReadonlyMap<Json, Json> | undefined): Json {
  if (forms === undefined) return value;
  return isList(value) ? value.map((item) => forms.get(item) ?? item) : (forms.get(value) ?? value);
}

/** A child with its values under the live keys. */
function withLiveKeys(child: DeclaredResource, { field, keys, options }: ChildForms): DeclaredResource {
  const values = child.fields[field];
  if (!isFields(values)) return child;
  const keyOf = (key: string): string => {
    const live = keys.get(key);
    return live === undefined || Object.hasOwn(values, live) ? key : live;
  };
  const moved = Object.keys(values).filter((key) => keyOf(key) !== key);
  const live = Object.entries(values).map(
    ([key, value]) => [keyOf(key), inLiveForm(value, options.get(keyOf(key)))] as const,
  );
  if (moved.length === 0 && live.every(([key, value]) => value === values[key])) return child;
  const pointers = moved.map(
    (key) => [`/${field}/${escapedStep(key)}`, `/${field}/${escapedStep(keyOf(key))}`] as const,
  );
  const secrets = child.secrets.map((pointer) => {
    const [from = "", to = ""] = pointers.find(([former]) => pointerIsWithin(pointer, former)) ?? [];
    return [to + pointer.slice(from.length), pointer] as const;
  });
  return {
    ...replaced(child, field, Object.fromEntries(live), values),
    secrets: secrets.map(([pointer]) => pointer),
    ...(secrets.length === 0 ? {} : { writtenSecrets: new Map(secrets) }),
  };
}

/** A resource with a field as the service has it; `written` is the field in the form of the files. */
function replaced(resource: DeclaredResource, field: string, value: Json, written: Json): DeclaredResource {
  return {
    ...resource,
    fields: { ...resource.fields, [field]: value },
    written: { ...resource.written, [field]: written },
  };
}
