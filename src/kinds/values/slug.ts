/** Slugs that the service derives from names at creation, in its two styles. */

/** The slug for option lists: transliterated and lower case; each run of other characters is one underscore, with none at the ends. */
export function optionSlug(name: string): string {
  return transliterated(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** The slug for other kinds: trimmed and lower case; each run of blanks is one underscore, and other characters are dropped. */
export function wordSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
}

/** Whether a creation with this name certainly gets this slug. */
export function derivesSlug(style: "option" | "word", name: string, slug: string): boolean {
  if (optionSlug(name) !== slug) return false;
  return style === "option" || wordSlug(name) === slug;
}

/** A name from which the service derives the slug; undefined if there is none. */
export function nameForSlug(style: "option" | "word", slug: string): string | undefined {
  const spaced = slug.replaceAll("_", " ");
  if (derivesSlug(style, spaced, slug)) return spaced;
  return style === "word" && wordSlug(slug) === slug ? slug : undefined;
}

/** The name with ASCII letters for accented ones. Other characters stay; the caller drops them. */
function transliterated(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[ßøØæÆœŒđĐłŁþÞ]/g, (letter) => LETTERS[letter] ?? letter);
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  Ø: "O",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  đ: "d",
  Đ: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
};

/** The slug of the name in a text, which may be an entity reference such as `group:emea/payments`: what a misspelt one is like. */
export function slugOfName(text: string): string {
  return optionSlug(text.slice(Math.max(text.lastIndexOf(":"), text.lastIndexOf("/")) + 1));
}
