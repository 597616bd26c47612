/** The door of undici: how the global `fetch` connects. Loaded only by commands that talk to a network. */

import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import { RefusedConnection } from "./credentials.ts";

/** What the environment says about connecting. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds. */
const LONGEST_CONNECT = 10_000;

/**
 * Makes the global `fetch` give up in time and go through the proxy that the environment names (`HTTPS_PROXY`,
 * `NO_PROXY`). Plain http only ever goes to a loopback address, and so never to a proxy. Throws {@link RefusedConnection} where certificates would not be verified.
 */
export function installDispatcher(environment: Environment, timeoutSeconds: number): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new RefusedConnection(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates; unset it",
    );
  }
  const timeout = timeoutSeconds * 1000;
  const connect = { timeout: Math.min(timeout, LONGEST_CONNECT) };
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy: "", headersTimeout: timeout, bodyTimeout: timeout, connect }));
}
