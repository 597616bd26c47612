/**
 * A tour in one command, on loopback: plans and applies a small workspace, changes it behind the files, finds the drift, repairs it and
 * undoes a run. On a terminal it waits for Enter after each chapter; `--no-pause` goes through.
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist", "cli.cjs");
const pauses = process.stdin.isTTY && process.stdout.isTTY && !process.argv.includes("--no-pause");

const WORKSPACE = `severities:                    # the first is the most severe
  - { slug: critical, name: Outage }
  - { slug: major, name: Major, default: true }
  - { slug: near_miss, name: Near miss }
alert_sources:
  - { name: Probes }
routing_rules:
  sources:
    Probes:
      - name: everything
        outcome: { action: auto_create_incident, severity: critical }
`;

if (!existsSync(program)) spawnSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });

const folder = await mkdtemp(join(tmpdir(), "incidentctl-demo-"));
try {
  await tour();
} catch (error) {
  process.stderr.write(`\nThe tour stopped: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tour() {
  await chapter(
    "1. A service to try it on",
    "The program includes an emulator of the whole service. It is started on loopback.",
  );
  show("incidentctl emulator --file workspace.db");
  const service = spawn(process.execPath, [program, "emulator", "--file", "workspace.db"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await onService(await exports(service.stdout, 3));
  } finally {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
}

/** The chapters that need the service. */
async function onService(env) {
  await chapter(
    "2. A plan",
    "A file declares three kinds: severities, alert sources and their routing rules. A plan only reads.",
  );
  await file("workspace.yaml", WORKSPACE);
  await run(env, "plan --out change.plan", 0);

  await chapter(
    "3. A deletion needs its approval",
    "Minor is not in the files, so the plan deletes it. --yes approves no deletion.",
  );
  await run(env, "apply --plan change.plan --yes --quiet", 3);

  await chapter("4. Apply", "With the approval, exactly the reviewed plan is applied, in order, and then verified.");
  await run(env, "apply --plan change.plan --yes --allow-delete --quiet", 0);

  await chapter("5. Drift", "Somebody renames a severity in the workspace. In cron, drift exits with 2 and says so.");
  await renameByHand(env, "critical", "Changed by hand");
  await run(env, "drift", 2);

  await chapter("6. Repair", "Applying again restores what the files say.");
  await run(env, "apply --yes --quiet", 0);

  await chapter("7. Undo", "Perhaps the new name was meant. An undo is a plan like any other.");
  await run(env, "undo --out undo.plan", 0);
  await run(env, "apply --plan undo.plan --yes --quiet", 0);

  await chapter(
    "What next",
    "The tour changed three kinds with a few dozen requests; a service allows 1,000 a minute.",
  );
  process.stdout.write(`
  On your own workspace, these change nothing in it:

    incidentctl init --url https://incidents.example.com    # settings for your service
    incidentctl pull                                         # the live configuration as files
    incidentctl plan                                         # No changes.

  Then change a line and plan again. docs/start.md goes on from here, and examples/ is a whole workspace.
`);
}

/** Prints the heading of a chapter, after Enter on a terminal. */
async function chapter(title, sentence) {
  if (pauses && !title.startsWith("1.")) await enter();
  process.stdout.write(`\n── ${title} ${"─".repeat(Math.max(0, 72 - title.length))}\n${sentence}\n`);
}

async function enter() {
  const line = createInterface({ input: process.stdin, output: process.stdout });
  line.setPrompt("\n(Enter to go on) ");
  line.prompt();
  await once(line, "line");
  line.close();
}

/** Writes a file of the configuration and shows it. */
async function file(name, text) {
  await writeFile(join(folder, name), text);
  show(`cat ${name}`);
  process.stdout.write(text);
}

/** Runs a command of the program and shows it as a person would type it. Any other exit code than the expected one ends the tour. */
async function run(env, command, expected) {
  show(`incidentctl ${command}`);
  const child = spawn(process.execPath, [program, ...command.split(" ")], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) process.stdout.write(`(exit code ${code})\n`);
  if (code !== expected) throw new Error(`incidentctl ${command} ended with ${code} instead of ${expected}`);
}

function show(command) {
  process.stdout.write(`\n$ ${command}\n`);
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
async function renameByHand({ INCIDENTCTL_URL: url, INCIDENTCTL_TOKEN: token }, slug, name) {
  show(`curl --request PATCH $INCIDENTCTL_URL/api/v1/severities/${slug} --json '{"name": "${name}"}'`);
  const response = await fetch(`${url}/api/v1/severities/${slug}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`the service returned ${response.status}`);
}
