/** Slugs, which are derived from names at creation. */

import type { Dialects } from "../dialects.ts";

/** A derivation of slugs from names. */
type SlugStyle = (name: string) => string;

/** Letters without a Unicode decomposition into an ASCII letter and marks. */
const transliterations: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ł", "l"],
  ["œ", "oe"],
  ["þ", "th"],
  ["ı", "i"],
]);

/**
 * The slug style of option lists: ASCII, with an underscore for every run of other characters ("Read-only DB" →
 * "read_only_db").
 */
export function optionSlug(name: string): string {
  return underscoreSeparated(name, /[^a-z0-9]+/g);
}

/**
 * The slug style of agents: as for option lists, but hyphens stay, which makes the slug invalid. Such a name needs an
 * explicit slug.
 */
export function agentSlug(name: string): string {
  return underscoreSeparated(name, /[^a-z0-9-]+/g);
}

function underscoreSeparated(name: string, separators: RegExp): string {
  return toAscii(name.toLowerCase())
    .replace(separators, "_")
    .replace(/^_+|_+$/g, "");
}

/** The name in ASCII as far as possible. The fast path avoids loading Unicode tables for most names. */
function toAscii(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  return [...name.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((letter) => transliterations.get(letter) ?? letter)
    .join("");
}

/**
 * The slug style of other resources: underscores for white space, other characters dropped ("Read-only DB" →
 * "readonly_db").
 */
export function wordSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
}

/** A pattern of the names of which `wordSlug` leaves something. Lower-case, the last two are an i with a dot and a k. */
export const slugLetter = "[A-Za-z0-9_\\u0130\\u212A]";

/** The slug of a new resource: derived from its name, unless the dialect accepts the requested one and it is valid. */
export function newSlug(name: string, style: SlugStyle, requested: unknown, dialects: Dialects): string {
  const isAccepted = dialects.slug === "accept" && typeof requested === "string" && isSlug(requested);
  return isAccepted ? requested : style(name);
}

/** Whether the text is a valid slug. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_]+$/.test(text);
}
