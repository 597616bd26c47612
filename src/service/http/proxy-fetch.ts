/** A `fetch` through a proxy. The only file that imports undici, and loaded only if a proxy is set. */

import { type Dispatcher, EnvHttpProxyAgent, errors, fetch, Pool } from "undici";
import { type Fetch, NotConnected } from "../../core/fetch.ts";
import type { ConnectionSettings, TlsSettings } from "./node-fetch.ts";

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
    clientFactory: (address, options) => new TunnelPool(address, options),
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

/** Connections to a proxy. If the proxy closes one before the tunnel is made, undici would ask for tunnels until the request times out. */
class TunnelPool extends Pool {
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(...values: Parameters<Pool["connect"]>): void;
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    try {
      return await super.connect(options);
    } catch (error) {
      // undici retries after errors of this class.
      if (!(error instanceof errors.SocketError)) throw error;
      throw Object.assign(new Error("the proxy closed the connection"), { code: "PROXY_CLOSED" });
    }
  }
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
