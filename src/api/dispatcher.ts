/** How the global `fetch` connects. Asked for only by commands that talk to a network. */

import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { parseUrl } from "../url.ts";
import { RefusedConnection } from "./credentials.ts";

/** What the environment says about connecting. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the addresses of a host, as `lookup` of `node:dns`. */
type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** How connections are made, and when they are given up. Times are in milliseconds, sizes in bytes. */
export interface Connecting {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly maxHeaderSize: number;
  readonly connect: Securing & { readonly lookup: Lookup };
}

/** What holds for a tunnel as well. */
export interface Securing {
  readonly timeout: number;
  readonly rejectUnauthorized: true;
  readonly minVersion: "TLSv1.2";
}

/** Milliseconds. */
const LONGEST_CONNECT = 10_000;
const LONGEST_SILENCE = 15_000;
/** Bytes. */
const LARGEST_HEADERS = 16 * 1024;

/** Where undici, and the one in Node, keeps what the global `fetch` connects by. */
const IN_USE = Symbol.for("undici.globalDispatcher.1");

/**
 * Makes the global `fetch` give up in time and go through the proxy that the environment names (`HTTPS_PROXY`,
 * `NO_PROXY`). Plain http only ever goes to a loopback address, and so never to a proxy; https goes through one as a tunnel.
 * Throws {@link RefusedConnection} where certificates would not be verified, or the proxy is none.
 */
export async function installDispatcher(environment: Environment, timeoutSeconds: number): Promise<void> {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new RefusedConnection(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates; unset it, and name a private certificate authority in NODE_EXTRA_CA_CERTS",
    );
  }
  const proxy = proxyOf(environment);
  const timeout = timeoutSeconds * 1000;
  // Connecting ends before the request does: then it is certain that nothing was sent.
  const secured: Securing = {
    timeout: Math.min(timeout / 2, LONGEST_CONNECT),
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  };
  const connecting: Connecting = {
    headersTimeout: Math.min(timeout, LONGEST_SILENCE),
    bodyTimeout: timeout,
    maxHeaderSize: LARGEST_HEADERS,
    connect: { ...secured, lookup: lookUp },
  };
  const Agent = proxy === "" ? agentOfNode() : undefined;
  if (Agent !== undefined) Reflect.set(globalThis, IN_USE, new Agent(connecting));
  else {
    const { installUndici } = await import("./proxy.ts");
    installUndici(connecting, secured, proxy, environment.no_proxy ?? environment.NO_PROXY ?? "");
  }
}

/**
 * What Node's own `fetch` connects by, so that nothing further is loaded where there is no proxy. Undefined where Node keeps
 * it in another way, as from Node 26 on.
 */
function agentOfNode(): (new (connecting: Connecting) => object) | undefined {
  // It is there once a part of `fetch` was asked for.
  Reflect.get(globalThis, "Response");
  const inUse: unknown = Reflect.get(globalThis, IN_USE);
  const made: unknown = typeof inUse === "object" ? inUse?.constructor : undefined;
  return isClass(made) && made.name === "Agent" ? made : undefined;
}

function isClass(value: unknown): value is (new (connecting: Connecting) => object) & { readonly name: string } {
  return typeof value === "function";
}

/** The proxy for https; empty when there is none. */
function proxyOf(environment: Environment): string {
  const name = environment.https_proxy === undefined ? "HTTPS_PROXY" : "https_proxy";
  const proxy = environment[name] ?? "";
  if (proxy === "" || /^https?:$/.test(parseUrl(proxy)?.protocol ?? "")) return proxy;
  throw new RefusedConnection(`${name} is not the address of a proxy; write it like http://proxy.example.com:3128`);
}

/** A machine's own name is never looked up, so that plain http cannot be led away from it. */
const lookUp: Lookup = (hostname, options, callback) => {
  if (hostname !== "localhost") lookup(hostname, options, callback);
  else if (options.all === true) callback(null, LOOPBACK);
  else callback(null, "127.0.0.1", 4);
};

const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];
