/** The record of what runs have applied of the branch. It travels with the journals from run to run. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsIn, parseJson, textIn, textsIn } from "../../../core/json.ts";
import { prettyJson } from "../../../view/format/json.ts";

/** How far a unit has come. */
export interface ApplyRecord {
  /** Whatever was merged up to this commit is applied. */
  readonly through?: string;
  /** Later commits whose reviewed plans are applied. A plan is applied once. */
  readonly applied: readonly string[];
}

/** The record of a unit in its `.incidentctl`; an empty one if there is none. */
export function readRecord(home: string, unit: string): ApplyRecord {
  const path = pathOf(home, unit);
  const { through, applied } = fieldsIn(existsSync(path) ? parseJson(readFileSync(path, "utf8")) : undefined);
  const commit = textIn(through) ?? "";
  return { ...(isCommit(commit) ? { through: commit } : {}), applied: textsIn(applied).filter(isCommit) };
}

/** Replaces the record of a unit. */
export function writeRecord(home: string, unit: string, { through, applied }: ApplyRecord): void {
  mkdirSync(join(home, "journals"), { recursive: true, mode: 0o700 });
  const text = prettyJson({ ...(through === undefined ? {} : { through }), applied });
  writeFileSync(pathOf(home, unit), text, { mode: 0o600 });
}

/** It lies among the journals, which artifacts and caches keep. */
function pathOf(home: string, unit: string): string {
  return join(home, "journals", `merged.${unit}.json`);
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}
