/** The door of undici: how the global `fetch` connects. Loaded only by commands that talk to a network. */

import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import { RefusedConnection } from "./credentials.ts";

/** What the environment says about connecting. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the global `fetch` keep its connections, give up in time, and go through the proxy that the environment names
 * (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). Throws {@link RefusedConnection} where certificates would not be verified.
 */
export function installDispatcher(environment: Environment, timeoutSeconds: number): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    throw new RefusedConnection(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of certificates; unset it",
    );
  }
  const timeout = timeoutSeconds * 1000;
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      ...named("httpProxy", environment.http_proxy ?? environment.HTTP_PROXY),
      ...named("httpsProxy", environment.https_proxy ?? environment.HTTPS_PROXY),
      ...named("noProxy", environment.no_proxy ?? environment.NO_PROXY),
      keepAliveTimeout: 30_000,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      connect: { timeout: Math.min(timeout, 10_000) },
    }),
  );
}

function named(name: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === "" ? {} : { [name]: value };
}
