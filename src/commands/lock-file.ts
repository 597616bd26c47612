/** `incidentctl.lock`, beside the settings: what is remembered of fields that the service does not return. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../config/configuration.ts";
import { readInside } from "../config/files.ts";
import { LIMITS } from "../config/limits.ts";
import { isFields, type Json } from "../json.ts";
import { remembered } from "../plan/lock.ts";
import type { Lock } from "../plan/memory.ts";
import type { Plan } from "../plan/plan.ts";
import { pretty } from "../report/json.ts";
import { EXIT, Stop } from "./exit.ts";
import { save } from "./save.ts";

/** Reads the lock; an absent one remembers nothing, a broken one ends the command rather than being taken for empty. */
export async function readLock(home: string): Promise<Lock> {
  const path = join(home, NAME);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return {};
  // It lies among files that anybody may have proposed: a link out of them, a pipe or a device is none of ours.
  const bytes = readInside(path, home, LIMITS.totalBytes);
  if ("code" in bytes) throw new Stop(EXIT.error, `cannot read ${path}: ${bytes.message}`);
  const value = parsed(Buffer.from(bytes).toString("utf8"));
  const fields = isFields(value) && value.version === 1 ? value.fields : undefined;
  if (!isFields(fields) || !Object.values(fields).every((hash) => typeof hash === "string")) {
    throw new Stop(EXIT.error, `${path} is not a lock of this program (version 1); delete it to start afresh`);
  }
  return Object.fromEntries(Object.entries(fields).map(([name, hash]) => [name, String(hash)]));
}

/** Writes what a verified apply leaves to remember; nothing to remember and no lock yet: no file. */
export async function writeLock(configuration: Configuration, verifying: Plan, before: Lock): Promise<void> {
  // A narrowed plan knows nothing of the rest: what was remembered of it stays.
  const kept = verifying.partial === undefined ? {} : before;
  const lock: Lock = { ...kept, ...remembered(configuration, verifying, before) };
  if (JSON.stringify(lock) === JSON.stringify(before)) return;
  await save(
    join(configuration.settings.home, NAME),
    pretty({ version: 1, fields: lock }),
    configuration.settings.home,
  );
}

const NAME = "incidentctl.lock";

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
