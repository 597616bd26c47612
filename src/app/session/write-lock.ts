/** Writes `incidentctl.lock`, apart from its reading, which needs no planner. */

import { join } from "node:path";
import type { Configuration } from "../../config/resources/configuration.ts";
import { liveTokenHashes } from "../../plan/checks/unstored-tokens.ts";
import { type StoredOtherwise, updateLastApplied } from "../../plan/checks/update-last-applied.ts";
import type { Plan } from "../../plan/model/plan.ts";
import { prettyJson } from "../../view/format/json.ts";
import {
  isTokenKey,
  type LastAppliedHashes,
  switchesIn,
  tokenHash,
  withProtected,
  withStored,
  withSwitched,
} from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { saveFile } from "../console/save-file.ts";
import { LOCK_FILE, type LockName, readLock, readLockFile } from "./lock-file.ts";

/** Records the hashes of a verified apply, also of one with nothing to do. Without hashes and without a lock file, no file is written. */
export async function writeLock(
  configuration: Configuration,
  applied: Plan,
  { plan: verifying, state }: { readonly plan: Plan; readonly state: ResolvedState },
  before: LastAppliedHashes,
  stored: readonly StoredOtherwise[] = [],
): Promise<void> {
  // A partial plan leaves the hashes of other resources unchanged.
  const earlier = verifying.partial === undefined ? {} : before;
  const { operations, accepted = [], ignored = [] } = applied;
  const updated = updateLastApplied(configuration, operations, verifying, before, {
    leftAlone: [...accepted, ...ignored],
    stored,
  });
  const switched = withSwitched({ ...earlier, ...updated }, switchesIn(state));
  const fields = Object.entries(switched).filter(([key]) => !isTokenKey(key));
  const live = liveTokenHashes(state);
  const tokens = Object.entries(readLock(configuration.settings) ?? {}).filter(
    ([key, hash]) => isTokenKey(key) && live.get(key.split("/")[0] ?? "")?.has(hash) !== false,
  );
  const addresses = configuration.declared.flatMap((resource) => (resource.protected ? [resource.address] : []));
  await replaceLock(configuration.settings, withProtected(Object.fromEntries([...fields, ...tokens]), addresses));
}

/** Records values that the service stored otherwise, and nothing else of the run that sent them. */
export async function writeStored({ settings }: Configuration, stored: readonly StoredOtherwise[]): Promise<void> {
  if (stored.length > 0) await replaceLock(settings, withStored(readLock(settings) ?? {}, stored));
}

/** Records that a sink has stored a token. */
export async function writeStoredToken(
  { settings }: Configuration,
  { address, prefix }: { readonly address: string; readonly prefix: string },
): Promise<void> {
  const [key, hash] = tokenHash(address, prefix);
  await replaceLock(settings, { ...readLock(settings), [key]: hash });
}

/** Writes the hashes of an environment, unless the file has them already. */
async function replaceLock(name: LockName, hashes: LastAppliedHashes): Promise<void> {
  const lock = sorted(hashes);
  if (JSON.stringify(lock) === JSON.stringify(readLock(name) ?? {})) return;
  const { home, environment } = name;
  const { fields, environments } = readLockFile(home) ?? { fields: {}, environments: new Map() };
  const all = environment === undefined ? environments : new Map([...environments, [environment, lock]]);
  const lockFile = {
    $comment: ABOUT,
    version: 1,
    fields: environment === undefined ? lock : fields,
    ...(all.size === 0 ? {} : { environments: sorted(Object.fromEntries(all)) }),
  };
  await saveFile(join(home, LOCK_FILE), prettyJson(lockFile), home);
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The comment at its head, which no reader reads. */
const ABOUT =
  "Written by incidentctl apply: hashes of applied values that the service does not return. Commit this file, and do not edit it.";
