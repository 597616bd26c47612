/** A tour in one command, on loopback: plans and applies the example workspace, changes it behind the files, and finds the drift. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist", "cli.cjs");

if (!existsSync(program)) spawnSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });

const folder = await mkdtemp(join(tmpdir(), "incidentctl-demo-"));
try {
  await tour();
} catch (error) {
  process.stderr.write(`\nThe demo stopped: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tour() {
  await copyExamples();
  say("The example workspace is a folder of YAML files. It is checked without any network:");
  await run({}, ["validate"], 0);

  say("A service to try it on is part of the program. It is started on loopback:");
  const service = spawn(process.execPath, [program, "emulator", "--file", "workspace.db"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  show(["emulator", "--file", "workspace.db"]);
  const env = await exports(service.stdout, 3);
  try {
    await onService(env);
  } finally {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
}

/** The part of the tour that needs the service. */
async function onService(env) {
  say("What has to change so that the workspace matches the configuration? A plan only reads:");
  await run(env, ["plan"], 0);

  say("Apply it. Nothing is removed, so no approval is needed; one-time tokens go to a private file:");
  await run(env, ["apply", "--yes", "--secrets-out", "tokens.jsonl"], 0);

  say("Plan again: there is nothing left to do.");
  await run(env, ["plan", "--detailed-exitcode"], 0);

  const { slug, name } = await renameSomething(env);
  say(
    `Now somebody renames the severity "${slug}" in the workspace, from "${name}" to "Changed by hand". Drift is exit code 2:`,
  );
  await run(env, ["drift"], 2);

  say("Applying again restores the configured name:");
  await run(env, ["apply", "--yes", "--secrets-out", "tokens.jsonl"], 0);
}

/** The examples without the service that they name: the tour has its own. */
async function copyExamples() {
  await cp(join(root, "examples"), folder, { recursive: true });
  const settings = join(folder, "incidentctl.yaml");
  if (!existsSync(settings)) return;
  const text = await readFile(settings, "utf8");
  await writeFile(settings, text.replace(/^base_url:.*\n/m, ""));
}

/** Runs a command of the program and shows it as a person would type it. Any other exit code than the expected one ends the tour. */
async function run(env, args, expected) {
  show(args);
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) process.stdout.write(`(exit code ${code})\n`);
  if (code !== expected) throw new Error(`incidentctl ${args[0]} ended with ${code} instead of ${expected}`);
}

function show(args) {
  process.stdout.write(`\n$ incidentctl ${args.join(" ")}\n`);
}

function say(sentence) {
  process.stdout.write(`\n# ${sentence}\n`);
}

/** The variables in the first lines of the output, as a shell would set them. */
async function exports(stream, lines) {
  const env = {};
  for await (const line of createInterface({ input: stream })) {
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) env[name] = value;
    if (Object.keys(env).length === lines) return env;
  }
  throw new Error("the service did not start");
}

/** Changes the workspace without the files. */
async function renameSomething({ INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: token }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { severities } = await (await fetch(`${url}/api/v1/severities`, { headers })).json();
  const [first] = severities;
  const body = JSON.stringify({ name: "Changed by hand" });
  const response = await fetch(`${url}/api/v1/severities/${first.slug}`, { method: "PATCH", headers, body });
  if (!response.ok) throw new Error(`the service returned ${response.status}`);
  return first;
}
