/** The pages of an emulator over HTTP, for tests. */

import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/emulator.ts";
import { serve } from "../../../src/emulator/serve.ts";
import { createWebPages } from "../../../src/emulator/web/web-pages.ts";
import { startTime } from "../test-emulator.ts";

/** A served emulator with its pages. */
export interface WebSite {
  readonly emulator: Emulator;
  readonly url: string;
  /** The address of the link that signs in. */
  readonly link: string;
  close(): Promise<void>;
}

/** Serves an emulator with the example workspace, a stopped clock and pages. */
export async function openWebSite(
  options: EmulatorOptions & { readonly isWritable?: boolean; readonly notice?: string } = {},
): Promise<WebSite> {
  const { isWritable = true, notice, ...rest } = options;
  const emulator = createEmulator({ control: "in-process", seed: true, now: () => new Date(startTime), ...rest });
  const pages = createWebPages(emulator, { isWritable, ...(notice === undefined ? {} : { notice }) });
  const server = await serve(emulator, { pages: pages.handler });
  return {
    emulator,
    url: server.url,
    link: `${server.url}${pages.link}`,
    async close() {
      await server.close();
      await emulator.close();
    },
  };
}

/** A client of the pages that keeps the cookie, as a browser does. */
export interface WebClient {
  readonly cookie: string;
  get(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** Sends a form of the session, with the given headers in place of those of a browser. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string; readonly location: string | null }>;
}

export async function signIn({ url, link }: WebSite): Promise<WebClient> {
  const cookie = (await fetch(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const get: WebClient["get"] = async (path, headers = {}) => {
    const response = await fetch(`${url}${path}`, { headers: { cookie, ...headers } });
    return { status: response.status, text: await response.text() };
  };
  return {
    cookie,
    get,
    async post(path, fields, headers = {}) {
      const token = /name="form_token" value="([^"]+)"/.exec((await get("/forms/declare")).text)?.[1] ?? "";
      const response = await fetch(`${url}${path}`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin: url, "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ form_token: token, ...fields }).toString(),
      });
      return { status: response.status, text: await response.text(), location: response.headers.get("location") };
    },
  };
}
