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

/** The variable that allows plain http to one host and port other than loopback. */
const PLAIN_HTTP_VARIABLE = "INCIDENTCTL_PLAIN_HTTP_HOST";

/**
 * Returns scheme, host and port of a base URL that a token may be sent to: https, http to a literal loopback address, or http to
 * the host and port in `plainHttpHost`, the value of INCIDENTCTL_PLAIN_HTTP_HOST. Throws {@link RefusedConnection} for anything
 * else, for a URL with more parts, and for an unusual spelling.
 */
export function trustedOrigin(baseUrl: string, plainHttpHost?: string): string {
  const url = parseUrl(baseUrl);
  if (url === undefined)
    throw new RefusedConnection("the base URL is not a URL; write it like https://incidents.example.com");
  if (url.username !== "" || url.password !== "") {
    throw new RefusedConnection("the base URL contains a user name or password; tokens come from the environment only");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    const scheme = url.protocol.slice(0, -1);
    throw new RefusedConnection(
      /^[\w.-]+:\d/.test(baseUrl)
        ? `the base URL needs a scheme: write it like https://incidents.example.com, or for this machine http://localhost:4010`
        : `the base URL must be https, not ${scheme}; write it like https://incidents.example.com`,
    );
  }
  if (!isPlainOrigin(baseUrl, url)) {
    throw new RefusedConnection(
      `the base URL must be scheme, host and port only, in plain spelling; write ${url.origin} if that is the service`,
    );
  }
  if (url.hostname.endsWith(".") || url.port === "0") {
    throw new RefusedConnection(`the base URL ${url.origin} has a host or port that cannot be compared safely`);
  }
  if (isRemotePlainHttp(url)) checkPlainHttpHost(url, plainHttpHost);
  return url.origin;
}

/** A warning for an accepted origin on which tokens are sent unencrypted; undefined for https and loopback. */
export function plainHttpWarning(origin: string): string | undefined {
  if (!isRemotePlainHttp(new URL(origin))) return undefined;
  return `warning: ${PLAIN_HTTP_VARIABLE} allows ${origin}: tokens are sent unencrypted, and everybody on the way can read them`;
}

function isRemotePlainHttp({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isLoopback(hostname);
}

/** Throws {@link RefusedConnection} unless the variable's value is exactly the URL's host and port. */
function checkPlainHttpHost({ origin, host, hostname, port }: URL, plainHttpHost: string | undefined): void {
  const named = `${hostname}:${port === "" ? "80" : port}`;
  if (plainHttpHost?.toLowerCase() === named) return;
  const refusal = `${origin} is plain http, which is allowed for loopback addresses only; use https://${host}`;
  if (plainHttpHost === undefined) throw new RefusedConnection(refusal);
  const remedy = `to send tokens unencrypted, set ${PLAIN_HTTP_VARIABLE}=${named}`;
  const other = plainHttpHost === "" ? "" : `${PLAIN_HTTP_VARIABLE} names another host or port; `;
  throw new RefusedConnection(`${refusal}; ${other}${remedy}`);
}

/** Returns the token if it can stand in a header. Throws {@link RefusedConnection} with the variable's name, never the token. */
export function checkedToken(token: string, name: string): string {
  if (token === "") throw new RefusedConnection(`${name} is empty`);
  if (token.length > LONGEST_TOKEN) throw new RefusedConnection(`${name} is longer than ${LONGEST_TOKEN} characters`);
  if (/^bearer\s/i.test(token)) throw new RefusedConnection(`${name} must contain the token only, without "Bearer "`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const problem = "contains white space, a line break or a character outside ASCII";
    throw new RefusedConnection(`${name} ${problem}; set it to the token alone`);
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
