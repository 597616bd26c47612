/** Cost of the emulator: its start, a large workspace, simple requests, and many incidents. */

import type { Measured } from "./goals.ts";
import { endOf, firstLine, helperProgram, run, serve, startProgram } from "./processes.ts";
import { median } from "./statistics.ts";

const ENTRIES = "10000";

/** Measures the time from start to first response in N, the import of a workspace, the request rate, and the size of its files after 50,000 writes. */
export async function measureEmulator(rounds: number): Promise<Measured> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const empty = run({ args: ["-e", "0"] }).wall;
    ratios.push((await firstAnswer()) / empty);
  }
  const service = await serve("remember.mjs", ["--entries", ENTRIES]);
  const filled = Number(service.info.filled) / 1000;
  await service.close();
  const { emulator, "bare node:http": bare } = JSON.parse(run({ args: [helperProgram("answering.mjs"), "2"] }).stdout);
  const { running, stopped } = JSON.parse(run({ args: [helperProgram("writing.mjs")] }).stdout);
  return {
    id: "P15",
    values: [median(ratios), filled, emulator.rate, Number(emulator.p99), running / stopped],
    beside: `a bare \`node:http\` handler of the same bytes: ${Math.round(bare.rate)} requests a second`,
  };
}

/** Measures how much longer requests take with many incidents than with few. */
export function measureManyIncidents(): Measured {
  const { stdout } = run({ args: [helperProgram("incidents.mjs")] });
  const { "first page": page, declare, ...filters }: Record<string, number> = JSON.parse(stdout);
  const [slowest = "none", filter] = Object.entries(filters).sort(([, one], [, other]) => other - one)[0] ?? [];
  return { id: "P17", values: [page, filter, declare], beside: `the slowest filter: ${slowest}` };
}

/** Milliseconds from the start of `incidentctl emulator` to its first response. */
async function firstAnswer(): Promise<number> {
  const started = performance.now();
  const child = startProgram(["emulator"]);
  const ended = endOf(child);
  try {
    const said = await Promise.race([firstLine(child), ended.then(() => "")]);
    const url = /INCIDENTCTL_URL=(\S+)/.exec(said)?.[1];
    if (url === undefined) throw new Error(`the emulator said no address, but "${said}"`);
    const answer = await fetch(`${url}/api/v1/severities`);
    await answer.text();
    return performance.now() - started;
  } finally {
    child.kill();
    await ended;
  }
}
