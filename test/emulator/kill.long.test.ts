import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { incidents } from "../../src/emulator/modules/incident-record/incident.ts";
import { links } from "../../src/emulator/modules/incidents/links.ts";
import { openTestEmulator } from "./test-emulator.ts";

const built = resolve("dist/index.js");

/**
 * Repeatedly declares two incidents and cancels one as the other's duplicate, which changes many tables in one
 * transaction.
 */
const busy = `
  const { createEmulator } = await import(process.argv[1]);
  const emulator = createEmulator({ file: process.argv[2], requestsPerMinute: 1e9, control: true });
  const headers = { authorization: "Bearer " + emulator.adminToken, "content-type": "application/json" };
  const send = async (method, path, body) => {
    const request = new Request("http://x/api/v1" + path, { method, headers, body: JSON.stringify(body) });
    return (await emulator.fetch(request)).json();
  };
  const severities = await emulator.fetch(new Request("http://x/api/v1/severities", { headers }));
  const severity_id = (await severities.json()).severities[0].id;
  const declare = async (idempotency_key) => (await send("POST", "/incidents", { idempotency_key, name: "x", severity_id })).incident;
  process.send("ready");
  for (let round = 0; ; round += 1) {
    const [one, two] = [await declare(process.pid + "a" + round), await declare(process.pid + "b" + round)];
    await send("POST", "/incidents/" + one.id + "/link", { other_incident_id: two.id, relationship: "duplicate" });
  }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incidentctl-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("after a kill at any point, the database is valid and every change is complete or absent", async () => {
  expect(existsSync(built), "npm run build comes first").toBe(true);
  const file = join(folder, "workspace.db");
  for (const milliseconds of [5, 30, 70, 150, 400]) {
    const arguments_ = ["--input-type=module", "--eval", busy, built, file];
    const child = spawn(process.execPath, arguments_, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await once(child, "message");
    await setTimeout(milliseconds);
    child.kill("SIGKILL");
    await once(child, "exit");
    const service = await openTestEmulator({ file });
    const { database } = service.emulator.control?.service ?? {};
    if (database === undefined) throw new Error("there is no control surface");
    expect(database.scalar("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'")).toBe(0);
    const count = (type: string): number => {
      return database.scalar("SELECT COUNT(*) FROM incident_events WHERE event_type = ?", [type]);
    };
    const linked = database.count(links);
    expect([
      count("incident.marked_duplicate"),
      count("incident.canceled"),
      count("incident.merged_into"),
      database.scalar(
        "SELECT COUNT(*) FROM incidents JOIN statuses ON statuses.id = status_id WHERE slug = 'canceled'",
      ),
    ]).toEqual([linked, linked, linked, linked]);
    expect(count("incident.created")).toBe(database.count(incidents));
    await service.close();
  }
});
