/**
 * The minimum work of a client: requests the same addresses as a plan, once each, over persistent connections, eight at a time,
 * and parses the responses. The difference to a plan is the cost of the program.
 *
 *   node bench/programs/floor.mjs fetch ADDRESSES.json    by Node's own `fetch`
 *   node bench/programs/floor.mjs http ADDRESSES.json     by `node:http`, the leanest that there is
 *
 * The file holds an array of { url, token }.
 */

import { readFileSync } from "node:fs";

const IN_FLIGHT = 8;

const [stack, file] = process.argv.slice(2);
const waiting = JSON.parse(readFileSync(file, "utf8"));
const client = stack === "http" ? await byHttp() : byFetch();

function byFetch() {
  return {
    ask: async ({ url, token }) => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json(),
    // Idle connections do not keep the process alive.
    close: () => {},
  };
}

async function byHttp() {
  const { Agent, get } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const ask = ({ url, token }) =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        const parts = [];
        response.on("data", (part) => parts.push(part));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(parts).toString("utf8"))));
      }).on("error", reject);
    });
  return { ask, close: () => agent.destroy() };
}

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await client.ask(next);
}

await Promise.all(Array.from({ length: IN_FLIGHT }, work));
client.close();
