/** Slugs as the service makes them from names at creation, in its two styles. */

/** Option lists: transliterated, lower case, every run of other characters becomes one underscore, none at the ends. */
function optionSlug(name: string): string {
  return transliterated(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** The other kinds: trimmed, lower case, runs of blanks become one underscore, other characters fall away. */
export function wordSlug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
}

/** Whether a creation with this name ends with this slug, whatever is uncertain about the style. */
export function derivesSlug(style: "option" | "word", name: string, slug: string): boolean {
  if (optionSlug(name) !== slug) return false;
  return style === "option" || wordSlug(name) === slug;
}

/** A name from which the slug is derived in the style, undefined when no name leads to it. */
export function nameForSlug(style: "option" | "word", slug: string): string | undefined {
  const spaced = slug.replaceAll("_", " ");
  if (derivesSlug(style, spaced, slug)) return spaced;
  return style === "word" && wordSlug(slug) === slug ? slug : undefined;
}

/** ASCII letters for accented ones; what has no decomposition stays and is dropped by the caller. */
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
