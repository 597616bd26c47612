/** The hosts and web pages that may reach a server: a check of the Host and Origin headers, and CORS for allowed pages. */

import { isIP } from "node:net";
import { parseUrl } from "../../core/url.ts";
import type { IncomingRequest, OutgoingResponse, RequestHeaders } from "./exchange.ts";
import { HttpError } from "./http-error.ts";

/** Names and web pages that may reach a server, besides programs that use its address. None if absent. */
export interface AllowedOrigins {
  /** Host names, such as `emulator` or `emulator:8080`. A name without a port is allowed with every port. */
  readonly allowHosts?: readonly string[];
  /** Origins of web pages, such as `http://localhost:5173`. */
  readonly allowOrigins?: readonly string[];
}

/** A check of each request, and the headers that let the scripts of allowed pages read the responses. */
export interface OriginCheck {
  /** The response to a request that must not reach the service, or to a preflight; undefined for all others. */
  respond(incoming: IncomingRequest): HttpError | OutgoingResponse | undefined;
  /** The response to a request for one of the server's own pages under a foreign host name; undefined for all others. */
  respondToPage(incoming: IncomingRequest): HttpError | undefined;
  /** The CORS headers of any response to a request with these headers. */
  corsHeaders(headers: RequestHeaders): Readonly<Record<string, string>>;
}

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders = "authorization, content-type, x-approval-id";
const preflightSeconds = "600";
const ownNames: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Whether the text is a host name with an optional port. */
export function isHostName(text: string): boolean {
  return /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text);
}

/** Whether the text is the origin of web pages: scheme, host and port, as browsers write it. */
export function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && parseUrl(text)?.origin === text;
}

/** Throws for a text that is no host name or no origin. */
export function requireValidOrigins({ allowHosts = [], allowOrigins = [] }: AllowedOrigins): void {
  const host = allowHosts.find((name) => !isHostName(name));
  if (host !== undefined) throw new Error(`${JSON.stringify(host)} is not a host name`);
  const origin = allowOrigins.find((each) => !isWebOrigin(each));
  if (origin !== undefined) throw new Error(`${JSON.stringify(origin)} is not the origin of a web page`);
}

/**
 * Creates the check. A server on loopback accepts its own names with its port; another one accepts `localhost` and every IP address
 * with any port, since a container's port may be published under another number. Other names could lead web pages here, by a name
 * server that changes its response, so they must be allowed.
 */
export function createOriginCheck(
  { allowHosts = [], allowOrigins = [] }: AllowedOrigins,
  loopbackPort: number | undefined,
): OriginCheck {
  const hosts = new Set(allowHosts.map((name) => name.toLowerCase()));
  const origins = new Set(allowOrigins);

  const isOwnHost = (host: string): boolean => {
    if (loopbackPort === 80 && ownNames.includes(host)) return true;
    if (loopbackPort !== undefined) return ownNames.some((name) => host === `${name}:${loopbackPort}`);
    const name = hostNameOf(host);
    return name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  };
  const isAllowedHost = (header: string | null): boolean => {
    const host = (header ?? "").toLowerCase();
    return isOwnHost(host) || (isHostName(host) && (hosts.has(host) || hosts.has(hostNameOf(host))));
  };

  const respondToPage: OriginCheck["respondToPage"] = ({ headers }) =>
    isAllowedHost(headers.get("host"))
      ? undefined
      : new HttpError(403, "forbidden", "The Host header does not name this server");

  return {
    respondToPage,
    respond(incoming) {
      const { method, headers } = incoming;
      const refusal = respondToPage(incoming);
      if (refusal !== undefined) return refusal;
      const origin = headers.get("origin");
      if (origin !== null && !origins.has(origin)) {
        return new HttpError(403, "forbidden", "Requests from web pages are refused");
      }
      if (origin !== null && method === "OPTIONS" && headers.get("access-control-request-method") !== null) {
        return { status: 204, headers: preflightHeaders, body: null };
      }
      return checkBodyType(headers);
    },
    corsHeaders(headers) {
      if (origins.size === 0) return {};
      const origin = headers.get("origin");
      // Caches must not give the response for one page to another.
      if (origin === null || !origins.has(origin)) return { vary: "Origin" };
      return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": "x-request-id" };
    },
  };
}

const preflightHeaders = {
  "access-control-allow-methods": allowedMethods,
  "access-control-allow-headers": allowedHeaders,
  "access-control-max-age": preflightSeconds,
};

function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}

/** The refusal of a body that a plain form could send, for which a browser asks no permission. */
function checkBodyType(headers: RequestHeaders): HttpError | undefined {
  const hasBody = headers.get("transfer-encoding") !== null || Number(headers.get("content-length") ?? 0) > 0;
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (!hasBody || type === "application/json") return undefined;
  return new HttpError(415, "unsupported_media_type", "The body must be application/json");
}
