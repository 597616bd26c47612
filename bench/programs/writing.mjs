/**
 * Measures how large the files of the built emulator become: it declares incidents and changes them, and compares the size of
 * the database and its write-ahead log while it runs with the size of the database after a clean stop. Prints one line of JSON,
 * { running, stopped }, in bytes.
 *
 *   node bench/programs/writing.mjs [WRITES]
 */

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileWebAssemblyFast } from "../../build/app/session/v8-flags.js";
import { createEmulator } from "../../build/emulator/emulator.js";

const writesPerIncident = 10;

/** Sends a request and returns the JSON of its response. Throws if it is refused. */
async function send(emulator, method, path, body) {
  const headers = { authorization: `Bearer ${emulator.serviceToken}`, "content-type": "application/json" };
  const parts = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await emulator.request(`http://emulator/api/v1${path}`, parts);
  let text = "";
  for await (const part of response.body ?? []) text += new TextDecoder().decode(part);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

// As in the program.
compileWebAssemblyFast();
const writes = Number(process.argv[2] ?? 50_000);
const folder = mkdtempSync(join(tmpdir(), "incidentctl-writing-"));
try {
  const file = join(folder, "workspace.db");
  const emulator = createEmulator({ file, requestsPerMinute: Number.MAX_SAFE_INTEGER });
  const { severities } = await send(emulator, "GET", "/severities");
  let incident;
  for (let write = 0; write < writes; write++) {
    if (write % writesPerIncident === 0) {
      const declaration = { idempotency_key: randomUUID(), name: "Measured", severity_id: severities[0].id };
      ({ incident } = await send(emulator, "POST", "/incidents", declaration));
    } else await send(emulator, "PATCH", `/incidents/${incident.id}`, { summary: `Change ${write}` });
  }
  const running = statSync(file).size + statSync(`${file}-wal`).size;
  await emulator.close();
  console.log(JSON.stringify({ running, stopped: statSync(file).size }));
} finally {
  rmSync(folder, { recursive: true });
}
