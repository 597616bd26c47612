/** The names and slugs of resources, as requests give them. */

import { validationError } from "../http/http-error.ts";
import { newSlug, wordSlug } from "../store/slug.ts";
import type { Table } from "../store/table.ts";
import type { RequestContext } from "./module.ts";

/** The member `slug` of request bodies. */
export const slugInput: { readonly description: string } = {
  description: "Ignored, unless the dialect `slug` accepts it.",
};

/** The name without white space around it. Throws 422 for a blank one. */
export function readName(input: string | null | undefined): string {
  const name = input?.trim() ?? "";
  if (name === "") throw validationError({ field: "name", message: "can't be blank" });
  return name;
}

/** The slug of a new resource with this name. Throws 422 if it would be blank, or if another row of the table has it. */
export function freeSlug<Row extends { readonly id: string; readonly slug: string }>(
  { database, dialects, body }: RequestContext<{ readonly slug?: unknown }>,
  name: string,
  table: Table<Row>,
): string {
  const slug = newSlug(name, wordSlug, body.slug, dialects);
  if (slug === "") throw validationError({ field: "slug", message: "can't be blank" });
  if (database.count(table, { slug } as Partial<Row>) > 0) {
    throw validationError({ field: "slug", message: "has already been taken" });
  }
  return slug;
}
