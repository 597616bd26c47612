/** The door of undici: what Node's own `fetch` cannot, which is to go through a proxy. Loaded only where it is needed. */

import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import type { Connecting, Securing } from "./dispatcher.ts";

/** Makes the global `fetch` connect by undici: https through the proxy, unless it is empty or the host is in `noProxy`. */
export function installUndici(connecting: Connecting, tunnel: Securing, proxy: string, noProxy: string): void {
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
}
