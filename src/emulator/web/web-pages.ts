/** The entrance to the emulator's pages: the link that opens them, and a handler that loads them with the first request. */

import type { Emulator } from "../emulator.ts";
import type { RequestHandler } from "../http/exchange.ts";
import type { WebPagesOptions } from "./page.ts";
import { WebSessions } from "./sessions.ts";

export interface WebPages {
  /** The path and query of the link that opens the pages, once. */
  readonly link: string;
  /** Responds to requests outside of the interface and of /control. */
  readonly handler: RequestHandler;
}

/** Creates the pages of an emulator with a control surface. */
export function createWebPages(emulator: Emulator, options: WebPagesOptions = {}): WebPages {
  const sessions = new WebSessions();
  let loaded: Promise<RequestHandler> | undefined;
  return {
    link: `/sign-in?key=${sessions.linkKey}`,
    handler: async (incoming) => {
      loaded ??= import("./site.tsx").then(({ createSite }) => createSite(emulator, sessions, options));
      return (await loaded)(incoming);
    },
  };
}
