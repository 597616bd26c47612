/** Posts news to a chat, as `{"text": …}`, which Slack, Mattermost, Rocket.Chat and Google Chat accept. */

import type { Io } from "../../core/io.ts";
import { parseUrl } from "../../core/url.ts";
import { isLoopback } from "../../service/http/credentials.ts";
import { openNetwork } from "../../service/http/network.ts";
import type { Console } from "../console/console.ts";

/** Seconds. */
const TIMEOUT = 30;

/** Posts to the webhook of `INCIDENTCTL_CHAT_URL`, if it is set. Returns why it failed; never with the address, which is a secret. */
export async function tellChat(text: string, io: Io, console: Console): Promise<string | undefined> {
  const address = io.env.INCIDENTCTL_CHAT_URL;
  if (address === undefined || address === "") return undefined;
  console.conceal([address]);
  const url = parseUrl(address);
  if (url === undefined) return "INCIDENTCTL_CHAT_URL is not a URL";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return "INCIDENTCTL_CHAT_URL must begin with https://";
  }
  try {
    const transport = io.fetch ?? (await openNetwork(io.env, TIMEOUT, url.origin));
    const headers = { "content-type": "application/json", "user-agent": "incidentctl" };
    const signal = AbortSignal.timeout(TIMEOUT * 1000);
    const response = await transport(address, {
      ...{ method: "POST", headers, body: JSON.stringify({ text }), redirect: "manual", signal },
    });
    await response.body?.cancel();
    return response.status < 200 || response.status > 299 ? `the chat responded with ${response.status}` : undefined;
  } catch (error) {
    return `the chat cannot be reached: ${reasonOf(error)}`;
  }
}

/** The code of an error. Its message can hold the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no connection";
}
