/**
 * Posts news to a chat. Sends `{"text": …}`, which Slack, Mattermost, Rocket.Chat and Google Chat accept. It needs only Node.
 *
 *   node notify.mjs FOLDER   posts the file `news` of the folder, if there is one
 *
 *   INCIDENTCTL_CHAT_URL     the address of the webhook. It is a secret and is never printed
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

async function main(folder) {
  const file = join(folder, "news");
  if (!existsSync(file)) return "there is no news";
  if (!process.env.INCIDENTCTL_CHAT_URL) return "INCIDENTCTL_CHAT_URL is not set: nobody is notified";
  if (!URL.canParse(process.env.INCIDENTCTL_CHAT_URL)) throw new Error("INCIDENTCTL_CHAT_URL is not a URL");
  const url = new URL(process.env.INCIDENTCTL_CHAT_URL);
  if (url.protocol !== "https:" && !LOOPBACK.includes(url.hostname)) {
    throw new Error("INCIDENTCTL_CHAT_URL must begin with https://");
  }
  const status = await post(url, { text: readFileSync(file, "utf8").trim() });
  if (status < 200 || status > 299) throw new Error(`the chat responded with ${status}`);
  return "notified";
}

/** The status of the response. Messages of `fetch` can contain the address, so only their code is kept. */
async function post(url, body) {
  const headers = { "content-type": "application/json", "user-agent": "incidentctl" };
  const signal = AbortSignal.timeout(30_000);
  const request = { method: "POST", headers, body: JSON.stringify(body), redirect: "manual", signal };
  try {
    return (await fetch(url, request)).status;
  } catch (error) {
    throw new Error(`the chat cannot be reached: ${error.cause?.code ?? error.name}`);
  }
}

try {
  process.stderr.write(`notify: ${await main(process.argv[2] ?? "reports")}\n`);
} catch (error) {
  process.stderr.write(`notify: ${error.message}\n`);
  process.exitCode = 1;
}
