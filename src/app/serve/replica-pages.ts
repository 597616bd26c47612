/** The web pages of a replica, served on loopback until the command is interrupted. */

import type { Io } from "../../core/io.ts";
import type { RequestHandler } from "../../emulator/http/exchange.ts";
import type { Replica } from "../../emulator/replica/replica.ts";
import { serve } from "../../emulator/serve.ts";
import { createWebPages } from "../../emulator/web/web-pages.ts";
import { Secrets } from "../../view/format/mask.ts";
import type { Console } from "../console/console.ts";
import { openInBrowser } from "./open-browser.ts";
import { serveUntil } from "./serving.ts";

/** Serves the pages, with the notice on each of them. On a terminal the link is opened in a browser as well. */
export async function serveReplica(
  { emulator }: Replica,
  notice: string,
  { stdout, stderr, env, interruption }: Pick<Io, "stdout" | "stderr" | "env" | "interruption">,
  console: Console,
  environment: ReadonlyMap<string, string>,
): Promise<void> {
  const interrupted = interruption();
  const pages = createWebPages(emulator, { isWritable: true, notice });
  const server = await serve(emulator, { pages: withMaskedSecrets(pages.handler, console, environment) });
  try {
    const link = `${server.url}${pages.link}`;
    console.alert(`web page of the replica, with a link that works once: ${link}`);
    if (!stdout.terminal || !stderr.terminal) {
      console.note("no browser was opened, since the output is not a terminal: open the link on this machine");
      await serveUntil(interrupted, console);
      return;
    }
    const opening = await openInBrowser(link, env);
    try {
      console.note(
        opening.isStarted
          ? "opening the link in a browser; if none appears, open it yourself"
          : "no browser could be opened: open the link yourself",
      );
      await serveUntil(interrupted, console);
    } finally {
      await opening.remove();
    }
  } finally {
    await server.close();
  }
}

/** The texts of a page, and the attributes that can hold a text of the workspace. */
const workspaceTexts = /(>|(?:value|href|action|aria-label)=")([^<"]+)/g;

/** Masks the secrets of the configuration, as every report does, but no words of the markup, which a short secret may equal. */
function withMaskedSecrets(
  handler: RequestHandler,
  console: Console,
  environment: ReadonlyMap<string, string>,
): RequestHandler {
  // Who sees the pages has the values in the environment of the command, so a shorter value may be looked for than in a report.
  const values = new Secrets([...environment.values()]);
  return async (incoming) => {
    const response = await handler(incoming);
    const { headers, body } = response;
    if (typeof body !== "string" || headers["content-type"]?.startsWith("text/html") !== true) return response;
    const masked = body.replace(
      workspaceTexts,
      (_all, start: string, text: string) => start + values.mask(console.safe(text)),
    );
    return { ...response, body: masked };
  };
}
