/** The schema of overlays, for editors: entries of which only what differs is written, and what may be said of them besides. */

import { type Fields, isFields, type Json } from "../../core/json.ts";
import { childrenOf, type Kind } from "../../kinds/kind.ts";
import { composed, entrySchema, roomSchema } from "./schema.ts";

/** One self-contained schema of the files that an environment lays over the configuration. */
export function overlaySchema(kinds: readonly Kind[]): Fields {
  const described = {
    title: "Overlay",
    description:
      "What an environment lays over the configuration. Entries meet by their identity, mappings are merged, and everything else replaces what it meets.",
  };
  return composed(kinds, described, (kind) => entryOf(kind, roomSchema(kind.module), kinds));
}

/** An entry of which only its identity must be there; one without an identity is written whole, as its list is. */
function entryOf(kind: Kind, schema: Fields, kinds: readonly Kind[]): Fields {
  if (kind.identity.keys.length === 0) return schema;
  const nested = new Map(childrenOf(kinds, kind).map((inner) => [inner.parent?.field ?? "", inner] as const));
  const merged = mapping(schema, (name, value) => {
    const inner = nested.get(name);
    return inner === undefined ? differing(value) : { ...value, items: entryOf(inner, entrySchema(inner).part, kinds) };
  });
  return {
    ...merged,
    properties: { ...(isFields(merged.properties) ? merged.properties : {}), ...marks(kind) },
    ...(kind.identity.keys.length === 1
      ? { required: [...kind.identity.keys] }
      : { anyOf: kind.identity.keys.map((field) => ({ required: [field] })) }),
  };
}

function marks({ title, identity: { keys: key } }: Kind): Readonly<Record<string, Fields>> {
  const beside = (where: string): Fields => ({
    description: `Places the entry right ${where} the ${title} with this ${key.join(" or ")}.`,
    type: "string",
    minLength: 1,
  });
  return {
    $remove: { description: `Takes the ${title} away in this environment.`, const: true },
    $before: beside("before"),
    $after: beside("after"),
  };
}

/** What a schema demands of a mapping as a whole, which an overlay writes a part of. */
const WHOLE: readonly string[] = [
  "required",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "minProperties",
];

/** A mapping of which any part may be written. */
function mapping(schema: Fields, each: (name: string, value: Fields) => Fields): Fields {
  const parts = Object.entries(schema)
    .filter(([name]) => !WHOLE.includes(name))
    .map(([name, value]): readonly [string, Json] => {
      if (name === "additionalProperties" && isFields(value)) return [name, differing(value)];
      if (name !== "properties" || !isFields(value)) return [name, value];
      const members = Object.entries(value).map(([key, member]) => [
        key,
        isFields(member) ? each(key, member) : member,
      ]);
      return [name, Object.fromEntries(members)];
    });
  return Object.fromEntries(parts);
}

/** A value of an entry: merged where it is a mapping, else as it is; or a mark that takes it away. */
function differing(schema: Fields): Fields {
  const { description, ...value } = isMapping(schema) ? mapping(schema, (_, member) => differing(member)) : schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [value, REMOVAL] };
}

const REMOVAL: Fields = {
  type: "object",
  additionalProperties: false,
  required: ["$remove"],
  properties: { $remove: { description: "Takes the value away in this environment.", const: true } },
};

function isMapping({ type, properties, additionalProperties }: Fields): boolean {
  return type === "object" && (isFields(properties) || isFields(additionalProperties));
}
