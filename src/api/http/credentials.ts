/** Where a token may be sent, and what a token looks like; whatever fails here fails before a socket is opened. */

import { parseUrl } from "../../core/url.ts";

/** The connection is not made: the address or a token is not acceptable. Nothing was sent; the message never holds the token. */
export class RefusedConnection extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RefusedConnection";
  }
}

const LONGEST_TOKEN = 4096;

/**
 * Scheme, host and port of a base URL that a token may be sent to: https, or http to the literal loopback.
 * Throws {@link RefusedConnection} for anything else, and for a URL that says more or says it in an odd spelling.
 */
export function trustedOrigin(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (url === undefined)
    throw new RefusedConnection("the base URL is not a URL; write it like https://incidents.example.com");
  if (url.username !== "" || url.password !== "") {
    throw new RefusedConnection("the base URL holds a user name or password; tokens come from the environment only");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new RefusedConnection(`the base URL must be https, not ${url.protocol.slice(0, -1)}`);
  }
  if (!spells(baseUrl, url)) {
    throw new RefusedConnection(
      `the base URL must be scheme, host and port alone, in plain spelling; read as ${url.origin}`,
    );
  }
  if (url.hostname.endsWith(".") || url.port === "0") {
    throw new RefusedConnection(`the base URL ${url.origin} has a host or port that cannot be compared safely`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new RefusedConnection(`${url.origin} is plain http; only a loopback address may be, use https`);
  }
  return url.origin;
}

/** The token as it may stand in a header. Throws {@link RefusedConnection}, naming where it came from and never the token. */
export function checkedToken(token: string, name: string): string {
  if (token === "") throw new RefusedConnection(`${name} is empty`);
  if (token.length > LONGEST_TOKEN) throw new RefusedConnection(`${name} is longer than ${LONGEST_TOKEN} characters`);
  if (/^bearer\s/i.test(token)) throw new RefusedConnection(`${name} must hold the token alone, without "Bearer "`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new RefusedConnection(`${name} holds white space, a line break or a character outside ASCII`);
  }
  if (/^["'`]|["'`]$/.test(token)) throw new RefusedConnection(`${name} is in quotation marks; give the token alone`);
  return token;
}

/** Whether the text is the origin and nothing else, so that what a person read is what is connected to. */
function spells(text: string, url: URL): boolean {
  const written = text.toLowerCase().replace(/\/$/, "");
  const withPort = `${url.origin}:${url.protocol === "https:" ? 443 : 80}`;
  return written === url.origin || written === withPort;
}

/** Whether a host, as a URL names it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
