/** The container snippet of docs/emulator.md, with a `docker` that starts the program instead of a container. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Understands the three commands of the snippet, as the engine does. */
const docker = `#!/usr/bin/env node
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
const [command, ...words] = process.argv.slice(2);
const { DOCKER_FOLDER, PROGRAM, ...env } = process.env;
if (command === "run") {
  const own = words.slice(words.indexOf("incidentctl") + 1);
  const port = own.indexOf("8080");
  const kept = Object.fromEntries(words.flatMap((word, at) => (word === "--env" ? [[words[at + 1], env[words[at + 1]]]] : [])));
  const args = own.with(port, "0").concat("--ready-file", DOCKER_FOLDER + "/ready.json");
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: kept, detached: true, stdio: "ignore" });
  child.unref();
  console.log(child.pid);
} else if (command === "port") {
  const wait = () => {
    try {
      console.log(new URL(JSON.parse(readFileSync(DOCKER_FOLDER + "/ready.json", "utf8")).url).host);
    } catch {
      setTimeout(wait, 20);
    }
  };
  wait();
} else process.kill(Number(words[0]), "SIGTERM");
`;

const user = `
import { existsSync } from "node:fs";
import { startEmulator } from "./emulator.mjs";
const emulator = await startEmulator("--control", "--seed");
const ask = async (path, token) => (await fetch(emulator.url + path, { headers: { authorization: "Bearer " + token } })).status;
console.log(await ask("/api/v1/incidents", emulator.token), await ask("/api/v1/agents", emulator.adminToken), await ask("/control/clock", emulator.controlKey));
await emulator.stop();
while (existsSync("ready.json")) await new Promise((resolve) => setTimeout(resolve, 20));
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-container-"));
  const page = await readFile(join(root, "docs/emulator.md"), "utf8");
  const [snippet = ""] = /(?<=^```js\n)import \{ execFile \}.*?(?=^```$)/ms.exec(page) ?? [];
  await writeFile(join(folder, "emulator.mjs"), snippet);
  await writeFile(join(folder, "user.mjs"), user);
  await writeFile(join(folder, "docker.mjs"), docker);
  await chmod(join(folder, "docker.mjs"), 0o755);
  await symlink("docker.mjs", join(folder, "docker"));
});
afterAll(() => rm(folder, { recursive: true }));

test("the snippet starts an emulator with tokens of its own, waits for it, and stops it", async () => {
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, DOCKER_FOLDER: folder, PROGRAM: join(root, "dist/cli.cjs") };
  const child = spawn(process.execPath, ["user.mjs"], { cwd: folder, env });
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  expect({ stdout, stderr, exit }).toEqual({ stdout: "200 200 200\n", stderr: "", exit: 0 });
});
