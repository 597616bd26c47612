/** Every mapping that a schema describes, as text of a file with the place of each key. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";

/** A mapping in a file: the keys and list items that lead to it, and the schemas of its keys. */
export interface MappingPlace {
  readonly steps: readonly Step[];
  readonly properties: ReadonlyMap<string, Fields>;
}

/** A key, or an item of a list. */
type Step = string | typeof ITEM;

const ITEM = 0;

/** A key for mappings whose keys are free. */
const FREE_KEY = "example";

/** The mappings of a schema, each once: the inside of a recursive one is the same again. */
export function mappingsOf(schema: Fields): readonly MappingPlace[] {
  const places = new Map<string, { readonly steps: readonly Step[]; readonly properties: Map<string, Fields> }>();
  const visit = (given: Json | undefined, steps: readonly Step[], above: readonly Json[]): void => {
    if (!isFields(given)) return;
    const target = typeof given.$ref === "string" ? targetOf(given.$ref, schema) : given;
    if (above.includes(target)) return;
    const path = [...above, target];
    for (const alternative of alternativesOf(target)) visit(alternative, steps, path);
    if (isFields(target.properties)) {
      const place = places.get(steps.join("/")) ?? { steps, properties: new Map<string, Fields>() };
      places.set(steps.join("/"), place);
      for (const [key, value] of Object.entries(target.properties)) {
        if (!isFields(value)) continue;
        const resolved = typeof value.$ref === "string" ? { ...targetOf(value.$ref, schema), ...value } : value;
        place.properties.set(key, place.properties.get(key) ?? resolved);
        visit(value, [...steps, key], path);
      }
    }
    visit(target.items, [...steps, ITEM], path);
    visit(target.additionalProperties, [...steps, FREE_KEY], path);
  };
  visit(schema, [], []);
  return [...places.values()];
}

/** The schemas of which a value must match one, with those inside them. */
export function alternativesOf({ anyOf, oneOf }: Fields): readonly Fields[] {
  const own = [anyOf, oneOf].flatMap((list) => (isList(list) ? list.filter(isFields) : []));
  return own.flatMap((one) => [one, ...alternativesOf(one)]);
}

function targetOf(reference: string, schema: Fields): Fields {
  const target = reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((value, step) => (isFields(value) ? value[step] : undefined), schema);
  if (!isFields(target)) throw new Error(`${reference} points to nothing`);
  return target;
}

/** The text of a file with these lines in the mapping, and the line and the column where its first one begins. */
export function fileWith(
  { steps }: MappingPlace,
  lines: readonly string[],
): { readonly text: string; readonly line: number; readonly column: number } {
  const above: string[] = [];
  let indentation = "";
  let hyphens = "";
  for (const step of steps) {
    if (step === ITEM) hyphens += "- ";
    else {
      above.push(`${indentation}${hyphens}${step}:`);
      indentation += " ".repeat(hyphens.length + 2);
      hyphens = "";
    }
  }
  const column = indentation.length + hyphens.length;
  const body = lines.map((line, index) => `${index === 0 ? indentation + hyphens : " ".repeat(column)}${line}`);
  return { text: [...above, ...body, ""].join("\n"), line: above.length, column };
}
