/** The second net under secrets: whatever leaves the program passes here, and known secret values are taken out of it. */

/** What stands in place of a secret. */
export const MASK = "(secret)";

/** Shorter values would take ordinary words out of the text; fields that hold them are masked by their path instead. */
const SHORTEST = 4;

/** The text without the secrets, in any of the forms they are usually written in. */
export function masked(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellings));
  // A secret may be part of another one: the longest goes first.
  const longestFirst = [...forms].sort((left, right) => right.length - left.length);
  return longestFirst.reduce((rest, form) => rest.replaceAll(form, MASK), text);
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(bytes.toString("utf8")),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}
