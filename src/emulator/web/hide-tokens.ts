/** Tokens on the pages: shown by their beginning, never in full. */

/** Any token that the service issues. */
const issuedToken = /(ff_[1-9A-HJ-NP-Za-km-z]{9})[1-9A-HJ-NP-Za-km-z]{27}/g;

/** A shorter token may equal a word of the markup, so that only texts are searched for it. */
const minimumLengthInMarkup = 16;

/** The part of a token that pages show: its first twelve characters, but at most a third of it. */
export function visiblePart(token: string): string {
  return token.slice(0, Math.min(12, Math.floor(token.length / 3)));
}

/**
 * An HTML document with every token cut to its beginning: issued tokens, and those of the emulator itself, which may be any words.
 * Clients can put a token anywhere, such as into the name of an incident.
 */
export function hideTokens(document: string, ownTokens: readonly string[]): string {
  return ownTokens.reduce(
    (text, token) => {
      if (token.length >= minimumLengthInMarkup) return text.replaceAll(token, () => `${visiblePart(token)}…`);
      return text.replace(/>[^<]+/g, (part) => part.replaceAll(token, () => `${visiblePart(token)}…`));
    },
    document.replace(issuedToken, "$1…"),
  );
}
