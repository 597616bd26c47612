/** Start times of this program and others, as ratios to `node -e 0`. */

import { join } from "node:path";
import type { Measured } from "./goals.ts";
import type { Peer } from "./peers.ts";
import { type Command, inTemporary, program, run, runCounted, serve, type Usage } from "./processes.ts";
import { median } from "./statistics.ts";
import { environmentOf, writeTwenty } from "./workspaces.ts";

/** Start times of a program, relative to an empty one started directly before. */
export interface Started {
  readonly name: string;
  readonly version: string;
  /** `--version` and `--help`, in N. */
  readonly telling: number;
  readonly helping: number;
}

/** Results for starts. */
export interface Starts {
  /** Milliseconds of `node -e 0`. */
  readonly unit: number;
  readonly measured: readonly Measured[];
  /** Resource usage of the plan of twenty resources. */
  readonly plan: Usage;
  readonly others: readonly Started[];
}

const EMPTY: Command = { args: ["-e", "0"] };

/** Measures all starts, each paired with an empty program, as the median of the ratios. */
export async function measureStarts(peers: readonly Peer[], rounds: number): Promise<Starts> {
  return inTemporary(async (folder) => {
    const twenty = join(folder, "twenty");
    const service = await serve("remember.mjs", ["--bare"]);
    try {
      const env = environmentOf(service);
      writeTwenty(twenty, "Decides.");
      run({ args: [program, "apply", "--yes", twenty], env });
      writeTwenty(twenty, "Decides and types nothing.");
      const plan = { args: [program, "plan", twenty], env };
      const own = {
        version: { args: [program, "--version"] },
        help: { args: [program, "--help"] },
        helpOfPlan: { args: [program, "plan", "--help"] },
        validate: { args: [program, "validate", twenty] },
        plan,
        planEmbedded: { args: [program, "plan", "--emulator", twenty] },
      };
      const units: number[] = [];
      const ratio = alternating(own, rounds, units);
      const others = peers.map(({ name, version, telling, helping }): Started => {
        const found = alternating({ telling, helping }, Math.ceil(rounds / 3), units);
        return { name, version, ...found };
      });
      const measured = [
        { id: "P1", values: [ratio.version] },
        { id: "P2", values: [ratio.help, ratio.helpOfPlan] },
        { id: "P3", values: [ratio.validate] },
        { id: "P4", values: [ratio.plan, ratio.planEmbedded] },
      ];
      return { unit: median(units), measured, plan: runCounted(plan), others };
    } finally {
      await service.close();
    }
  });
}

/** The median ratio of each command to an empty program run directly before it. The first round is a warm-up and does not count. */
function alternating<Name extends string>(
  commands: Readonly<Record<Name, Command>>,
  rounds: number,
  units: number[],
): Record<Name, number> {
  const names = Object.keys(commands) as Name[];
  const ratios = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const empty = run(EMPTY).wall;
      const { wall } = run(commands[name]);
      if (round === 0) continue;
      units.push(empty);
      ratios.get(name)?.push(wall / empty);
    }
  }
  return Object.fromEntries([...ratios].map(([name, values]) => [name, median(values)])) as Record<Name, number>;
}
