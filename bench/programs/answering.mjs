/**
 * Measures the built emulator over loopback: simple requests of fifty clients per second, compared with a bare node:http handler that
 * sends the same bytes. Client and servers are separate processes. Prints one line of JSON, { emulator, bare }.
 *
 *   node bench/programs/answering.mjs [SECONDS]
 */

import { fork } from "node:child_process";
import { Agent, createServer, request } from "node:http";
import { fileURLToPath } from "node:url";

const connections = 50;
const path = "/api/v1/severities";

/** Serves the emulator and sends its URL to the parent. */
async function serveEmulator() {
  const { createEmulator } = await import("../../build/emulator/emulator.js");
  const { serve } = await import("../../build/emulator/serve.js");
  const { compileWebAssemblyFast } = await import("../../build/app/session/v8-flags.js");
  // As in the program.
  compileWebAssemblyFast();
  const started = performance.now();
  const emulator = createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER });
  const { url } = await serve(emulator);
  process.send({ url, token: emulator.serviceToken, started: performance.now() - started });
}

/** Serves the bytes of one response from a bare handler. */
function serveBare(body) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
}

/** Responds to every message of the parent with the processor time of this process, in microseconds. */
function reportUsage() {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send({ usage: user + system });
  });
}

function get(url, token, agent) {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part) => {
        body += part;
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(body) : reject(new Error(body))));
    });
    sent.on("error", reject).end();
  });
}

/** Requests per second and their latencies, after a second of warm-up. */
async function measure({ url, usage }, token, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies = [];
  const run = async (until) => {
    while (performance.now() < until) {
      const started = performance.now();
      await get(url, token, agent);
      latencies.push(performance.now() - started);
    }
  };
  const all = (until) => Promise.all(Array.from({ length: connections }, () => run(until)));
  await all(performance.now() + 1000);
  latencies.length = 0;
  const [usedBefore, started] = [await usage(), performance.now()];
  await all(started + seconds * 1000);
  const elapsed = (performance.now() - started) / 1000;
  const processor = (await usage()) - usedBefore;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(latencies.length * share)].toFixed(2);
  return {
    rate: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    processor: processor / latencies.length,
  };
}

function start(role, argument) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [role, argument ?? ""]);
    const usage = () => {
      child.send("usage");
      return new Promise((answer) => child.once("message", (message) => answer(message.usage)));
    };
    child.once("message", (message) => resolve({ ...message, usage, stop: () => child.kill() }));
    child.once("error", reject);
  });
}

async function main(seconds) {
  const emulator = await start("--serve-emulator");
  const body = await get(emulator.url, emulator.token, new Agent());
  const bare = await start("--serve-bare", body);
  const rows = [];
  for (const [name, server] of Object.entries({ "bare node:http": bare, emulator })) {
    rows.push([name, await measure(server, emulator.token, seconds)]);
  }
  emulator.stop();
  bare.stop();
  console.log(JSON.stringify(Object.fromEntries(rows)));
}

const [role, argument = ""] = process.argv.slice(2);
if (role?.startsWith("--serve")) reportUsage();
if (role === "--serve-emulator") await serveEmulator();
else if (role === "--serve-bare") serveBare(argument);
else await main(Number(role ?? 5));
