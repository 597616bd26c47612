/** Checks of the base URL and of tokens, made before a socket is opened. */

import { parseUrl } from "../../core/url.ts";

/** Error for an address or a token that is not acceptable. Nothing was sent; the message never holds the token. */
export class RefusedConnection extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RefusedConnection";
  }
}

const LONGEST_TOKEN = 4096;

/**
 * Returns scheme, host and port of a base URL that a token may be sent to: https, or http to a literal loopback address.
 * Throws {@link RefusedConnection} for anything else, for a URL with more parts, and for an unusual spelling.
 */
export function trustedOrigin(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (url === undefined)
    throw new RefusedConnection("the base URL is not a URL; write it like https://incidents.example.com");
  if (url.username !== "" || url.password !== "") {
    throw new RefusedConnection("the base URL contains a user name or password; tokens come from the environment only");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new RefusedConnection(`the base URL must be https, not ${url.protocol.slice(0, -1)}`);
  }
  if (!isPlainOrigin(baseUrl, url)) {
    throw new RefusedConnection(
      `the base URL must be scheme, host and port only, in plain spelling; write ${url.origin} if that is the service`,
    );
  }
  if (url.hostname.endsWith(".") || url.port === "0") {
    throw new RefusedConnection(`the base URL ${url.origin} has a host or port that cannot be compared safely`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new RefusedConnection(
      `${url.origin} is plain http, which is allowed for loopback addresses only; use https://${url.host}`,
    );
  }
  return url.origin;
}

/** Returns the token if it can stand in a header. Throws {@link RefusedConnection} with the variable's name, never the token. */
export function checkedToken(token: string, name: string): string {
  if (token === "") throw new RefusedConnection(`${name} is empty`);
  if (token.length > LONGEST_TOKEN) throw new RefusedConnection(`${name} is longer than ${LONGEST_TOKEN} characters`);
  if (/^bearer\s/i.test(token)) throw new RefusedConnection(`${name} must contain the token only, without "Bearer "`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new RefusedConnection(`${name} contains white space, a line break or a character outside ASCII`);
  }
  if (/^["'`]|["'`]$/.test(token)) throw new RefusedConnection(`${name} is in quotation marks; remove them`);
  return token;
}

/** Whether the text is the URL's origin and nothing else: the address that a person reads is the one that gets the token. */
function isPlainOrigin(text: string, url: URL): boolean {
  const written = text.toLowerCase().replace(/\/$/, "");
  const withPort = `${url.origin}:${url.protocol === "https:" ? 443 : 80}`;
  return written === url.origin || written === withPort;
}

/** Whether a URL's host is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
