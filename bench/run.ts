/**
 * The program behind `npm run bench`: measures everything, side by side in one run, and prints it.
 *
 *     npm run bench                   prints the tables
 *     npm run bench -- --guard        and ends with 1 when something is beyond its gate
 *     npm run bench -- --record       and writes docs/performance.md and its pictures again
 *     npm run bench -- --only start   only some: start, weight, scale, others, writes, emulator, hostile
 *     npm run bench -- --no-peers     without the other programs, which are installed from the registry
 */

import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureEmulator } from "./emulator.ts";
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
  packagesTable,
  stageBars,
  stagesTable,
  startsTable,
  weightsTable,
  withPart,
} from "./page.ts";
import { installPeers } from "./peers.ts";
import { root } from "./processes.ts";
import { measureScale } from "./scale.ts";
import { measureStarts } from "./start.ts";
import { measureWeights } from "./weight.ts";
import { measureWrites } from "./writes.ts";

const SECTIONS = ["start", "weight", "scale", "others", "writes", "emulator", "hostile"] as const;
const PAGE = join(root, "docs", "performance.md");
const ROUNDS = 15;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      guard: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      "no-peers": { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const wanted = (section: (typeof SECTIONS)[number]): boolean =>
    values.only.length === 0 || values.only.includes(section);
  if (values.record && (values.only.length > 0 || values["no-peers"])) {
    console.error("--record takes everything: without --only and --no-peers.");
    return 64;
  }
  const parts = new Map<string, string>();
  const measured: Measured[] = [];
  const installed = values["no-peers"] ? { peers: [], missing: [] } : installPeers();
  for (const reason of installed.missing) console.error(`Not installed here: ${reason}`);
  const since = performance.now();
  const [load = 0] = loadavg();
  const told = (what: string): void => console.error(`${((performance.now() - since) / 1000).toFixed(0)} s: ${what}`);

  told("starts");
  const starts = await measureStarts(wanted("start") ? installed.peers : [], wanted("start") ? ROUNDS : 3);
  measured.push(...starts.measured);
  parts.set("machine", machineLine(starts.unit, new Date(), load));
  const [version, help] = ["P1", "P2"].map((id) => starts.measured.find((each) => each.id === id)?.values[0] ?? 0);
  const own = { name: "incidentctl", version: ownVersion(), telling: version ?? 0, helping: help ?? 0 };
  parts.set("starts", markdownTable(startsTable(own, starts.others)));
  if (wanted("weight")) {
    told("weight");
    const weights = measureWeights(installed.peers);
    measured.push(...weights.measured);
    parts.set("weight", markdownTable(weightsTable(weights.weights)));
    parts.set("packages", markdownTable(packagesTable(weights.own)));
  }
  const pictures = new Map<string, string>();
  if (wanted("scale") || wanted("others")) {
    told("sizes");
    const { costs, measured: found } = await measureScale();
    measured.push(...found);
    const [size, stages] = ["performance-size.svg", "performance-stages.svg"] as const;
    const curves = `![Processor time and memory against the number of entries](${size})`;
    const bars = `![Stages of a plan at each size](${stages})`;
    parts.set("costs", `${curves}\n\n${markdownTable(costsTable(costs))}`);
    parts.set("stages", `${bars}\n\n${markdownTable(stagesTable(costs))}`);
    pictures.set(size, costCurves(costs)).set(stages, stageBars(costs));
    if (wanted("others")) {
      told("plans of others");
      const peer = installed.peers.find(({ name }) => name === "auth0-deploy-cli");
      const compared = await comparePlans(starts, costs, peer);
      measured.push(...compared.measured);
      parts.set("plans", markdownTable(comparisonsTable(compared.comparisons)));
    }
  }
  if (wanted("writes")) {
    told("writes");
    measured.push(...(await measureWrites()));
  }
  if (wanted("emulator")) {
    told("emulator");
    measured.push(await measureEmulator(5));
  }
  if (wanted("hostile")) {
    told("hostile input");
    measured.push(measureHostile(starts.unit));
  }
  parts.set("goals", markdownTable(goalsTable(measured)));
  told("done");
  for (const text of parts.values()) console.log(`${text}\n`);
  if (values.record) record(parts, pictures);
  return values.guard ? guarded(measured) : 0;
}

/** Writes what was measured into the page. */
function record(parts: ReadonlyMap<string, string>, pictures: ReadonlyMap<string, string>): void {
  let page = readFileSync(PAGE, "utf8");
  for (const [name, text] of parts) page = withPart(page, name, text);
  writeFileSync(PAGE, page);
  for (const [name, drawing] of pictures) writeFileSync(join(root, "docs", name), drawing);
}

/** 1 when a number is beyond its gate. */
function guarded(measured: readonly Measured[]): number {
  const red = measured.filter((found) => verdictOf(found) === "red");
  for (const { id } of red) console.error(`${id} is beyond its gate.`);
  return red.length === 0 ? 0 : 1;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return version;
}

process.exitCode = await main();
