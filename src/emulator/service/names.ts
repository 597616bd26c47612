/** The names and slugs of resources, as requests give them. */

import { validationError } from "../http/http-error.ts";
import { newSlug, wordSlug } from "../store/slug.ts";
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

/** The slug of a new resource with this name. Throws 422 if it would be blank. */
export function slugOfNew({ dialects, body }: RequestContext<{ readonly slug?: unknown }>, name: string = ""): string {
  const slug = newSlug(name, wordSlug, body.slug, dialects);
  if (slug === "") throw validationError({ field: "slug", message: "can't be blank" });
  return slug;
}
