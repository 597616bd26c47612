/**
 * A generated workspace on loopback that responds at almost no cost: the emulator makes the response to each GET once, and it is
 * cached until the next write. So measurements show the cost of the client.
 *
 *   node bench/programs/remember.mjs --entries 10000 --seed 1 [--changed 100] [--delay 50]
 *   node bench/programs/remember.mjs --bare [--delay 50] [--limit 1000]
 *
 * Needs the built program. Prints one line of JSON, { url, token, adminToken, filled, least }: `filled` is the processor time of the import
 * into the emulator in milliseconds, `least` the number of requests that read each list once. Ends with its standard input.
 * `GET /counted` returns the requests since its last call, { requests: [{ method, url, token, times }], refused }. `--delay` is the
 * minimum time from request to response in milliseconds. `--limit` is the number of requests per minute; further ones are refused.
 */

import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { compileWebAssemblyFast } from "../../build/app/session/v8-flags.js";
import { createEmulator } from "../../build/emulator/emulator.js";
import { workspace } from "./generate.mjs";
import { rowsOf, takenOver } from "./serve.mjs";

/** Rows in the largest page of paginated lists. */
const PER_PAGE = 100;

const number = (value) => ({ type: "string", default: value });
const { values } = parseArgs({
  options: {
    entries: number("1000"),
    seed: number("1"),
    keys: number("0"),
    changed: number("0"),
    delay: number("0"),
    limit: number("Infinity"),
    bare: { type: "boolean", default: false },
  },
});
// As in the program.
compileWebAssemblyFast();
const { emulator, filled, least } = values.bare ? bare() : await made();
const delay = Number(values.delay);
const limit = Number(values.limit);

/** A service without resources; a plan for it reads one list. */
function bare() {
  return {
    emulator: createEmulator({ workspace: "bare", requestsPerMinute: Number.MAX_SAFE_INTEGER }),
    filled: 0,
    least: 1,
  };
}

async function made() {
  const size = { entries: Number(values.entries), seed: Number(values.seed), keys: Number(values.keys) };
  const declared = workspace(size);
  const rows = await rowsOf(declared, Number(values.changed));
  const before = process.cpuUsage();
  const { emulator } = takenOver(rows);
  const { user, system } = process.cpuUsage(before);
  const filled = (user + system) / 1000;
  const lists = Object.entries(rows);
  const pages = lists.map(([path, rows]) => (path.endsWith("/entries") ? Math.ceil(rows.length / PER_PAGE) || 1 : 1));
  return { emulator, filled, least: pages.reduce((sum, count) => sum + count, 0) };
}

/** Start of the current minute, and the requests in it. */
const minute = { since: Number.NEGATIVE_INFINITY, asked: 0 };

function isBeyondLimit() {
  if (performance.now() - minute.since >= 60_000) Object.assign(minute, { since: performance.now(), asked: 0 });
  minute.asked += 1;
  return minute.asked > limit;
}

/** Responses to GET, by URL and token. */
const remembered = new Map();
let requests = new Map();
let refused = 0;

async function answerOf(method, url, headers, body) {
  const name = `${url} ${headers.authorization}`;
  const known = method === "GET" ? remembered.get(name) : undefined;
  if (known !== undefined) return known;
  const request = new Request(`http://localhost${url}`, {
    method,
    headers,
    ...(method === "GET" || body.length === 0 ? {} : { body }),
  });
  const response = await emulator.fetch(request);
  const answer = {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), date: new Date().toUTCString() },
    bytes: Buffer.from(await response.arrayBuffer()),
  };
  if (method === "GET") remembered.set(name, answer);
  else remembered.clear();
  return answer;
}

const server = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  if (url === "/counted") {
    outgoing
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ refused, requests: [...requests.values()] }));
    requests = new Map();
    return;
  }
  const counted = requests.get(`${method} ${url}`) ?? { method, url, token: headers.authorization?.slice(7), times: 0 };
  requests.set(`${method} ${url}`, { ...counted, times: counted.times + 1 });
  if (isBeyondLimit()) {
    refused += 1;
    incoming.resume();
    outgoing.writeHead(429).end();
    return;
  }
  const arrived = performance.now();
  const parts = [];
  incoming.on("data", (part) => parts.push(part));
  incoming.on("end", async () => {
    const { authorization } = headers;
    const own = { ...(authorization === undefined ? {} : { authorization }), "content-type": "application/json" };
    const answer = await answerOf(method, url, own, Buffer.concat(parts));
    const send = () => outgoing.writeHead(answer.status, answer.headers).end(answer.bytes);
    const left = delay - (performance.now() - arrived);
    if (left > 0) setTimeout(send, left);
    else send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { serviceToken: token, adminToken } = emulator;
  const url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${JSON.stringify({ url, token, adminToken, filled: String(filled), least: String(least) })}\n`);
});
process.stdin.resume().once("end", async () => {
  server.closeAllConnections();
  server.close();
  await emulator.close();
});
