/**
 * The program of `npm run bench`: measures everything in one run and prints the results.
 *
 *     npm run bench                   prints the tables
 *     npm run bench -- --guard        and ends with 1 if a number is beyond its gate
 *     npm run bench -- --record       and updates docs/performance.md and its charts; with Node 22, 24 or 26 only its column
 *     npm run bench -- --only start   only some parts: start, weight, scale, others, writes, emulator, foreign, alerts, hostile
 *     npm run bench -- --no-peers     without other programs, which need the registry
 *
 * A failed part is reported. The others are still measured, and the program ends with 2.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureBase } from "./base.ts";
import { measureEmulator, measureManyIncidents } from "./emulator.ts";
import { measureForeignFiles, measureRecordedAlerts } from "./foreign.ts";
import { type Measured, verdictOf } from "./goals.ts";
import { measureHostile } from "./hostile.ts";
import { comparePlans } from "./others.ts";
import {
  comparisonsTable,
  costCurves,
  costsTable,
  goalsTable,
  machineLine,
  markdownTable,
  NODE_VERSIONS,
  packagesTable,
  stageBars,
  stagesTable,
  startsTable,
  weightsTable,
  withPart,
  withVersion,
} from "./page/page.ts";
import { installPeers, type Peer } from "./peers.ts";
import { root } from "./processes.ts";
import { type Cost, measureScale } from "./scale.ts";
import { measureStarts, type Starts } from "./start.ts";
import { measureWeights } from "./weight.ts";
import { measureWrites } from "./writes.ts";

const PAGE = join(root, "docs", "performance.md");
const ROUNDS = 15;
const [VERSION = ""] = process.versions.node.split(".");
/** Whether all of the page can be recorded, and not only the column of a version of Node. */
const IS_PAGE_VERSION = VERSION === NODE_VERSIONS[0];

/** The results so far: numbers, and the texts and charts of the page by name. */
class Findings {
  readonly measured: Measured[] = [];
  readonly parts = new Map<string, string>();
  readonly pictures = new Map<string, string>();

  async starts(peers: readonly Peer[], rounds: number): Promise<Starts> {
    const starts = await measureStarts(peers, rounds);
    this.measured.push(...starts.measured);
    const [telling = 0, helping = 0] = ["P1", "P2"].map(
      (id) => starts.measured.find((each) => each.id === id)?.values[0] ?? 0,
    );
    const own = { name: "incidentctl", version: ownVersion(), telling, helping };
    this.parts.set("starts", markdownTable(startsTable(own, starts.others)));
    return starts;
  }

  weight(peers: readonly Peer[]): void {
    const { measured, weights, own } = measureWeights(peers);
    this.measured.push(...measured);
    this.parts.set("weight", markdownTable(weightsTable(weights)));
    this.parts.set("packages", markdownTable(packagesTable(own)));
  }

  async scale(): Promise<readonly Cost[]> {
    const { costs, measured } = await measureScale();
    this.measured.push(...measured);
    const [size, stages] = ["performance-size.svg", "performance-stages.svg"] as const;
    const curves = `![Processor time and memory against the number of entries](${size})`;
    const bars = `![Stages of a plan at each size](${stages})`;
    this.parts.set("costs", `${curves}\n\n${markdownTable(costsTable(costs))}`);
    this.parts.set("stages", `${bars}\n\n${markdownTable(stagesTable(costs))}`);
    this.pictures.set(size, costCurves(costs)).set(stages, stageBars(costs));
    return costs;
  }

  async others(starts: Starts, costs: readonly Cost[], peers: readonly Peer[]): Promise<void> {
    const peer = peers.find(({ name }) => name === "auth0-deploy-cli");
    const { measured, comparisons } = await comparePlans(starts, costs, peer);
    this.measured.push(...measured);
    this.parts.set("plans", markdownTable(comparisonsTable(comparisons)));
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      guard: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      "no-peers": { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  if (values.record && (values.only.length > 0 || values["no-peers"])) {
    console.error("--record takes everything: without --only and --no-peers.");
    return 64;
  }
  if (values.record && !NODE_VERSIONS.includes(VERSION)) {
    console.error(`--record takes Node ${NODE_VERSIONS.join(", ")}.`);
    return 64;
  }
  const hasPeers = !values["no-peers"] && (IS_PAGE_VERSION || !values.record);
  const { peers, missing } = hasPeers ? installPeers() : { peers: [], missing: [] };
  for (const reason of missing) console.error(`Not installed here: ${reason}`);
  const [load = 0] = loadavg();
  const since = performance.now();
  const failed: string[] = [];
  const wanted = (name: string): boolean => values.only.length === 0 || values.only.includes(name);
  const measure = async (name: string, work: () => void | Promise<void>): Promise<void> => {
    if (!wanted(name)) return;
    console.error(`${((performance.now() - since) / 1000).toFixed(0)} s: ${name}`);
    try {
      await work();
    } catch (error) {
      failed.push(name);
      console.error(error);
    }
  };

  const found = new Findings();
  // The other parts need N and the plan of twenty resources.
  const starts = wanted("start") ? await found.starts(peers, ROUNDS) : await found.starts([], 3);
  found.parts.set("machine", machineLine(starts.unit, new Date(), load));
  await measure("weight", () => found.weight(peers));
  let costs: readonly Cost[] = [];
  await measure("scale", async () => {
    costs = await found.scale();
  });
  await measure("others", () => found.others(starts, costs, peers));
  await measure("writes", async () => void found.measured.push(...(await measureWrites())));
  await measure("emulator", async () => void found.measured.push(await measureEmulator(5), measureManyIncidents()));
  await measure("foreign", () => void found.measured.push(measureForeignFiles(10_000)));
  await measure("base", async () => void found.measured.push(await measureBase(starts.unit, 10_000, 5)));
  await measure("alerts", () => void found.measured.push(measureRecordedAlerts(100_000)));
  await measure("hostile", () => void found.measured.push(measureHostile(starts.unit)));
  found.parts.set("goals", markdownTable(goalsTable(found.measured)));
  for (const text of found.parts.values()) console.log(`${text}\n`);
  if (values.record) record(found);
  if (failed.length > 0) console.error(`Failed: ${failed.join(", ")}.`);
  const guarded = values.guard ? guard(found.measured) : 0;
  return failed.length > 0 ? 2 : guarded;
}

/** Writes the results to the page. */
function record({ measured, parts, pictures }: Findings): void {
  let page = withVersion(readFileSync(PAGE, "utf8"), VERSION, measured);
  if (!IS_PAGE_VERSION) {
    writeFileSync(PAGE, page);
    return;
  }
  for (const [name, text] of parts) page = withPart(page, name, text);
  writeFileSync(PAGE, page);
  for (const [name, drawing] of pictures) writeFileSync(join(root, "docs", name), drawing);
}

/** 1 if a number is beyond its gate. */
function guard(measured: readonly Measured[]): number {
  const red = measured.filter((found) => verdictOf(found) === "red");
  for (const { id } of red) console.error(`${id} is beyond its gate.`);
  return red.length === 0 ? 0 : 1;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return version;
}

process.exitCode = await main();
