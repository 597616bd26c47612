/** Parses URLs. */

/** Returns the text as a URL; undefined if it is not one. Node 20's `URL.canParse` is wrong for non-ASCII text once V8 compiles it. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
