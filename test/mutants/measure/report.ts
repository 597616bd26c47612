/** The result of a measurement, for people. */

import type { Planted } from "./instrumented.ts";
import type { Result, Verdict } from "./ledger.ts";

/** Prints the surviving mutants and the share of noticed ones of each file. Returns the share of all files. */
export function printReport(results: ReadonlyMap<Planted, Result>): number {
  const living = [...results].filter(([, { verdict }]) => verdict === "alive" || verdict === "unreached");
  for (const [{ file, line, column, original, replacement }, { verdict }] of living.sort(byPlace)) {
    console.log(`${verdict.padEnd(9)} ${file}:${line}:${column}  ${short(original)}  →  ${short(replacement)}`);
  }
  const files = [...new Set([...results.keys()].map(({ file }) => file))].sort();
  console.log(row("", ["mutants", "noticed", "endless", "alive", "unreached", "share"]));
  for (const file of files) {
    const verdicts = [...results].flatMap(([mutant, { verdict }]) => (mutant.file === file ? [verdict] : []));
    console.log(row(file, counted(verdicts)));
  }
  const verdicts = [...results.values()].map(({ verdict }) => verdict);
  console.log(row("all", counted(verdicts)));
  const loading = count(verdicts, "loading");
  console.log(`Not counted: ${loading} mutants that are reached only while the program is loaded.`);
  return share(verdicts);
}

function counted(verdicts: readonly Verdict[]): readonly string[] {
  const numbers = (["noticed", "endless", "alive", "unreached"] as const).map((verdict) => count(verdicts, verdict));
  const sum = numbers.reduce((total, number) => total + number, 0);
  return [...[sum, ...numbers].map(String), `${(share(verdicts) * 100).toFixed(1)} %`];
}

/** The share of noticed mutants; 1 if there is none. */
function share(verdicts: readonly Verdict[]): number {
  const tried = verdicts.filter((verdict) => verdict !== "loading");
  return tried.length === 0 ? 1 : (count(tried, "noticed") + count(tried, "endless")) / tried.length;
}

function count(verdicts: readonly Verdict[], verdict: Verdict): number {
  return verdicts.filter((one) => one === verdict).length;
}

function byPlace([one]: readonly [Planted, Result], [other]: readonly [Planted, Result]): number {
  return one.file.localeCompare(other.file) || one.line - other.line || one.column - other.column;
}

function row(first: string, cells: readonly string[]): string {
  return [first.padEnd(30), ...cells.map((cell) => cell.padStart(10))].join("");
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-27)}`;
}
