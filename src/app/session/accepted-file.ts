/** `incidentctl.accepted.json`: accepted differences, in a file beside the settings and under version control. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { DISK } from "../../config/source/disk.ts";
import { LIMITS } from "../../config/source/limits.ts";
import { isDay } from "../../core/clock.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { isFields, isList, type Json, parseJson, textIn } from "../../core/json.ts";
import { ACCEPTED_FILE, type Acceptance } from "../../plan/drift/acceptance.ts";
import { prettyJson } from "../../view/format/json.ts";
import { saveFile } from "../console/save-file.ts";

/** Keys of an item, by the version of the file. Those of version 2 that an item of version 1 lacks are optional. */
const KEYS: Readonly<Record<number, readonly string[]>> = {
  1: ["host", "address", "path", "fingerprint", "until", "because"],
  2: ["host", "address", "path", "fingerprint", "declared", "until", "by", "why"],
};

/** The accepted differences; none if the file does not exist. An invalid file ends the command. */
export function readAccepted(home: string): readonly Acceptance[] {
  const path = join(home, ACCEPTED_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const bytes = DISK.read(path, { root: home, maximum: LIMITS.totalBytes, mayBeHidden: true });
  if ("code" in bytes) throw new Stop(EXIT.error, `cannot read ${path}: ${bytes.message}`);
  const refuse = (why: string): never => {
    throw new Stop(EXIT.error, `${path} is not valid: ${why}; restore it, or delete it to accept nothing`);
  };
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  if (!isFields(value)) return refuse("it is not a JSON object");
  const keys = typeof value.version === "number" ? KEYS[value.version] : undefined;
  if (keys === undefined) return refuse("its version is neither 1 nor 2");
  if (!isList(value.accepted)) return refuse('it has no list "accepted"');
  return value.accepted.map((item, index) => acceptance(item, keys) ?? refuse(`item ${index + 1} is incomplete`));
}

/** Writes the accepted differences, sorted by place so that commits stay small. */
export async function writeAccepted(home: string, accepted: readonly Acceptance[]): Promise<void> {
  const key = ({ host, address, path }: Acceptance): string => JSON.stringify([host, address, path]);
  const sorted = [...accepted].sort((left, right) => (key(left) < key(right) ? -1 : 1));
  const items = sorted.map(({ host, address, path, fingerprint, declared, until, by, because: why }) =>
    Object.fromEntries(
      Object.entries({ host, address, path, fingerprint, declared, until, by, why }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
  );
  // The file is committed like the configuration, so it is readable for others.
  await saveFile(join(home, ACCEPTED_FILE), prettyJson({ $comment: ABOUT, version: 2, accepted: items }), home, 0o644);
}

/** The comment at its head, which no reader reads. */
const ABOUT = "Written by incidentctl drift accept: differences that plans leave alone for a while. Commit this file.";

/** The day of a moment, in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function acceptance(item: Json, keys: readonly string[]): Acceptance | undefined {
  if (!isFields(item) || !Object.keys(item).every((name) => keys.includes(name))) return undefined;
  if (!Object.values(item).every((value) => typeof value === "string")) return undefined;
  const [host, address, path] = [textIn(item.host), textIn(item.address), textIn(item.path)];
  const [fingerprint, until] = [textIn(item.fingerprint), textIn(item.until)];
  const because = textIn(keys.includes("why") ? item.why : item.because);
  const [declared, by] = [textIn(item.declared), textIn(item.by)];
  if (host === undefined || address === undefined || path === undefined || fingerprint === undefined) return undefined;
  if (until === undefined || because === undefined || !isDay(until)) return undefined;
  return {
    ...{ host, address, path, fingerprint, until, because },
    ...(declared === undefined ? {} : { declared }),
    ...(by === undefined ? {} : { by }),
  };
}
