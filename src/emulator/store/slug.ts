/** Slugs: the two ways in which a name becomes an address, once, at creation. */

import type { Dialects } from "../dialects.ts";

/** How a resource derives its slug from a name. */
export type SlugStyle = (name: string) => string;

/** Letters that have no decomposition into a plain letter and marks. */
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

/** Option lists: to plain letters, and every run of anything else is one underscore ("Read-only DB" → "read_only_db"). */
export function optionSlug(name: string): string {
  return separated(name, /[^a-z0-9]+/g);
}

/** Agents: as option lists, but a hyphen stays, which no slug may hold: such a name needs a slug of its own. */
export function agentSlug(name: string): string {
  return separated(name, /[^a-z0-9-]+/g);
}

function separated(name: string, separators: RegExp): string {
  return plain(name.toLowerCase())
    .replace(separators, "_")
    .replace(/^_+|_+$/g, "");
}

/** Without what is not a plain letter. To know which characters are marks takes long, and most names have none. */
function plain(name: string): string {
  if (/^[ -~]*$/.test(name)) return name;
  return [...name.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((letter) => transliterations.get(letter) ?? letter)
    .join("");
}

/** The other resources: white space is an underscore, anything else is dropped ("Read-only DB" → "readonly_db"). */
export function wordSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
}

/** The slug of a new entry: derived from its name, unless the dialect accepts the one that was sent and it is valid. */
export function newSlug(name: string, style: SlugStyle, sent: string | null | undefined, dialects: Dialects): string {
  const accepted = dialects.slug === "accept" && typeof sent === "string" && isSlug(sent);
  return accepted ? sent : style(name);
}

/** Whether the text is a slug. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_]+$/.test(text);
}
