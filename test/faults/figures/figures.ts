/**
 * Figures of the fault tests: printed by every run, and with RECORD_FIGURES=1 appended to records.jsonl, from which
 * docs/safety-figures.md is written. Nobody edits either by hand.
 */

import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderPage } from "./page.ts";
import type { Figures, FiguresRecord } from "./record.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const RECORDS = join(import.meta.dirname, "records.jsonl");

/** The page that is written from the records. */
export const PAGE: string = join(root, "docs", "safety-figures.md");

/** Prints the figures of a part that began at this time of `performance.now()`, and records them if that is asked for. */
export function reportFigures(figures: Figures, began: number): void {
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const { part, runs, violations, details = {} } = figures;
  const more = Object.entries(details).map(([name, count]) => `${name} ${count}`);
  const texts = [`${part}: ${runs}`, ...more, `violations ${violations}`, `${seconds} s`];
  process.stdout.write(`FIGURES ${texts.join(", ")}\n`);
  if (process.env.RECORD_FIGURES !== "1") return;
  const seed = Number(process.env.CAMPAIGN_SEED ?? 1);
  const record: FiguresRecord = { ...figures, seconds, seed, at: new Date().toISOString(), commit: commit() };
  appendFileSync(RECORDS, `${JSON.stringify(record)}\n`);
  writeFileSync(PAGE, renderPage(readRecords()));
}

/** All records, the oldest first. */
export function readRecords(): readonly FiguresRecord[] {
  const lines = readFileSync(RECORDS, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line): FiguresRecord => JSON.parse(line));
}

function commit(): string {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const hasChanges = git("status", "--porcelain", "--", "src") !== "";
  return `${git("log", "-1", "--abbrev=8", "--format=%h", "--", "src")}${hasChanges ? "+" : ""}`;
}
