/** Whether a text is a URL. */

/** The URL that the text is; undefined when it is none. `URL.canParse` is not asked: once compiled, Node 20's takes no text with a letter like ü. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
