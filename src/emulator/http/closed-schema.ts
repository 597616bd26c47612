/** JSON Schemas of input that refuses unknown members. */

import type { Fields } from "../../core/json.ts";
import type { ValueSchema } from "./value-schema.ts";

/** The schema, with no other members than the named ones in any object that names its members. */
export function closedSchema(schema: ValueSchema): Fields {
  return closed(JSON.parse(JSON.stringify(schema)));
}

function closed(schema: Fields): Fields {
  const members = Object.entries(schema).map(([name, value]): [string, Fields[string]] => {
    if (name === "items") return [name, closed(value as Fields)];
    if (name !== "properties") return [name, value];
    const properties = Object.entries(value as Fields).map(([key, each]) => [key, closed(each as Fields)]);
    return [name, Object.fromEntries(properties)];
  });
  return {
    ...Object.fromEntries(members),
    ...(schema.properties === undefined ? {} : { additionalProperties: false }),
  };
}
