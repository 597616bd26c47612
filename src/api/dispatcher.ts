/** The door of undici: how the global `fetch` connects. Loaded only by commands that talk to a network. */

import { lookup } from "node:dns";
import { type buildConnector, EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import { parseUrl } from "../url.ts";
import { RefusedConnection } from "./credentials.ts";

/** What the environment says about connecting. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds. */
const LONGEST_CONNECT = 10_000;
const LONGEST_SILENCE = 15_000;
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;

/**
 * Makes the global `fetch` give up in time and go through the proxy that the environment names (`HTTPS_PROXY`,
 * `NO_PROXY`). Plain http only ever goes to a loopback address, and so never to a proxy; https goes through one as a tunnel.
 * Throws {@link RefusedConnection} where certificates would not be verified, or the proxy is none.
 */
export function installDispatcher(environment: Environment, timeoutSeconds: number): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new RefusedConnection(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates; unset it, and name a private certificate authority in NODE_EXTRA_CA_CERTS",
    );
  }
  const timeout = timeoutSeconds * 1000;
  // Connecting ends before the request does: then it is certain that nothing was sent.
  const connect = {
    timeout: Math.min(timeout / 2, LONGEST_CONNECT),
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  } as const;
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      httpProxy: "",
      httpsProxy: proxyOf(environment),
      noProxy: environment.no_proxy ?? environment.NO_PROXY ?? "",
      headersTimeout: Math.min(timeout, LONGEST_SILENCE),
      bodyTimeout: timeout,
      maxHeaderSize: LARGEST_HEADERS,
      connect: { ...connect, lookup: lookUp },
      requestTls: connect,
      proxyTls: connect,
    }),
  );
}

/** The proxy for https; empty when there is none. */
function proxyOf(environment: Environment): string {
  const name = environment.https_proxy === undefined ? "HTTPS_PROXY" : "https_proxy";
  const proxy = environment[name] ?? "";
  if (proxy === "" || /^https?:$/.test(parseUrl(proxy)?.protocol ?? "")) return proxy;
  throw new RefusedConnection(`${name} is not the address of a proxy; write it like http://proxy.example.com:3128`);
}

/** A machine's own name is never looked up, so that plain http cannot be led away from it. */
const lookUp: NonNullable<Extract<buildConnector.BuildOptions, { lookup?: unknown }>["lookup"]> = (
  hostname,
  options,
  callback,
) => {
  if (hostname !== "localhost") lookup(hostname, options, callback);
  else if (options.all === true) callback(null, LOOPBACK);
  else callback(null, "127.0.0.1", 4);
};

const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
