/** The schema of overlays, for editors: resources with only the fields that differ, and the keys of overlays. */

import { defined, type Fields, fieldsIn, isFields, type Json } from "../../core/json.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import { withSuggestions } from "./editor-hints.ts";
import { composeSchema, moduleSchema, resourceSchema } from "./schema.ts";

/** Removes the resource or value that has it. */
export const REMOVE = "$remove";
/** Places the resource before the one that it names. */
export const BEFORE = "$before";
/** Places the resource after the one that it names. */
export const AFTER = "$after";
const OVERLAY_KEYS: readonly string[] = [REMOVE, BEFORE, AFTER];

/** Whether a key has a meaning only in overlays. */
export function isOverlayKey(key: string): boolean {
  return OVERLAY_KEYS.includes(key);
}

/** Returns a self-contained schema of overlays. */
export function overlaySchema(kinds: readonly Kind[]): Fields {
  const described = {
    title: "Overlay",
    description:
      "Changes of the configuration in an environment. Resources match by their identity, mappings are merged, and other values are replaced.",
  };
  return composeSchema(kinds, "overlay", described, (kind) =>
    resourceOverlay(kind, withSuggestions(kind, moduleSchema(kind.module), kinds), kinds),
  );
}

/** A resource of which only the identity is required. A resource without identity is written whole, as its list is. */
function resourceOverlay(kind: Kind, schema: Fields, kinds: readonly Kind[]): Fields {
  if (kind.identity.keys.length === 0) return schema;
  const nested = new Map(childrenOf(kinds, kind).map((inner) => [inner.parent?.field ?? "", inner] as const));
  const sources = childrenOf(kinds, kind).map(({ parent }) => parent?.from);
  const merged = mapping(withoutProperties(schema, sources), (name, value) => {
    const inner = nested.get(name);
    return inner === undefined
      ? mergeable(value)
      : { ...value, items: resourceOverlay(inner, resourceSchema(inner).part, kinds) };
  });
  return {
    ...merged,
    properties: { ...fieldsIn(merged.properties), ...overlayKeys(kind) },
    ...(kind.identity.keys.length === 1
      ? { required: [...kind.identity.keys] }
      : { anyOf: kind.identity.keys.map((field) => ({ required: [field] })) }),
  };
}

/** A mapping without what only configuration files may have. */
function withoutProperties(schema: Fields, names: readonly (string | undefined)[]): Fields {
  const properties = fieldsIn(schema.properties);
  const rest = Object.entries(properties).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(rest) };
}

function overlayKeys({ title, identity: { keys: key } }: Kind): Readonly<Record<string, Fields>> {
  const beside = (where: string): Fields => ({
    description: `Places the resource right ${where} the ${title} with this ${key.join(" or ")}.`,
    type: "string",
    minLength: 1,
  });
  return {
    [REMOVE]: { description: `Removes the ${title} in this environment.`, const: true },
    [BEFORE]: beside("before"),
    [AFTER]: beside("after"),
  };
}

/** Keywords about whole mappings, of which an overlay has only a part. */
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

/** The schema of a part of a mapping. */
function mapping(schema: Fields, each: (name: string, value: Fields) => Fields): Fields {
  const parts = Object.entries(schema)
    .filter(([name]) => !WHOLE.includes(name))
    .map(([name, value]): readonly [string, Json] => {
      if (name === "additionalProperties" && isFields(value)) return [name, mergeable(value)];
      if (name !== "properties" || !isFields(value)) return [name, value];
      const members = Object.entries(value).map(([key, member]) => [
        key,
        isFields(member) ? each(key, member) : member,
      ]);
      return [name, Object.fromEntries(members)];
    });
  return Object.fromEntries(parts);
}

/** The schema of a value in an overlay: a part of a mapping, another value, or `$remove`. */
function mergeable(schema: Fields): Fields {
  const { description, ...value } = isMapping(schema) ? mapping(schema, (_, member) => mergeable(member)) : schema;
  // Editors offer and explain $remove among free keys only as a key of the mapping itself.
  const isFree = schema.type === "object" && schema.additionalProperties !== false;
  const whole = isFree ? { ...value, properties: { ...fieldsIn(value.properties), ...REMOVED } } : value;
  return { ...defined({ description }), anyOf: [whole, REMOVAL] };
}

const REMOVED: Fields = { $remove: { description: "Removes the value in this environment.", const: true } };

const REMOVAL: Fields = {
  type: "object",
  additionalProperties: false,
  required: ["$remove"],
  properties: REMOVED,
};

function isMapping({ type, properties, additionalProperties }: Fields): boolean {
  return type === "object" && (isFields(properties) || isFields(additionalProperties));
}
