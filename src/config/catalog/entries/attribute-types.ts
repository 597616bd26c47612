/** The types of a catalog type's attributes, and values as they require them. */

import { type Fields, isList, type Json, objectsIn, textIn, textsIn } from "../../../core/json.ts";
import { BUILT_IN_TYPES } from "../../../kinds/rows/catalog-attributes.ts";
import { attributesBySlug } from "../../../kinds/rows/catalog-values.ts";

/** The type of an attribute. */
export interface AttributeForm {
  readonly name: string;
  /** The catalog type whose entries a reference names. */
  readonly target: string | undefined;
  /** The options of a select. */
  readonly options: readonly string[];
  readonly isRequired: boolean;
}

/** Attribute, by slug → its type. */
export type AttributeTypes = ReadonlyMap<string, AttributeForm>;

/** The attributes that a catalog type declares; a built-in one has its own besides. */
export function attributeTypes(type: Fields): AttributeTypes {
  const builtIn = BUILT_IN_TYPES[String(type.slug)]?.attributes;
  const definitions = [type.attributes, builtIn].flatMap(objectsIn);
  return new Map(
    [...attributesBySlug(definitions)].map(([slug, { attribute_type, reference_type, options, required }]) => [
      slug,
      {
        name: String(attribute_type),
        target: textIn(reference_type),
        options: textsIn(options),
        isRequired: required === true,
      },
    ]),
  );
}

/**
 * A value in the type of its attribute, as far as it is certain: other files write `3`, `"3"` and `yes` for the same. A value that
 * does not fit stays, and is reported where the values of all entries are checked.
 */
export function toAttributeType(value: Json, type: AttributeForm | undefined): Json {
  if (type === undefined) return value;
  if (isList(value)) return value.map((item) => toAttributeType(item, type));
  if (type.name === "number") {
    return typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  }
  if (type.name === "boolean") return BOOLEANS.get(String(value).toLowerCase()) ?? value;
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return type.name === "select" && typeof text === "string" ? toOption(text, type.options) : text;
}

/** The only option that differs from the text at most in its case; without one, the text. */
function toOption(text: string, options: readonly string[]): string {
  if (options.includes(text)) return text;
  const [option, another] = options.filter((one) => one.toLowerCase() === text.toLowerCase());
  return option === undefined || another !== undefined ? text : option;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((text) => [text, true] as const),
  ...["false", "no", "n", "off", "0"].map((text) => [text, false] as const),
]);
