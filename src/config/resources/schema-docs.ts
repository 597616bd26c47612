/** Explanations of kinds and fields, from their schema, their facts and the examples. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Findings } from "../../core/findings.ts";
import { type Fields, fieldsIn, isFields, type Json, listIn } from "../../core/json.ts";
import { packageFile } from "../../core/package.ts";
import { suggest } from "../../core/suggest.ts";
import { type Kind, kindCalled, LIFECYCLE } from "../../kinds/model/kind.ts";
import { READ_ONLY } from "../schema/read-only-fields.ts";
import { partAt, resourceSchema, type SchemaPart, typesOf } from "../schema/schema.ts";
import { ruleOf } from "../schema/schema-rule.ts";
import { settingsSchema } from "../schema/settings-schema.ts";
import { LIMITS } from "../source/limits.ts";
import { Source } from "../source/source.ts";
import { type Member, memberOf, type Node } from "../source/tree.ts";
import { readYaml } from "../source/yaml/read-yaml.ts";
import { listsOf, nestedList } from "./lists.ts";

/** A kind or a field, explained. */
export interface Explanation {
  /** `severities` or `custom_fields.options.label`. */
  readonly name: string;
  /** The type in words, like "list of text". */
  readonly type: string;
  readonly description: string;
  /** Sentences: whether it is required, has a default, is read-only. */
  readonly notes: readonly string[];
  readonly values?: readonly Json[];
  readonly fields: readonly { readonly name: string; readonly type: string; readonly description: string }[];
  /** Kinds that it references, and that reference it; empty for a field. */
  readonly references: readonly string[];
  readonly referencedBy: readonly string[];
  /** From the example workspace, if it uses the field. */
  readonly example?: string;
}

/** No such kind or field; `meant` is the nearest name. */
export interface UnknownName {
  readonly unknown: string;
  readonly known: readonly string[];
  readonly meant?: string | undefined;
}

/** The word for the settings file. */
export const SETTINGS = "settings";

/** Explains a kind, or a field of it by the names that lead to it; likewise the settings or a key of them. */
export function explain(kinds: readonly Kind[], names: readonly string[]): Explanation | UnknownName {
  const [name = "", ...typed] = names;
  const kind = kindCalled(kinds, name);
  if (kind === undefined) return explainSetting(kinds, names);
  const words = [kind.name, ...typed];
  const schema = resourceSchema(kind);
  const path = withoutScope(kind, typed, Object.keys(propertiesOf(schema)));
  if (path.length === 0) {
    const place = typed.length === 0 ? {} : { name: words.join("."), type: "list" };
    return { ...explainKind(kind, kinds, schema), ...place };
  }
  const { part, missing } = partAlong(schema, path);
  if (missing !== undefined) return readOnly(words, missing) ?? unknownName(missing, Object.keys(propertiesOf(part)));
  const enumerated = valuesOf(part);
  const known = path.length === 1 ? (kind.fields?.[path[0] ?? ""]?.knownValues?.(kinds) ?? []) : [];
  const values = enumerated.length > 0 ? enumerated : known;
  const notes = [
    ...fieldNotes(kind, path),
    ...[ruleOf(part.part)?.sentence ?? []].flat(),
    ...(values === known && known.length > 0 ? ["A service may accept other values than those below."] : []),
  ];
  return {
    name: words.join("."),
    type: typeOf(part),
    description: textOf(part.part.description),
    notes,
    ...(values.length === 0 ? {} : { values }),
    fields: fieldsOf(part),
    references: [],
    referencedBy: [],
    ...exampleOf(kind, kinds, path),
  };
}

/** The names below the lists of a kind, without those that lead to one of its lists: `declare` of `forms.declare.visible`. */
function withoutScope({ scopes, parent }: Kind, path: readonly string[], fields: readonly string[]): readonly string[] {
  const patterns =
    scopes?.patterns.map((pattern) => pattern.slice(1).split("/")) ?? (parent?.apart === true ? [["*"]] : []);
  const isScope = (step: string): boolean => scopes?.names?.includes(step) ?? !fields.includes(step);
  for (const pattern of patterns) {
    const [first = ""] = path;
    // What stands for any name may be left out.
    if (pattern.length > 1 && pattern[0] === first && !isScope(path[1] ?? "")) return path.slice(1);
    const isLed = pattern.every((part, at) => path[at] === part || (part === "*" && isScope(path[at] ?? "")));
    if (isLed) return path.slice(pattern.length);
  }
  return path;
}

/** Explains the settings, or a key of them with or without `settings.` before it. */
function explainSetting(kinds: readonly Kind[], names: readonly string[]): Explanation | UnknownName {
  const whole = settingsSchema(kinds);
  const path = names[0] === SETTINGS ? names.slice(1) : names;
  const keys = Object.keys(fieldsIn(whole.properties));
  const [first = ""] = path;
  if (path === names && !keys.includes(first)) {
    const { unknown, known, meant } = unknownName(first, [...kinds.map(({ name }) => name).sort(), SETTINGS]);
    return { unknown, known, meant: meant ?? suggest(first, keys) };
  }
  const { part, missing } = partAlong({ whole, part: whole }, path);
  if (missing !== undefined) return unknownName(missing, Object.keys(propertiesOf(part)));
  const values = valuesOf(part);
  return {
    name: [SETTINGS, ...path].join("."),
    type: typeOf(part),
    description: textOf(part.part.description),
    notes: [ruleOf(part.part)?.sentence ?? []].flat(),
    ...(values.length === 0 ? {} : { values }),
    fields: fieldsOf(part),
    references: [],
    referencedBy: [],
    ...settingExample(path),
  };
}

function explainKind(kind: Kind, kinds: readonly Kind[], schema: SchemaPart): Explanation {
  const { parent, scopes } = kind;
  const place =
    parent !== undefined
      ? `${parent.field}: of a resource of ${parent.kind}${parent.apart === true ? `, or under ${kind.name}: and the key of that resource` : ""}`
      : scopes === undefined
        ? `${kind.name}:`
        : scopes.patterns.map((pattern) => `${kind.name}${pattern}`).join(" and ");
  const referring = kinds.filter(({ references }) => references?.dependsOn?.includes(kind.name) === true);
  return {
    name: kind.name,
    type: `list, under ${place}`,
    description: textOf(schema.part.description),
    notes: kindNotes(kind),
    fields: fieldsOf(schema),
    references: (kind.references?.dependsOn ?? []).filter((name) => name !== kind.name),
    referencedBy: referring.map(({ name }) => name).filter((name) => name !== kind.name),
    ...exampleOf(kind, kinds, []),
  };
}

/** The fields of the mappings that a kind, or a field of it by the names that lead to it, may have; none if there are no such. */
export function fieldsBelow(kind: Kind, names: readonly string[]): Explanation["fields"] {
  const { part, missing } = partAlong(resourceSchema(kind), names);
  return missing === undefined ? fieldsOf(part) : [];
}

function kindNotes(kind: Kind): readonly string[] {
  const {
    identity: { keys },
    lifecycle: { order, required = [], disable, calledByOthers },
  } = kind;
  return [
    keys.length === 0
      ? "A resource is identified by its place in the list."
      : `A resource is identified by its ${keys.join(" or ")}.`,
    ...(kind.identity.pin === undefined
      ? []
      : [`If several live resources share it, ${kind.identity.pin} chooses one.`]),
    ...(order === undefined ? [] : ["The order of the list is the order in the service."]),
    ...(required.length === 0 ? [] : [`Required for a new resource: ${required.join(" and ")}.`]),
    ...(kind.lifecycle.permanent === true
      ? ["The service cannot delete resources of this kind, so those that are not in the configuration stay."]
      : []),
    ...(disable === undefined ? [] : [`${disable}: false disables a resource.`]),
    ...(calledByOthers === undefined
      ? []
      : [
          "Other systems call it: one that is not in the configuration is disabled or deleted only with --allow-delete.",
        ]),
    ...(kind.endpoint.admin === true ? ["It needs an administrator's token (INCIDENTCTL_ADMIN_TOKEN)."] : []),
    ...(kind.lifecycle.secret?.field === undefined
      ? []
      : ["The service reports the token once, at creation; --secrets-out saves it."]),
  ];
}

function fieldNotes(kind: Kind, [first = "", ...deeper]: readonly string[]): readonly string[] {
  if (deeper.length > 0) return [];
  const field = kind.fields?.[first];
  return [
    ...(kind.identity.keys.includes(first) ? ["It is the identity: two resources cannot have the same value."] : []),
    ...(kind.identity.pin === first ? ["It pins the resource to one live resource."] : []),
    ...(kind.lifecycle.required?.includes(first) === true ? ["Required for a new resource."] : []),
    ...(kind.identity.labels?.includes(first) === true
      ? ["For people and plans only; it is not sent to the service."]
      : []),
    ...(LIFECYCLE.includes(first)
      ? ["It controls how incidentctl handles the resource, and is not sent as a field."]
      : []),
    ...(field?.writtenBy === "create" ? ["It is set at creation and cannot change later."] : []),
    ...(field?.computedDefault === undefined ? [] : ["If absent, the service computes it."]),
    ...(field?.holdsReferences === true ? ["It references other resources."] : []),
    ...(field?.notes?.() ?? []),
    ...(field?.attention === true ? ["Plans mark changes of it for attention."] : []),
  ];
}

function readOnly(words: readonly string[], step: string): Explanation | undefined {
  const instead = READ_ONLY.get(step);
  if (instead === undefined) return undefined;
  const description = "Set by the service; files cannot state it.";
  const nothing = { fields: [], references: [], referencedBy: [] };
  return { name: words.join("."), type: "read-only", description, notes: [instead], ...nothing };
}

function unknownName(word: string, known: readonly string[]): UnknownName {
  return { unknown: word, known, meant: suggest(word, known) };
}

/** A part with its alternatives. */
function alternativesOf(part: SchemaPart): readonly SchemaPart[] {
  const branches = [part.part.oneOf, part.part.anyOf].flatMap(listIn);
  const alternatives = branches.flatMap(
    (branch) => partAt({ ...part, part: { properties: { branch } } }, "branch") ?? [],
  );
  const items = itemsOf(part);
  return [part, ...alternatives.flatMap(alternativesOf), ...(items === undefined ? [] : alternativesOf(items))];
}

/** The items of a list; undefined for other values, and for a list of the same as one value is: `one or several`. */
function itemsOf(part: SchemaPart): SchemaPart | undefined {
  if (!typesOf(part).includes("array")) return undefined;
  const items = partAt({ ...part, part: { items: part.part.items ?? null } }, "0");
  return items?.part === part.part ? undefined : items;
}

function propertiesOf(part: SchemaPart): Fields {
  return Object.assign({}, ...alternativesOf(part).map(({ part: { properties } }) => fieldsIn(properties)));
}

/** The part that names lead to, or the last one on the way to a name that is missing. */
function partAlong(top: SchemaPart, path: readonly string[]): { readonly part: SchemaPart; readonly missing?: string } {
  let part = top;
  for (const step of path) {
    const below = partBelow(part, step);
    if (below === undefined) return { part, missing: step };
    part = below;
  }
  return { part };
}

function partBelow(part: SchemaPart, step: string): SchemaPart | undefined {
  const alternatives = alternativesOf(part);
  const named = alternatives.find(
    ({ part: { properties } }) => isFields(properties) && Object.hasOwn(properties, step),
  );
  if (named !== undefined) return partAt(named, step);
  const open = alternatives.find((alternative) => isFields(alternative.part.additionalProperties));
  const any = partAt(open, step);
  // A name that anything may have is left out: `environments.base_url`.
  return any !== undefined && Object.hasOwn(propertiesOf(any), step) ? partBelow(any, step) : any;
}

function fieldsOf(part: SchemaPart): Explanation["fields"] {
  return Object.keys(propertiesOf(part)).flatMap((name) => {
    const below = partBelow(part, name);
    return below === undefined ? [] : [{ name, type: typeOf(below), description: textOf(below.part.description) }];
  });
}

function valuesOf(part: SchemaPart): readonly Json[] {
  return alternativesOf(part).flatMap(({ part: { enum: values } }) => listIn(values));
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  object: "mapping",
  null: "null",
};

function typeOf(part: SchemaPart): string {
  const types = typesOf(part).map((type) => {
    const item = type === "array" ? itemsOf(part) : undefined;
    return item === undefined ? (type === "array" ? "list" : (TYPES[type] ?? type)) : `list of ${typeOf(item)}`;
  });
  if (types.length > 0) return types.join(" or ");
  const alternatives = alternativesOf(part).slice(1).map(typeOf);
  return alternatives.length === 0 ? "anything" : [...new Set(alternatives)].join(" or ");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A file of the example workspace. */
function readExample(name: string): { readonly source: Source; readonly node: Node } | undefined {
  const file = `examples/${name}.yaml`;
  const at = fileURLToPath(packageFile(file));
  const source = new Source(file, at, readFileSync(at, "utf8"));
  const node = readYaml(source, LIMITS, new Findings())?.node;
  return node === undefined ? undefined : { source, node };
}

/** A part of an example, without the indentation of its first line. */
function excerpt(source: Source, found: Node | Member): readonly string[] {
  const { column } = source.location(found.start);
  const { end } = "type" in found ? found : found.value;
  const lines = source.text.slice(found.start, end).trimEnd().split("\n");
  return lines.map((line, index) => (index === 0 ? line : line.replace(new RegExp(`^ {0,${column - 1}}`), "")));
}

/** The settings of the example workspace, or a key of them. */
function settingExample(path: readonly string[]): { example?: string } {
  const read = readExample("incidentctl");
  const found = path.length === 0 ? read?.node : read && findMember(read.node, path);
  return read === undefined || found === undefined ? {} : { example: excerpt(read.source, found).join("\n") };
}

/** The first resource in the example workspace that has the field, as in its file. */
function exampleOf(kind: Kind, kinds: readonly Kind[], path: readonly string[]): { example?: string } {
  const read = readExample(kind.module);
  if (read === undefined) return {};
  const { source } = read;
  const lists = listsOf(read, kinds, new Findings());
  const resources = lists.flatMap((list) => {
    if (list.of === kind) return list.items;
    return list.items.flatMap((item) => nestedList(kind, item, "", source)?.items ?? []);
  });
  for (const item of resources) {
    const found = path.length === 0 ? item : findMember(item, path);
    if (found === undefined) continue;
    const lines = excerpt(source, found);
    const whole = path.length > 0 ? lines : lines.map((line, index) => `${index === 0 ? "- " : "  "}${line}`);
    return { example: whole.map((line) => line.trimEnd()).join("\n") };
  }
  return {};
}

function findMember(node: Node, [step, ...rest]: readonly string[]): Member | undefined {
  if (step === undefined) return undefined;
  if (node.type === "list") {
    for (const item of node.items) {
      const found = findMember(item, [step, ...rest]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const member = memberOf(node, step);
  return member === undefined || rest.length === 0 ? member : findMember(member.value, rest);
}
