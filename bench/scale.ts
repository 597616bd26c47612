/** Cost by size: time and memory of `validate` and `plan`, compared with a client that only reads the same addresses. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./goals.ts";
import {
  type Command,
  helperProgram,
  inTemporary,
  program,
  run,
  runCounted,
  type Service,
  serve,
} from "./processes.ts";
import { profiledStages, type StageTimes } from "./stages.ts";
import { median } from "./statistics.ts";
import { type Counted, countedBy, environmentOf, sumOf, UNLIMITED, writeGenerated } from "./workspaces.ts";

/** Cost of one size. Times in milliseconds, memory in bytes. */
export interface Cost {
  readonly entries: number;
  readonly validate: Spent;
  readonly plan: Spent;
  /** The client that only reads, with `fetch` as the program does. */
  readonly floor: Spent;
  /** Median ratios of `plan` to that client and to the leanest one, run directly after each other. */
  readonly overFloor: number;
  readonly overLeanest: number;
  /** Requests of the plan, and of reading each list once. */
  readonly requests: number;
  readonly least: number;
  readonly stages: StageTimes;
}

/** Cost of a run. */
export interface Spent {
  readonly wall: number;
  readonly processor: number;
  readonly peak: number;
}

/** Results for all sizes. */
export interface Scale {
  readonly costs: readonly Cost[];
  readonly measured: readonly Measured[];
}

/** The sizes, and the number of alternating runs of plan and reading client. */
const SIZES: readonly (readonly [entries: number, rounds: number])[] = [
  [1000, 7],
  [5000, 3],
  [10_000, 5],
  [20_000, 3],
  [50_000, 3],
];
/** Timeout of one run of the largest size, in milliseconds. */
const LIMIT = 300_000;
const KEYS = [10_000, 50_000] as const;

/** Measures all sizes. */
export async function measureScale(): Promise<Scale> {
  const costs: Cost[] = [];
  for (const [entries, rounds] of SIZES) {
    console.error(`  ${entries} entries`);
    costs.push(await costOf(entries, rounds));
  }
  const at = (entries: number) => costs.find((cost) => cost.entries === entries);
  const named = [at(1000), at(10_000), at(50_000)];
  const [, ten, fifty] = named;
  const growth = ten && fifty && fifty.plan.processor / ten.plan.processor;
  const [few = 1, many = 0] = KEYS.map(processorOfKeys);
  const requests = costs.map((cost) => cost.requests / cost.least);
  return {
    costs,
    measured: [
      { id: "P5", values: named.map((cost) => cost?.overFloor) },
      { id: "P6", values: [growth, many / few] },
      { id: "P9", values: [Math.max(...requests)] },
      { id: "P13", values: [...named.map((cost) => cost && cost.plan.peak / 2 ** 20), await peakOfNew(10_000)] },
    ],
  };
}

function costOf(entries: number, rounds: number): Promise<Cost> {
  return inTemporary(async (folder) => {
    const changed = String(entries / 100);
    const service = await serve("remember.mjs", ["--entries", String(entries), "--changed", changed]);
    try {
      const configuration = join(folder, "workspace");
      writeGenerated(configuration, { entries, url: service.info.url ?? "" });
      const plan = planOf(configuration, service);
      run(plan);
      await countedBy(service);
      const planned = runCounted(plan);
      const { requests } = await countedBy(service);
      const addresses = addressesOf(folder, requests, service);
      const floor = { args: [helperProgram("floor.mjs"), "fetch", addresses] };
      const leanest = { args: [helperProgram("floor.mjs"), "http", addresses] };
      const walls = Array.from({ length: rounds }, () => ({
        leanest: run(leanest).wall,
        floor: run(floor).wall,
        plan: run(plan).wall,
      }));
      return {
        entries,
        validate: runCounted({ args: [program, "validate", configuration] }),
        plan: { ...planned, wall: median(walls.map((round) => round.plan)) },
        floor: { ...runCounted(floor), wall: median(walls.map((round) => round.floor)) },
        overFloor: median(walls.map((round) => round.plan / round.floor)),
        overLeanest: median(walls.map((round) => round.plan / round.leanest)),
        requests: sumOf(requests),
        least: Number(service.info.least),
        stages: profiledStages(plan),
      };
    } finally {
      await service.close();
    }
  });
}

/** Peak memory of the plan that creates every resource, in MiB. */
function peakOfNew(entries: number): Promise<number> {
  return inTemporary(async (folder) => {
    const service = await serve("remember.mjs", ["--bare"]);
    try {
      writeGenerated(folder, { entries, url: service.info.url ?? "" });
      return runCounted(planOf(folder, service)).peak / 2 ** 20;
    } finally {
      await service.close();
    }
  });
}

/** The command that plans a generated workspace. */
function planOf(configuration: string, service: Service): Command {
  return { args: [program, "plan", ...UNLIMITED, configuration], env: environmentOf(service), limit: LIMIT };
}

/** Writes the addresses to read to a file. */
function addressesOf(folder: string, counted: readonly Counted[], { info: said }: Service): string {
  const file = join(folder, "addresses.json");
  const read = counted.filter(({ method }) => method === "GET");
  writeFileSync(file, JSON.stringify(read.map(({ url, token }) => ({ url: `${said.url}${url}`, token }))));
  return file;
}

/** Processor time of `validate` for a mapping with this many keys, with any exit code, since there may be more than the limit. */
function processorOfKeys(keys: number): number {
  return inTemporary((folder) => {
    writeGenerated(folder, { entries: 1000, keys });
    return runCounted({ args: [program, "validate", folder], expected: [0, 1] }).processor;
  });
}
