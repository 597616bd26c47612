/** A `fetch` through a proxy. The only file that imports undici, and loaded only if a proxy is set. */

import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import type { Fetch } from "../../core/fetch.ts";
import type { ConnectionSettings, TlsSettings } from "./connection-settings.ts";

/** Returns the global `fetch`, after giving it a dispatcher that sends https through the proxy, except to hosts in `noProxy`. */
export function proxiedFetch(
  connecting: ConnectionSettings,
  tunnel: TlsSettings,
  proxy: string,
  noProxy: string,
): Fetch {
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      ...connecting,
      httpProxy: "",
      httpsProxy: proxy,
      noProxy,
      requestTls: tunnel,
      proxyTls: tunnel,
    }),
  );
  return (input, init) => fetch(input, init);
}
