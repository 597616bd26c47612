/** A stand-in for GitHub on loopback: as much of its interface as one comment needs, with failures. */

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A comment. */
export interface Entry {
  readonly id: number;
  readonly user: { readonly login: string };
  body: string;
}

/** The stand-in. */
export interface Forge {
  readonly url: string;
  /** Comments of the change. */
  readonly comments: Entry[];
  /** `POST /repos/…`, in order. */
  readonly requests: string[];
  /** Status codes of the responses to come; 0 is a real response. */
  readonly failures: number[];
  /** Adds a comment of somebody. */
  add(list: Entry[], body: string, isOwn?: boolean): Entry;
  close(): Promise<void>;
}

/** Starts the stand-in. */
export async function startForge(): Promise<Forge> {
  const add = (list: Entry[], body: string, isOwn = true): Entry => {
    const entry = { id: list.length + 1, body, user: { login: isOwn ? "github-actions[bot]" : "somebody" } };
    list.push(entry);
    return entry;
  };
  const server = createServer(async (request, response) => {
    const sent = await bodyOf(request);
    const url = new URL(request.url ?? "/", "http://localhost");
    forge.requests.push(`${request.method} ${url.pathname}`);
    const failure = forge.failures.shift() ?? 0;
    if (failure !== 0) return void response.writeHead(failure).end("{}");
    const value = respond(forge, `${request.method} ${url.pathname}`, url.searchParams, sent.body ?? "");
    if (value === undefined) return void response.writeHead(404).end("{}");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const forge: Forge = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments: [],
    requests: [],
    failures: [],
    add,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return forge;
}

function respond(forge: Forge, call: string, query: URLSearchParams, body: string): unknown {
  if (/^GET .*\/pulls\/3$/.test(call)) return { head: { sha: "c0ffee" } };
  if (/^POST .*\/issues\/3\/comments$/.test(call)) return forge.add(forge.comments, body);
  if (/^GET .*\/issues\/3\/comments$/.test(call)) {
    const size = Number(query.get("per_page"));
    return forge.comments.slice((Number(query.get("page")) - 1) * size).slice(0, size);
  }
  const [, id] = /^PATCH .*\/issues\/comments\/(\d+)$/.exec(call) ?? [];
  const comment = forge.comments.find((one) => one.id === Number(id));
  return comment === undefined ? undefined : Object.assign(comment, { body });
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
