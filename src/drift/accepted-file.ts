/** `incidentctl.accepted.json`: accepted differences, in a file beside the settings and under version control. */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readInside } from "../config/source/files.ts";
import { LIMITS } from "../config/source/limits.ts";
import { isDay } from "../core/clock.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { saveFile } from "../output/save-file.ts";
import { prettyJson } from "../report/plan/json.ts";
import type { Acceptance } from "./drift.ts";

/** The name of the file. */
export const ACCEPTED_FILE = "incidentctl.accepted.json";

const NAMES = ["host", "address", "path", "fingerprint", "until", "because"] as const;

/** The accepted differences; none if the file does not exist. An invalid file ends the command. */
export function readAccepted(home: string): readonly Acceptance[] {
  const path = join(home, ACCEPTED_FILE);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const bytes = readInside(path, home, LIMITS.totalBytes);
  if ("code" in bytes) throw new Stop(EXIT.error, `cannot read ${path}: ${bytes.message}`);
  const refuse = (why: string): never => {
    throw new Stop(EXIT.error, `${path} is not valid: ${why}; restore it, or delete it to accept nothing`);
  };
  const value = parsed(Buffer.from(bytes).toString("utf8"));
  if (!isFields(value)) return refuse("it is not a JSON object");
  if (value.version !== 1) return refuse("its version is not 1");
  if (!isList(value.accepted)) return refuse('it has no list "accepted"');
  return value.accepted.map((item, index) => acceptance(item) ?? refuse(`item ${index + 1} is incomplete`));
}

/** Writes the accepted differences, sorted by place so that commits stay small. */
export async function writeAccepted(home: string, accepted: readonly Acceptance[]): Promise<void> {
  const key = ({ host, address, path }: Acceptance): string => JSON.stringify([host, address, path]);
  const sorted = [...accepted].sort((left, right) => (key(left) < key(right) ? -1 : 1));
  const plain = sorted.map((one) => Object.fromEntries(NAMES.map((name) => [name, one[name]])));
  // The file is committed like the configuration, so it is readable for others.
  await saveFile(join(home, ACCEPTED_FILE), prettyJson({ version: 1, accepted: plain }), home, 0o644);
}

/** The day of a moment, in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function acceptance(item: Json): Acceptance | undefined {
  if (!isFields(item) || Object.keys(item).length !== NAMES.length) return undefined;
  const [host, address, path, fingerprint, until, because] = NAMES.map((name) => textOf(item, name));
  if (host === undefined || address === undefined || path === undefined || fingerprint === undefined) return undefined;
  if (until === undefined || because === undefined || !isDay(until)) return undefined;
  return { host, address, path, fingerprint, until, because };
}

function textOf(item: Fields, name: string): string | undefined {
  const value = item[name];
  return typeof value === "string" ? value : undefined;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
