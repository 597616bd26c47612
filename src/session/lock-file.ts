/** `incidentctl.lock`, beside the settings: hashes of last-applied fields that the service does not return. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../config/load/configuration.ts";
import { readInside } from "../config/source/files.ts";
import { LIMITS } from "../config/source/limits.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { isFields, type Json } from "../core/json.ts";
import { type LastAppliedHashes, withProtected } from "../match/last-applied.ts";
import { saveFile } from "../output/save-file.ts";
import { updateLastApplied } from "../plan/checks/update-last-applied.ts";
import type { Plan } from "../plan/plan.ts";
import { prettyJson } from "../report/plan/json.ts";

/** Hashes by environment; those without an environment are in `fields`. */
interface LockFile {
  readonly fields: LastAppliedHashes;
  readonly environments: ReadonlyMap<string, LastAppliedHashes>;
}

/**
 * Returns the hashes of an environment; none without a lock file. A broken lock file ends the command.
 */
export async function readLock(home: string, environment?: string): Promise<LastAppliedHashes> {
  const { fields, environments } = readLockFile(home);
  return environment === undefined ? fields : (environments.get(environment) ?? {});
}

function readLockFile(home: string): LockFile {
  const path = join(home, NAME);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { fields: {}, environments: new Map() };
  // Anybody may propose changes to these files: a link out of the folder, a pipe or a device is refused.
  const bytes = readInside(path, home, LIMITS.totalBytes);
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

/** Records the hashes of a verified apply. Without hashes and without a lock file, no file is written. */
export async function writeLock(
  configuration: Configuration,
  applied: Plan,
  verifying: Plan,
  before: LastAppliedHashes,
): Promise<void> {
  // A partial plan leaves the hashes of other resources unchanged.
  const earlier = verifying.partial === undefined ? {} : before;
  const { operations, accepted = [], ignored = [] } = applied;
  const updated = updateLastApplied(configuration, operations, verifying, before, [...accepted, ...ignored]);
  await saveLock(configuration, { ...earlier, ...updated }, before);
}

/** Records which resources the configuration protects, after an apply with nothing to do. */
export async function writeProtected(configuration: Configuration, before: LastAppliedHashes): Promise<void> {
  await saveLock(configuration, before, before);
}

async function saveLock(
  configuration: Configuration,
  hashes: LastAppliedHashes,
  before: LastAppliedHashes,
): Promise<void> {
  const lock = withProtected(
    hashes,
    configuration.declared.flatMap((resource) => (resource.protected ? [resource.address] : [])),
  );
  if (JSON.stringify(lock) === JSON.stringify(before)) return;
  const { home, environment } = configuration.settings;
  const { fields, environments } = readLockFile(home);
  const all = environment === undefined ? environments : new Map([...environments, [environment, lock]]);
  const lockFile = {
    version: 1,
    fields: environment === undefined ? lock : fields,
    ...(all.size === 0
      ? {}
      : { environments: Object.fromEntries([...all].sort(([left], [right]) => (left < right ? -1 : 1))) }),
  };
  await saveFile(join(home, NAME), prettyJson(lockFile), home);
}

const NAME = "incidentctl.lock";

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
