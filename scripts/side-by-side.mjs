/**
 * Runs scripts of package.json side by side: `node scripts/side-by-side.mjs NAME…`. Prints the output of each when it has ended, and
 * exits with 1 if one of them failed.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const exits = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = exits.every((exit) => exit === 0) ? 0 : 1;

/** Runs a script. Returns its exit code, null if a signal ended it. */
async function run(name) {
  const child = spawn(scripts[name], { cwd: root, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [exit] = await once(child, "close");
  console.log(`> ${name}: ${exit === 0 ? "passed" : `failed (exit code ${exit})`}\n${output}`);
  return exit;
}
