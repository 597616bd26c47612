/** The schemas of the modules, and the schema of a whole workspace, composed from them and the registry of kinds. */

import { existsSync, readFileSync } from "node:fs";
import { escapedStep, type Fields, fieldsIn, isFields, isList, type Json, stepsOf, valueAt } from "../../core/json.ts";
import { packageFile } from "../../core/package.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { withHints, withSuggestions } from "./editor-hints.ts";

const modules = new Map<string, Fields>();
/** The properties that modules share, once a module has been asked for. */
let sharedProperties: Fields | undefined;

/** The schema of a module (`schemas/*.json`): one resource, with its nested resources. Throws if there is no such file. */
export function moduleSchema(module: string): Fields {
  const known = modules.get(module);
  if (known !== undefined) return known;
  const schema = readSchema(module);
  sharedProperties ??= fieldsIn(readSchema("shared").$defs);
  const whole = withShared(schema, sharedProperties, String(schema.title).toLowerCase()) as Fields;
  modules.set(module, whole);
  return whole;
}

/** Whether a module has a schema: what has none cannot be in files, and can be planned. */
export function hasSchema(module: string): boolean {
  return modules.has(module) || existsSync(schemaFile(module));
}

function readSchema(name: string): Fields {
  return JSON.parse(readFileSync(schemaFile(name), "utf8"));
}

function schemaFile(name: string): URL {
  return packageFile(`schemas/${name}.json`);
}

/** The schema with the shared properties that it refers to, in which `{title}` stands for the kind's title. */
function withShared(schema: Json, shared: Fields, title: string): Json {
  if (isList(schema)) return schema.map((item) => withShared(item, shared, title));
  if (!isFields(schema)) return schema;
  const [, name] = /^shared\.json#\/\$defs\/(\w+)$/.exec(String(schema.$ref)) ?? [];
  if (name === undefined) {
    return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withShared(part, shared, title)]));
  }
  const part = shared[name];
  if (!isFields(part)) throw new Error(`schemas/shared.json has no ${name}`);
  return { ...part, description: String(part.description).replaceAll("{title}", title) };
}

/** A part of a schema, with the whole schema, which its `$ref`s are paths in. */
export interface SchemaPart {
  readonly whole: Fields;
  readonly part: Fields;
}

/** The schema of one resource of a kind: its module's, or for a nested kind a part of its parent's. */
export function resourceSchema(kind: Kind): SchemaPart {
  const whole = moduleSchema(kind.module);
  const top = { whole, part: whole };
  if (kind.parent === undefined) return top;
  const nested = partAt(partAt(top, kind.parent.field), "0");
  if (nested === undefined) throw new Error(`schemas/${kind.module}.json says nothing about ${kind.parent.field}`);
  return nested;
}

/** The schema of a member or an item of the value that `above` describes; undefined if any value is allowed. */
export function partAt(above: SchemaPart | undefined, step: string): SchemaPart | undefined {
  if (above === undefined) return undefined;
  const { whole, part } = above;
  const properties = fieldsIn(part.properties);
  const schema = Object.hasOwn(properties, step) ? properties[step] : (part.additionalProperties ?? part.items);
  return isFields(schema) ? { whole, part: resolveReference(schema, whole) } : undefined;
}

/** The types that a part allows; empty if it allows any. */
export function typesOf(schema: SchemaPart | undefined): readonly string[] {
  const { type = [] } = schema?.part ?? {};
  return [type].flat().map(String);
}

function resolveReference(part: Fields, whole: Fields): Fields {
  if (typeof part.$ref !== "string") return part;
  const target = valueAt(whole, stepsOf(part.$ref.slice(1)));
  if (!isFields(target)) throw new Error(`${part.$ref} points to nothing`);
  return part.description === undefined ? target : { ...target, description: part.description };
}

/** Returns a self-contained schema of configuration files, for editors and for `incidentctl schema`. */
export function workspaceSchema(kinds: readonly Kind[]): Fields {
  const described = {
    title: "Workspace",
    description:
      "The configuration of a workspace. A kind without a key here is not managed. A list is complete: resources that are not in it are removed, and [] removes all.",
  };
  return composeSchema(kinds, "workspace", described, (kind) =>
    withSuggestions(kind, moduleSchema(kind.module), kinds),
  );
}

/** Returns a self-contained schema of files with lists of every kind; `schemaOf` returns the schema of a kind's resources. */
export function composeSchema(
  kinds: readonly Kind[],
  name: string,
  described: { readonly title: string; readonly description: string },
  schemaOf: (kind: Kind) => Fields,
): Fields {
  const top = kinds.filter(({ parent }) => parent === undefined);
  const definitions = new Map(top.map((kind) => [kind.module, embed(schemaOf(kind), kind.module)]));
  const schema: Fields = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...described,
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries([
      ...top.map((kind) => [kind.name, kindLists(kind)] as const),
      ...kinds.flatMap((kind) =>
        kind.parent?.apart === true ? [[kind.name, listsApart(kind, kind.parent)] as const] : [],
      ),
    ]),
    $defs: Object.fromEntries(definitions),
  };
  return withHints(schema, name);
}

/** Returns a self-contained schema of a kind's resources; undefined if there is no such kind. */
export function kindSchema(kinds: readonly Kind[], name: string): Fields | undefined {
  const kind = kinds.find((candidate) => candidate.name === name);
  if (kind === undefined) return undefined;
  const { whole, part } = resourceSchema(kind);
  const suggested = withSuggestions(kind, part, kinds);
  return withHints(part === whole ? suggested : { $schema: whole.$schema ?? null, ...suggested }, name);
}

/** A module's schema as a definition of another schema: its references become one level deeper. */
function embed(schema: Fields, module: string): Fields {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return allowSubstitutions(redirectReferences(rest, `#/$defs/${escapedStep(module)}/`)) as Fields;
}

/**
 * The schema before substitution: a value that is not free text can also be `${env:…}`, `${var:…}` or `${file:…}` as a whole.
 * Rules about combinations of values are unchanged.
 */
function allowSubstitutions(schema: Json): Json {
  if (!isFields(schema)) return schema;
  const below = Object.entries(schema).map(([name, member]): readonly [string, Json] => {
    if (name === "items" || name === "additionalProperties") return [name, allowSubstitutions(member)];
    if (name === "anyOf" && isList(member)) return [name, member.map(allowSubstitutions)];
    if ((name !== "properties" && name !== "$defs") || !isFields(member)) return [name, member];
    return [name, Object.fromEntries(Object.entries(member).map(([key, part]) => [key, allowSubstitutions(part)]))];
  });
  const inner = Object.fromEntries(below);
  if (!isConfined(inner)) return inner;
  const { description, ...rest } = inner;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, SUBSTITUTION] };
}

const SUBSTITUTION: Fields = { type: "string", pattern: "^\\$\\{(env|var|file):[^}]+\\}$" };

/** Whether a schema is of a scalar and refuses some texts. */
function isConfined({ type, ...rest }: Fields): boolean {
  const types = Array.isArray(type) ? type : [type ?? "any"];
  if (types.some((one) => one === "object" || one === "array" || one === "any")) return false;
  return !types.includes("string") || ["enum", "const", "pattern", "format"].some((keyword) => keyword in rest);
}

function redirectReferences(value: Json, base: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => redirectReferences(item, base));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === "$ref" && typeof member === "string"
        ? [name, member.replace(/^#\//, base)]
        : [name, redirectReferences(member, base)],
    ),
  );
}

function kindLists(kind: Kind): Fields {
  const list = resourceList(kind);
  if (kind.scopes === undefined) return list;
  const { patterns, names } = kind.scopes;
  return {
    description: list.description ?? null,
    ...branch(
      patterns.map((pattern) => pattern.slice(1).split("/")),
      names,
      list,
    ),
  };
}

/** Lists of a nested kind that stand apart, by the key of the parent. */
function listsApart({ module }: Kind, { kind, field }: NonNullable<Kind["parent"]>): Fields {
  const items = { $ref: `#/$defs/${escapedStep(module)}/properties/${field}/items` };
  return {
    description: `Lists of ${field} by the slug of their resource in ${kind}, in any number of files. With ${field} there, they are one complete list: resources that are in none are removed.`,
    type: "object",
    additionalProperties: { type: "array", items },
  };
}

function resourceList(kind: Kind): Fields {
  return {
    description: `${moduleSchema(kind.module).description ?? ""} ${ownership(kind)}`,
    type: "array",
    items: { $ref: `#/$defs/${escapedStep(kind.module)}` },
  };
}

function ownership(kind: Kind): string {
  return kind.lifecycle.permanent === true
    ? "Resources that are not in the list are preserved."
    : "The list is complete: resources that are not in it are removed.";
}

/** A mapping whose keys are the first segments of the patterns; `*` matches any scope. */
function branch(patterns: readonly (readonly string[])[], scopes: readonly string[] | undefined, list: Fields): Fields {
  const properties: Record<string, Json> = {};
  let others: Json = false;
  for (const [first = "", ...rest] of patterns) {
    const below = rest.length === 0 ? list : { description: `By ${first}.`, ...branch([rest], scopes, list) };
    if (first !== "*") properties[first] = below;
    else if (scopes === undefined) others = below;
    else for (const scope of scopes) properties[scope] = below;
  }
  return { type: "object", additionalProperties: others, properties };
}
