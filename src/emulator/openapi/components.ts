/** The named schemas of a document: each schema with a title is there once, and referenced elsewhere. */

import { canonical, type Fields, type Json } from "../../core/json.ts";
import type { ValueSchema } from "../http/value-schema.ts";

/** The schemas below `components/schemas` of one document. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Fields>();
  readonly #added = new Set<ValueSchema>();

  /** The schema in OpenAPI's notation: a reference if it has a title. Throws if another schema has the same title. */
  add(schema: ValueSchema): Fields {
    const { title } = schema;
    if (title === undefined) return this.#convert(schema);
    if (!this.#added.has(schema)) this.#addNamed(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** All named schemas, in alphabetical order. */
  get all(): Fields {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #addNamed(title: string, schema: ValueSchema): void {
    const converted = this.#convert(schema);
    const known = this.#schemas.get(title);
    if (known !== undefined && canonical(known) !== canonical(converted)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    this.#schemas.set(title, converted);
    this.#added.add(schema);
  }

  #convert({ title: _title, fullOnly: _fullOnly, refusal: _refusal, ...schema }: ValueSchema): Fields {
    const { properties, anyOf, oneOf, additionalProperties } = schema;
    const types: readonly unknown[] = [schema.type].flat();
    // Without it, generators of clients take an object without properties for one that is always empty.
    const others = additionalProperties ?? (types.includes("object") && properties === undefined ? {} : undefined);
    // Tools ask for the items of a list, also where another part of the schema has them.
    const items = schema.items ?? (types.includes("array") ? {} : undefined);
    return {
      ...(schema as Fields),
      ...(items === undefined ? {} : { items: this.add(items) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((choice) => this.add(choice)) }),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map((choice) => this.add(choice)) }),
      ...(properties === undefined ? {} : { properties: this.#members(properties) }),
      ...(others === undefined ? {} : { additionalProperties: others === false ? false : this.add(others) }),
    };
  }

  #members(properties: NonNullable<ValueSchema["properties"]>): Fields {
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]): [string, Json] => [name, this.add(member)]),
    );
  }
}
