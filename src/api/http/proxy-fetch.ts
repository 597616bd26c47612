/** The door of undici: what Node's own client cannot, which is to go through a proxy. Loaded only where it is needed. */

import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";
import type { Fetch } from "../../core/fetch.ts";
import type { Connecting, Securing } from "./connecting.ts";

/** The global `fetch`, from now on by undici: https goes through the proxy, unless the host is in `noProxy`. */
export function proxiedFetch(connecting: Connecting, tunnel: Securing, proxy: string, noProxy: string): Fetch {
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
