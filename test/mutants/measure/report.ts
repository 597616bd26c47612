/** The result of a measurement, for people. */

import type { Planted } from "./instrumented.ts";
import type { Found, Verdict } from "./ledger.ts";

/** Prints who lives, and the share that was noticed file by file. Returns the share of all. */
export function printReport(found: ReadonlyMap<Planted, Found>): number {
  const living = [...found].filter(([, { verdict }]) => verdict === "alive" || verdict === "unreached");
  for (const [{ file, line, column, original, replacement }, { verdict }] of living.sort(byPlace)) {
    console.log(`${verdict.padEnd(9)} ${file}:${line}:${column}  ${short(original)}  →  ${short(replacement)}`);
  }
  const files = [...new Set([...found.keys()].map(({ file }) => file))].sort();
  console.log(row("", ["mutants", "noticed", "endless", "alive", "unreached", "share"]));
  for (const file of files) {
    const verdicts = [...found].flatMap(([mutant, { verdict }]) => (mutant.file === file ? [verdict] : []));
    console.log(row(file, counted(verdicts)));
  }
  const verdicts = [...found.values()].map(({ verdict }) => verdict);
  console.log(row("all", counted(verdicts)));
  const loading = count(verdicts, "loading");
  console.log(`Left out: ${loading} mutants that only the loading of the program comes by.`);
  return share(verdicts);
}

function counted(verdicts: readonly Verdict[]): readonly string[] {
  const numbers = (["noticed", "endless", "alive", "unreached"] as const).map((verdict) => count(verdicts, verdict));
  const sum = numbers.reduce((total, number) => total + number, 0);
  return [...[sum, ...numbers].map(String), `${(share(verdicts) * 100).toFixed(1)} %`];
}

/** 1 where there is nothing to notice. */
function share(verdicts: readonly Verdict[]): number {
  const told = verdicts.filter((verdict) => verdict !== "loading");
  return told.length === 0 ? 1 : (count(told, "noticed") + count(told, "endless")) / told.length;
}

function count(verdicts: readonly Verdict[], wanted: Verdict): number {
  return verdicts.filter((verdict) => verdict === wanted).length;
}

function byPlace([one]: readonly [Planted, Found], [other]: readonly [Planted, Found]): number {
  return one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column;
}

function row(first: string, cells: readonly string[]): string {
  return [first.padEnd(30), ...cells.map((cell) => cell.padStart(10))].join("");
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-27)}`;
}
