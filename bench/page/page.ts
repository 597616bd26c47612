/** The results as tables in a page of the documentation. */

import { cpus, release, totalmem, type } from "node:os";
import { GOALS, type Goal, goalOf, type Measured, verdictOf } from "../goals.ts";
import type { Comparison } from "../others.ts";
import type { Cost } from "../scale.ts";
import { STAGES } from "../stages.ts";
import type { Started } from "../start.ts";
import type { Weight, Weights } from "../weight.ts";
import { type Bars, type Chart, curves, stacks } from "./plot.ts";

/** A table with its heading. */
type Table = readonly (readonly string[])[];

/** Formats a table as Markdown, with numbers aligned to the right. */
export function markdownTable([heading = [], ...rows]: Table): string {
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  const rule = heading.map((_, at) =>
    rows.every((row) => /^[\d.,\s–-]*\S{0,4}$/.test(row[at] ?? "")) ? "--:" : "---",
  );
  return [`| ${heading.join(" | ")} |`, `| ${rule.join(" | ")} |`, ...lines].join("\n");
}

/** Replaces the part of a page that begins with `<!-- bench: NAME -->`. Throws if the page has no such part. */
export function withPart(page: string, name: string, text: string): string {
  const { from, to } = partOf(page, name);
  return `${page.slice(0, from)}${text}\n${page.slice(to)}`;
}

function partOf(page: string, name: string): { readonly from: number; readonly to: number } {
  const begin = `<!-- bench: ${name} -->\n`;
  const end = "<!-- bench: end -->";
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the page has no part for ${name}`);
  return { from: from + begin.length, to };
}

/** Major versions of Node with a column; the other tables are from the first. */
export const NODE_VERSIONS: readonly string[] = ["20", "22", "24", "26"];

/** Replaces the column of a version of Node in the table that compares them. Throws if the table has no such column. */
export function withVersion(page: string, version: string, measured: readonly Measured[]): string {
  const column = NODE_VERSIONS.indexOf(version);
  if (column < 0) throw new Error(`the page has no column for Node ${version}`);
  const { from, to } = partOf(page, "versions");
  const lines = page.slice(from, to).split("\n");
  const rows = GOALS.filter(({ besidePeer }) => besidePeer !== true).map(({ id }) => {
    const before =
      lines
        .find((line) => line.startsWith(`| ${id} |`))
        ?.slice(2, -2)
        .split(" | ") ?? [];
    const found = measured.find((one) => one.id === id) ?? { id, values: [] };
    return [id, ...NODE_VERSIONS.map((_, at) => (at === column ? values(found) : (before[at + 1] ?? "–")))];
  });
  return withPart(page, "versions", markdownTable([["", ...NODE_VERSIONS.map((known) => `Node ${known}`)], ...rows]));
}

/** The machine, its load at the start, and N in milliseconds. */
export function machineLine(unit: number, at: Date, load: number): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? "processor"}, ${memory} GiB`;
  const day = at.toISOString().slice(0, 10);
  const system = `${type()} ${release()}`;
  const others = `the load average was ${load.toFixed(1)} before`;
  return `Measured on ${day} with Node ${process.versions.node} on ${machine}, ${system}; ${others}, and N was ${unit.toFixed(0)} ms.`;
}

/** A row for each goal. */
export function goalsTable(measured: readonly Measured[]): Table {
  const heading = ["", "What", "Goal", "Red", "Measured", ""];
  const rows = GOALS.map((goal) => {
    const found = measured.find(({ id }) => id === goal.id) ?? { id: goal.id, values: [] };
    const what = found.beside === undefined ? goal.what : `${goal.what} (${found.beside})`;
    return [goal.id, what, limits(goal, "goal"), limits(goal, "gate"), `**${values(found)}**`, verdictOf(found)];
  });
  return [heading, ...rows];
}

/** The values of a measurement with their unit. */
export function values({ id, values: found }: Measured): string {
  const { parts, digits, unit } = goalOf(id);
  const all = parts.map((_, at) => {
    const value = found[at];
    return value === undefined ? "–" : String(Number(value.toFixed(digits)));
  });
  return `${all.join(" / ")}${unit === "" ? "" : ` ${unit}`}`;
}

function limits({ parts, unit }: Goal, which: "goal" | "gate"): string {
  const all = parts.map((part) => part[which]?.toString() ?? "–");
  const sign = parts.every(({ atLeast }) => atLeast === true) ? "≥ " : parts.some(({ atLeast }) => atLeast) ? "" : "≤ ";
  const beyond = which === "gate" ? (sign === "≥ " ? "< " : sign === "≤ " ? "> " : "") : sign;
  return `${beyond}${all.join(" / ")}${unit === "" ? "" : ` ${unit}`}`;
}

/** Start times, this program first. */
export function startsTable(own: Started, others: readonly Started[]): Table {
  const rows = [own, ...others].map(({ name, version, telling, helping }) => [
    `${name} ${version}`,
    number(telling, 1),
    number(helping, 1),
  ]);
  return [["Program", "`--version`, N", "`--help`, N"], ...rows];
}

/** Sizes of installations. */
export function weightsTable(weights: readonly Weight[]): Table {
  const rows = weights.map(({ name, version, packages, bytes, scripts, seconds }) => [
    `${name} ${version}`,
    String(packages),
    number(bytes / 1e6, 1),
    String(scripts),
    seconds === undefined ? "" : number(seconds, 1),
  ]);
  return [["Package", "Packages", "MB", "Install scripts", "Cold installation, s"], ...rows];
}

/** Sizes of the runtime dependencies, the largest first. */
export function packagesTable(own: Weights["own"]): Table {
  const sorted = [...own].sort((one, other) => other.bytes - one.bytes);
  return [
    ["Package", "kB"],
    ...sorted.map(({ name, version, bytes }) => [`${name} ${version}`, number(bytes / 1e3, 0)]),
  ];
}

/** Plans with the same number of resources. */
export function comparisonsTable(comparisons: readonly Comparison[]): Table {
  const heading = ["Entries", "", "Time, s", "Processor, s", "Memory, MiB"];
  const rows = comparisons.flatMap(({ entries, own, other }) =>
    [own, other].map(({ wall, processor, peak }, at) => [
      at === 0 ? entries.toLocaleString("en") : "",
      at === 0 ? "incidentctl `plan`" : "auth0-deploy-cli `import --dry-run`",
      ...[wall / 1000, processor / 1000].map((value) => number(value, 2)),
      number(peak / 2 ** 20, 0),
    ]),
  );
  return [heading, ...rows];
}

/** Cost of each size. */
export function costsTable(costs: readonly Cost[]): Table {
  const heading = [
    "Entries",
    "`validate`: processor, s",
    "memory, MiB",
    "`plan`: time, s",
    "processor, s",
    "memory, MiB",
    "reading only: time, s",
    "plan over it",
    "over the leanest",
    "requests",
  ];
  const rows = costs.map(({ entries, validate, plan, floor, overFloor, overLeanest, requests }) => [
    entries.toLocaleString("en"),
    number(validate.processor / 1000, 2),
    number(validate.peak / 2 ** 20, 0),
    number(plan.wall / 1000, 2),
    number(plan.processor / 1000, 2),
    number(plan.peak / 2 ** 20, 0),
    number(floor.wall / 1000, 2),
    number(overFloor, 2),
    number(overLeanest, 2),
    requests.toLocaleString("en"),
  ]);
  return [heading, ...rows];
}

/** Time of the stages of a plan, in milliseconds per thousand resources. */
export function stagesTable(costs: readonly Cost[]): Table {
  const rows = costs.map(({ entries, stages }) => [
    entries.toLocaleString("en"),
    ...STAGES.map((stage) => number((stages[stage] / entries) * 1000, 1)),
  ]);
  return [["Entries", ...STAGES], ...rows];
}

/** Charts of time and memory by size. */
export function costCurves(costs: readonly Cost[]): string {
  const across = "entries";
  const line = (name: string, value: (cost: Cost) => number) => ({
    name,
    points: costs.map((cost) => [cost.entries, value(cost)] as const),
  });
  const time: Chart = {
    title: "Processor time against size",
    across,
    up: "s",
    series: [
      line("plan", ({ plan }) => plan.processor / 1000),
      line("validate", ({ validate }) => validate.processor / 1000),
      line("reading only", ({ floor }) => floor.processor / 1000),
    ],
  };
  const memory: Chart = {
    title: "Memory at the most against size",
    across,
    up: "MiB",
    series: [
      line("plan", ({ plan }) => plan.peak / 2 ** 20),
      line("validate", ({ validate }) => validate.peak / 2 ** 20),
      line("reading only", ({ floor }) => floor.peak / 2 ** 20),
    ],
  };
  return curves([time, memory]);
}

/** Bars of the stages of a plan: for each size, and per thousand resources. */
export function stageBars(costs: readonly Cost[]): string {
  const of = (title: string, up: string, scale: (cost: Cost) => number): Bars => ({
    title,
    up,
    layers: STAGES,
    bars: costs.map((cost) => ({
      name: `${cost.entries / 1000}k`,
      values: STAGES.map((stage) => cost.stages[stage] * scale(cost)),
    })),
  });
  return stacks([
    of("Stages of a plan", "s", () => 1 / 1000),
    of("The same for each thousand entries", "ms", ({ entries }) => 1000 / entries),
  ]);
}

function number(value: number, digits: number): string {
  return value >= 10_000 ? Math.round(value).toLocaleString("en") : value.toFixed(digits);
}
