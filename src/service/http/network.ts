/** The `fetch` of the command line: timeouts, certificates and the proxy. */

import { lookup } from "node:dns";
import type { Fetch } from "../../core/fetch.ts";
import type { Environment } from "../../core/io.ts";
import { parseUrl } from "../../core/url.ts";
import { RefusedConnection } from "./credentials.ts";
import { type ConnectionSettings, nodeFetch, type TlsSettings } from "./node-fetch.ts";

/** Milliseconds. */
const LONGEST_CONNECT = 10_000;
const LONGEST_SILENCE = 15_000;
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;

/**
 * Returns a `fetch` for the service at this address. Requests time out, and https goes through a tunnel of the proxy that the
 * environment names (`HTTPS_PROXY`, `NO_PROXY`). Plain http never goes through a proxy.
 * Throws {@link RefusedConnection} if certificates would not be verified, or if the proxy's address is invalid.
 */
export async function openNetwork(environment: Environment, timeoutSeconds: number, baseUrl: string): Promise<Fetch> {
  refuseUnverified(environment);
  const proxy = proxyOf(environment);
  const timeout = timeoutSeconds * 1000;
  // The connection times out before the request does, which proves that nothing was sent.
  const secured: TlsSettings = {
    timeout: Math.min(timeout / 2, LONGEST_CONNECT),
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  };
  const connecting: ConnectionSettings = {
    headersTimeout: Math.min(timeout, LONGEST_SILENCE),
    bodyTimeout: timeout,
    maxHeaderSize: LARGEST_HEADERS,
    connect: { ...secured, lookup: lookUp },
  };
  const protocol = parseUrl(baseUrl)?.protocol ?? "";
  if (proxy === "" || protocol === "http:") return nodeFetch(connecting, protocol);
  const { proxiedFetch } = await import("./proxy-fetch.ts");
  return proxiedFetch(connecting, secured, proxy, environment.no_proxy ?? environment.NO_PROXY ?? "");
}

/** Throws {@link RefusedConnection} if the environment turns off the verification of certificates. */
export function refuseUnverified({ NODE_TLS_REJECT_UNAUTHORIZED: setting }: Environment): void {
  if (setting !== "0") return;
  throw new RefusedConnection(
    "NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification; unset it, and name a private certificate authority in NODE_EXTRA_CA_CERTS",
  );
}

/** URL of the proxy for https; empty without one. */
function proxyOf(environment: Environment): string {
  const name = environment.https_proxy === undefined ? "HTTPS_PROXY" : "https_proxy";
  const proxy = environment[name] ?? "";
  if (proxy === "" || /^https?:$/.test(parseUrl(proxy)?.protocol ?? "")) return proxy;
  throw new RefusedConnection(`${name} is not the address of a proxy; write it like http://proxy.example.com:3128`);
}

/** Looks up a host. `localhost` is never looked up, so that no name server can redirect plain http. */
const lookUp: ConnectionSettings["connect"]["lookup"] = (hostname, options, callback) => {
  if (hostname !== "localhost") lookup(hostname, options, callback);
  else if (options.all === true) callback(null, LOOPBACK);
  else callback(null, "127.0.0.1", 4);
};

const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
