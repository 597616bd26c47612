/** Requests and files about catalog types and their entries, for the refusals of both. */

import type { Fields } from "../../src/core/json.ts";
import type { Request } from "./refusal.ts";

/** Creates a catalog type with these attributes. */
export const type = (...attributes: readonly Fields[]): Request => [
  "POST",
  "/catalog/types",
  { name: "Squad", attributes },
];

/** A file with that type; each attribute is the inside of a mapping in braces. */
export const squad = (...attributes: readonly string[]): string =>
  `catalog_types:\n  - slug: squad\n    name: Squad\n    attributes:\n${attributes.map((one) => `      - { ${one} }`).join("\n")} # here\n`;

/** Creates an entry of that type. */
export const entry = (attributes: Fields, name = "Red"): Request => [
  "POST",
  "/catalog/types/squad/entries",
  { name, attributes },
];

/** An attribute. */
export const size: Fields = { name: "Size", attribute_type: "number" };
