/** Random bodies of requests: such as a schema of the OpenAPI document takes, and such as it almost takes. */

import fc from "fast-check";
import { type Fields, fieldsIn, isFields, isList, type Json, listIn, textsIn } from "../../../src/core/json.ts";

/** Values that are wrong in most places. */
const oddValues: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, "", " ", "x", "(", "2", "top", 0, -3, 2.5, true, false, [], [" "], {}, "2027-13-01"),
  fc.constantFrom<Json>(["a", "a"], [{}], [null], { type: "team" }, { action: "drop" }, "http://", "-", "!"),
);

/** Bodies that the schema takes, as far as a generator can say so, one in two of them with something changed. */
export function arbitraryBody(document: Fields, schema: Fields, words: readonly string[]): fc.Arbitrary<Json> {
  const body = new BodyArbitrary(document, words).of(schema);
  return fc.oneof(
    body,
    fc.tuple(body, fc.nat(), oddValues).map(([value, at, odd]) => changed(value, at, odd)),
  );
}

/** The value with one of its parts removed or replaced. */
function changed(value: Json, at: number, odd: Json): Json {
  if (isList(value) && value.length > 0) {
    const index = at % value.length;
    return value.map((item, each) => (each === index ? changed(item, Math.floor(at / value.length), odd) : item));
  }
  const names = Object.keys(fieldsIn(value));
  if (!isFields(value) || names.length === 0) return odd;
  const name = names[at % names.length] ?? "";
  const rest = Math.floor(at / names.length);
  const { [name]: member = null, ...others } = value;
  if (rest % 3 === 0) return others;
  return { ...others, [name]: rest % 3 === 1 ? odd : changed(member, Math.floor(rest / 3), odd) };
}

/** Arbitraries of the schemas of a document. `words` are names that the workspace knows. */
class BodyArbitrary {
  readonly #document: Fields;
  readonly #words: fc.Arbitrary<string>;

  constructor(document: Fields, words: readonly string[]) {
    this.#document = document;
    this.#words = fc.constantFrom(...words);
  }

  of(referring: Fields): fc.Arbitrary<Json> {
    const schema = this.#resolved(referring);
    const alternatives = listIn(schema.oneOf ?? schema.anyOf).filter(isFields);
    if (alternatives.length > 0) {
      return fc.oneof(...alternatives.map((each) => this.#ofPlain(merged(schema, this.#resolved(each)))));
    }
    return this.#ofPlain(schema);
  }

  #ofPlain(schema: Fields): fc.Arbitrary<Json> {
    if (schema.oneOf !== undefined || schema.anyOf !== undefined) return this.of(schema);
    if (isList(schema.enum)) return fc.constantFrom(...schema.enum);
    const examples = listIn(schema.examples);
    const [first = "any", ...others] = typeof schema.type === "string" ? [schema.type] : textsIn(schema.type);
    const values = fc.oneof(
      ...[first, ...others].map((type) => ({ weight: type === "null" ? 1 : 3, arbitrary: this.#ofType(type, schema) })),
    );
    return examples.length === 0 ? values : fc.oneof(values, fc.constantFrom(...examples));
  }

  #ofType(type: string, schema: Fields): fc.Arbitrary<Json> {
    if (type === "null") return fc.constant(null);
    if (type === "boolean") return fc.boolean();
    if (type === "integer") return fc.integer({ min: -3, max: 12 });
    if (type === "number") return fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(0.5, 2.7));
    if (type === "string") return this.#text(schema);
    if (type === "array") return this.#list(schema);
    return type === "object" ? this.#object(schema) : oddValues;
  }

  #text({ pattern, minLength }: Fields): fc.Arbitrary<string> {
    if (typeof pattern === "string" && pattern !== "\\S") return fc.stringMatching(new RegExp(pattern, "u"));
    const texts = fc.string({ unit: "grapheme", minLength: Number(minLength ?? 0), maxLength: 80 });
    return fc.oneof(this.#words, typeof pattern === "string" ? texts.filter((text) => text.trim() !== "") : texts);
  }

  #list({ items, contains, uniqueItems, minItems, maxItems }: Fields): fc.Arbitrary<Json> {
    const one = isFields(items) ? this.of(items) : this.#words;
    const maxLength = Math.min(4, Number(maxItems ?? 4));
    const limits = { minLength: Math.max(Number(minItems ?? 0), contains === undefined ? 0 : 1), maxLength };
    return uniqueItems === true
      ? fc.uniqueArray(one, { ...limits, selector: (item) => JSON.stringify(item) })
      : fc.array(one, limits);
  }

  #object({ properties, required, additionalProperties }: Fields): fc.Arbitrary<Json> {
    const members = Object.entries(fieldsIn(properties)).map(
      ([name, member]) => [name, this.of(fieldsIn(member))] as const,
    );
    const requiredKeys = textsIn(required);
    const stated = fc.record(Object.fromEntries(members), {
      requiredKeys: requiredKeys.filter((name) => Object.hasOwn(fieldsIn(properties), name)),
    });
    if (additionalProperties === false) return stated;
    return fc
      .tuple(stated, fc.dictionary(this.#words, oddValues, { maxKeys: members.length === 0 ? 3 : 1 }))
      .map(([own, more]) => ({ ...more, ...own }));
  }

  #resolved(schema: Fields): Fields {
    if (typeof schema.$ref !== "string") return schema;
    const path = schema.$ref.slice(2).split("/");
    return path.reduce((part: Fields, name) => fieldsIn(part[name]), this.#document);
  }
}

/** The schema of the values that have both. */
function merged({ oneOf: _oneOf, anyOf: _anyOf, ...schema }: Fields, alternative: Fields): Fields {
  const [own, others] = [fieldsIn(schema.properties), fieldsIn(alternative.properties)];
  const names = [...new Set([...Object.keys(own), ...Object.keys(others)])];
  const properties = names.map((name) => {
    const [one, other] = [fieldsIn(own[name]), fieldsIn(others[name])];
    return [name, others[name] === undefined ? one : own[name] === undefined ? other : merged(one, other)] as const;
  });
  return {
    ...schema,
    ...alternative,
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    required: [...textsIn(schema.required), ...textsIn(alternative.required)],
  };
}
