/** `incidentctl.lock`, beside the settings: hashes of last-applied fields that the service does not return or stored otherwise, and of stored tokens. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../../config/resources/configuration.ts";
import { DISK } from "../../config/source/disk.ts";
import { LIMITS } from "../../config/source/limits.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { isFields, type Json, parseJson } from "../../core/json.ts";
import type { LastAppliedHashes } from "../../workspace/match/last-applied.ts";

/** The name of the file. */
export const LOCK_FILE = "incidentctl.lock";

/** Hashes by environment; those without an environment are in `fields`. */
interface LockFile {
  readonly fields: LastAppliedHashes;
  readonly environments: ReadonlyMap<string, LastAppliedHashes>;
}

/** Returns the hashes of an environment; undefined if no lock file has any. A broken lock file ends the command. */
export function readLock({ home, environment }: LockName): LastAppliedHashes | undefined {
  const file = readLockFile(home);
  return environment === undefined ? file?.fields : file?.environments.get(environment);
}

/** The place of a lock. */
export type LockName = Pick<Configuration["settings"], "home" | "environment">;

/** All hashes of the file; undefined if it does not exist. */
export function readLockFile(home: string): LockFile | undefined {
  const path = join(home, LOCK_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  // Anybody may propose changes to these files: a link out of the folder, a pipe or a device is refused.
  const bytes = DISK.read(path, { root: home, maximum: LIMITS.totalBytes, mayBeHidden: true });
  if ("code" in bytes) throw new Stop(EXIT.error, `cannot read ${path}: ${bytes.message}`);
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  const { fields, environments = {} } = isFields(value) && value.version === 1 ? value : {};
  const known = parseHashes(fields);
  const others = isFields(environments)
    ? Object.entries(environments).map(([name, one]) => [name, parseHashes(one)] as const)
    : [];
  const sound = others.flatMap(([name, lock]) => (lock === undefined ? [] : [[name, lock] as const]));
  if (known === undefined || !isFields(environments) || sound.length < others.length) {
    throw new Stop(EXIT.error, `${path} is not a lock of this program (version 1); delete it to start over`);
  }
  return { fields: known, environments: new Map(sound) };
}

function parseHashes(value: Json | undefined): LastAppliedHashes | undefined {
  if (!isFields(value) || !Object.values(value).every((hash) => typeof hash === "string")) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, hash]) => [name, String(hash)]));
}
