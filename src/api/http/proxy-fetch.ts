/** A `fetch` through a proxy. The only file that imports undici, and loaded only if a proxy is set. */

import { type Dispatcher, EnvHttpProxyAgent, fetch } from "undici";
import { type Fetch, NotConnected } from "../../core/fetch.ts";
import type { ConnectionSettings, TlsSettings } from "./connection-settings.ts";

/**
 * Returns a `fetch` that sends https through the proxy, except to hosts in `noProxy`. It throws {@link NotConnected} for a request of
 * which nothing was sent.
 */
export function proxiedFetch(
  connecting: ConnectionSettings,
  tunnel: TlsSettings,
  proxy: string,
  noProxy: string,
): Fetch {
  const agent = new EnvHttpProxyAgent({
    ...connecting,
    httpProxy: "",
    httpsProxy: proxy,
    noProxy,
    requestTls: tunnel,
    proxyTls: tunnel,
  });
  return async (input, init) => {
    let isStarted = false;
    const onStart = (): void => {
      isStarted = true;
    };
    const dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, watched(handler, onStart)));
    try {
      return await fetch(input, { ...init, dispatcher });
    } catch (error) {
      if (isStarted || !(error instanceof Error)) throw error;
      throw new NotConnected(error.cause instanceof Error ? error.cause : error);
    }
  };
}

/** The handler of a request; it also reports when the request starts: the tunnel is made, and the first bytes follow. */
function watched(handler: Dispatcher.DispatchHandler, onStart: () => void): Dispatcher.DispatchHandler {
  return new Proxy(handler, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...values: readonly unknown[]): unknown => {
        // The name depends on the version of the caller's handlers.
        if (name === "onConnect" || name === "onRequestStart") onStart();
        return Reflect.apply(member, target, values);
      };
    },
  });
}
