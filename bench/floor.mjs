/**
 * The least that any client has to do: asks for the same addresses as a plan did, once each, over kept connections, eight at a time,
 * and takes the answers as values. What a plan costs on top of it is its own.
 *
 *   node bench/floor.mjs ADDRESSES.json    (an array of { url, token })
 */

import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

const waiting = JSON.parse(readFileSync(process.argv[2], "utf8"));
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

function ask({ url, token }) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => resolve(JSON.parse(Buffer.concat(parts).toString("utf8"))));
    }).on("error", reject);
  });
}

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await ask(next);
}

await Promise.all(Array.from({ length: 8 }, work));
agent.destroy();
