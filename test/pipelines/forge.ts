/** A stand-in for a forge: as much of GitHub's and GitLab's interfaces as the pipelines use, on loopback. */

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A comment, a note or an issue, as both forges tell it. */
export interface Entry {
  readonly id: number;
  readonly number: number;
  readonly iid: number;
  title: string;
  body: string;
  description: string;
  state: string;
  readonly user: { readonly login: string };
  readonly author: { readonly id: number };
}

/** What the forge holds, and what it was asked. */
export interface Forge {
  readonly url: string;
  /** Comments of the change, and of issues by their number. */
  readonly comments: Entry[];
  readonly replies: Entry[];
  readonly issues: Entry[];
  /** `POST /repos/…`, in order. */
  readonly requests: string[];
  /** Credentials that were sent. */
  readonly credentials: Set<string>;
  /** What GitLab's review has left behind. */
  plan?: Buffer;
  /** Status codes of the answers to come; 0 is a real answer. */
  readonly failures: number[];
  /** Adds a comment or an issue of somebody. */
  add(list: Entry[], body: string, own?: boolean): Entry;
  close(): Promise<void>;
}

const OWN = { user: { login: "github-actions[bot]" }, author: { id: 7 } };
const OTHER = { user: { login: "somebody" }, author: { id: 8 } };

/** Starts the stand-in. */
export async function startForge(): Promise<Forge> {
  let last = 0;
  const add = (list: Entry[], body: string, own = true): Entry => {
    last += 1;
    const entry = { id: last, number: last, iid: last, title: "", body, description: body, state: "open" };
    list.push({ ...entry, ...(own ? OWN : OTHER) });
    return list.at(-1) ?? { ...entry, ...OWN };
  };
  const server = createServer(async (request, response) => {
    const sent = await bodyOf(request);
    const url = new URL(request.url ?? "/", "http://localhost");
    forge.requests.push(`${request.method} ${url.pathname}`);
    forge.credentials.add(String(request.headers.authorization ?? request.headers["private-token"]));
    const failure = forge.failures.shift();
    if (failure !== undefined && failure !== 0) return void response.writeHead(failure).end("{}");
    const answer = answerTo(forge, request.method ?? "GET", url, sent);
    if (answer === undefined) return void response.writeHead(404).end("{}");
    if (Buffer.isBuffer(answer)) return void response.writeHead(200).end(answer);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const forge: Forge = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments: [],
    replies: [],
    issues: [],
    requests: [],
    credentials: new Set(),
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

type Sent = Readonly<Record<string, string>>;

function answerTo(forge: Forge, method: string, url: URL, sent: Sent): unknown {
  const path = `${method} ${url.pathname}`;
  const page = (items: readonly unknown[]): readonly unknown[] => {
    const size = Number(url.searchParams.get("per_page"));
    return items.slice((Number(url.searchParams.get("page")) - 1) * size).slice(0, size);
  };
  const open = () => forge.issues.filter(({ state }) => !state.startsWith("close"));
  const create = (list: Entry[]) => Object.assign(forge.add(list, sent.body ?? sent.description ?? ""), sent);
  const change = (list: readonly Entry[], id: string | undefined) => {
    const entry = list.find((one) => one.id === Number(id));
    return entry === undefined ? undefined : Object.assign(entry, sent, sent.state_event ? { state: "closed" } : {});
  };
  const routes: readonly (readonly [RegExp, (id: string | undefined) => unknown])[] = [
    [/^GET .*\/issues\/3\/comments$|^GET .*\/merge_requests\/3\/notes$/, () => page(forge.comments)],
    [/^POST .*\/issues\/3\/comments$|^POST .*\/merge_requests\/3\/notes$/, () => create(forge.comments)],
    [/^P(?:ATCH|UT) .*(?:\/issues\/comments|\/merge_requests\/3\/notes)\/(\d+)$/, (id) => change(forge.comments, id)],
    [/^GET .*\/issues$/, () => (url.searchParams.get("labels") === "incidentctl-drift" ? page(open()) : undefined)],
    [/^POST .*\/issues$/, () => create(forge.issues)],
    [/^P(?:ATCH|UT) .*\/issues\/(\d+)$/, (id) => change(forge.issues, id)],
    [/^POST .*\/issues\/\d+\/(?:comments|notes)$/, () => create(forge.replies)],
    [/^GET .*\/pulls\/3$/, () => ({ head: { sha: "c0ffee" } })],
    [/^GET .*\/merge_requests\/3$/, () => ({ sha: "c0ffee" })],
    [/^GET .*\/user$/, () => ({ id: 7 })],
    [/^GET .*\/commits\/c0ffee\/merge_requests$/, () => [{ iid: 9, state: "merged" }]],
    [/^GET .*\/jobs\/artifacts\/refs%2Fmerge-requests%2F9%2Fhead\/raw\/reports\/change\.plan$/, () => forge.plan],
  ];
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(path);
    if (match !== null) return answer(match[1]);
  }
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Sent> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
