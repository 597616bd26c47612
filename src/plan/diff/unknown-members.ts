/** Members of live values that the files cannot have, because only a newer service knows them. */

import { hasSchema, partAt, resourceSchema, type SchemaPart, typesOf } from "../../config/schema/schema.ts";
import {
  escapedStep,
  type Fields,
  fieldsIn,
  isFields,
  isList,
  type Json,
  stepsOf,
  withoutMembers,
} from "../../core/json.ts";
import { type Kind, POSITION } from "../../kinds/model/kind.ts";
import { NAME_FIELDS } from "../../kinds/model/lookup.ts";

/** The paths of members, with `*` for each place in a list. */
export type Shape = Pick<ReadonlySet<string>, "has">;

/** The paths of all members that some declared rule has. */
export function shapeOf(declared: readonly Fields[]): Shape {
  const paths = new Set<string>();
  const add = (value: Json, path: string): void => {
    if (isList(value)) for (const item of value) add(item, `${path}/*`);
    if (!isFields(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const below = `${path}/${escapedStep(name)}`;
      paths.add(below);
      add(member, below);
    }
  };
  for (const fields of declared) add(fields, "");
  return paths;
}

interface Member {
  /** JSON Pointer into the resource. */
  readonly path: string;
  /** The same, with `*` for each place in a list. */
  readonly shape: string;
  readonly value: Json;
}

/** The members below the fields of a live resource that neither the schema nor a declared resource has. */
export function unknownMembers(
  { kind, fields }: { readonly kind: Kind; readonly fields: Fields },
  declared: Shape,
): readonly Member[] {
  if (!hasSchema(kind.module)) return [];
  const found: Member[] = [];
  const search = (value: Json, allowed: Allowed, path: string, shape: string): void => {
    const { schema, members } = allowed;
    if (schema === undefined && members === undefined) return;
    if (isList(value)) {
      for (const [at, item] of value.entries()) search(item, below(allowed, "0"), `${path}/${at}`, `${shape}/*`);
    }
    if (!isFields(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const step = escapedStep(name);
      const place = { path: `${path}/${step}`, shape: `${shape}/${step}` };
      const isKnown = path === "" || isMember(allowed, name) || declared.has(place.shape);
      const own = path === "" ? { members: kind.fields?.[name]?.members } : {};
      if (isKnown) search(member, { ...below(allowed, name), ...own }, place.path, place.shape);
      else found.push({ ...place, value: member });
    }
  };
  search(fields, { schema: resourceSchema(kind), members: undefined }, "", "");
  return found;
}

/** The members that a value may have: those of its schema, or where that allows any, those of the interface. */
interface Allowed {
  readonly schema: SchemaPart | undefined;
  readonly members: readonly string[] | undefined;
}

function below({ schema, members }: Allowed, step: string): Allowed {
  return { schema: partAt(schema, step), members };
}

function isMember({ schema, members }: Allowed, name: string): boolean {
  if (partAt(schema, name) !== undefined) return true;
  return members === undefined ? schema !== undefined && !isClosed(schema) : members.includes(name);
}

/** Whether a part of a schema has no members but its own. Where the files have a text, the service may answer an object. */
function isClosed(schema: SchemaPart): boolean {
  const types = typesOf(schema);
  return schema.part.additionalProperties === false || (types.length > 0 && !types.includes("object"));
}

/** A value of a field without such members. */
export function knownValue(kind: Kind, field: string, value: Json, declared: Shape): Json {
  const fields = { [field]: value };
  const unknown = unknownMembers({ kind, fields }, declared).map(({ path }) => path);
  return unknown.length === 0 ? value : (withoutMembers(fields, unknown)[field] ?? null);
}

/** Whether the values of a field may have such members: some part of its schema has no members but its own. */
export function mayHaveUnknown(kind: Kind, field: string): boolean {
  if (kind.fields?.[field]?.members !== undefined) return true;
  const search = (schema: SchemaPart | undefined): boolean => {
    if (schema === undefined) return false;
    const { properties, additionalProperties } = schema.part;
    if (additionalProperties === false) return true;
    return [...Object.keys(fieldsIn(properties)), ""].some((name) => search(partAt(schema, name)));
  };
  return hasSchema(kind.module) && search(partAt(resourceSchema(kind), field));
}

/**
 * The members of what a wire field answers for a field that no file can have, as JSON Pointers into the row with `*` for each item of a list.
 * Names, ids and places are known: they tell of what an item is.
 */
export function unknownParts(
  kind: Kind,
  { field, wire, value }: { readonly field: string; readonly wire: string; readonly value: Json },
  declared: Shape,
): readonly string[] {
  const [from, to] = [escapedStep(field), escapedStep(wire)];
  const shapes = unknownMembers({ kind, fields: { [field]: value } }, declared)
    .map(({ shape }) => shape)
    .filter((shape) => !isNaming(stepsOf(shape).at(-1) ?? ""));
  return [...new Set(shapes)].map((shape) => `/${to}${shape.slice(from.length + 1)}`);
}

function isNaming(name: string): boolean {
  return NAME_FIELDS.includes(name) || name === POSITION || /_ids?$/.test(name);
}
