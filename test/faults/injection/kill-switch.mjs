/**
 * Loaded before the program (`node --import`). Counts its steps on the journal, the token sink and the network, and kills the
 * process right before the step whose number is in KILL_AT. With KILL_LOG it writes the steps to that file instead. The
 * waits for a write that may still arrive take a hundredth of their time: a killed process has sent nothing that could.
 */

import { appendFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { KILL_AT: at, KILL_LOG: log } = process.env;
const last = Number(at ?? Number.POSITIVE_INFINITY);
let steps = 0;

/** @param {string} name */
function step(name) {
  steps += 1;
  if (log !== undefined) appendFileSync(log, `${name}\n`);
  if (steps === last) process.kill(process.pid, "SIGKILL");
  // SIGKILL to the own process takes effect before this returns.
}

const watched = /\.incidentctl|tokens\.jsonl/;
const { open, rename } = promises;
const names = new WeakMap();

promises.open = async (path, ...rest) => {
  const text = String(path);
  if (watched.test(text)) step(`open ${short(text)}`);
  const file = await open(path, ...rest);
  if (watched.test(text)) watch(file, short(text));
  return file;
};
promises.rename = async (from, to) => {
  if (watched.test(String(to))) step(`rename ${short(String(to))}`);
  await rename(from, to);
};
syncBuiltinESMExports();

/** A write may be incomplete on the disk when the process is killed. */
function watch(file, name) {
  if (names.has(file)) return;
  names.set(file, name);
  const { write, writeFile, sync } = file;
  file.write = async (bytes, ...rest) => {
    step(`write ${name}`);
    if (steps + 1 === last) await write.call(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    step(`half ${name}`);
    return write.call(file, bytes, ...rest);
  };
  file.writeFile = async (text, ...rest) => {
    step(`write ${name}`);
    if (steps + 1 === last) await writeFile.call(file, text.slice(0, Math.floor(text.length / 2)), ...rest);
    step(`half ${name}`);
    return writeFile.call(file, text, ...rest);
  };
  file.sync = async () => {
    step(`sync ${name}`);
    await sync.call(file);
  };
}

const WAITS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = (task, milliseconds = 0, ...rest) =>
  wait(task, WAITS.includes(milliseconds) ? milliseconds / 100 : milliseconds, ...rest);

const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const writes = init?.method !== undefined && init.method !== "GET";
  if (!writes) return send(input, init);
  step(`send ${init.method}`);
  const response = await send(input, init);
  step(`heard ${init.method}`);
  const text = await response.text();
  step(`read ${init.method}`);
  return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
};

/** @param {string} path */
function short(path) {
  return path.split("/").at(-1) ?? path;
}
