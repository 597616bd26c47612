/** What a start takes, as ratios to `node -e 0`: of this program, and of the others. */

import { join } from "node:path";
import type { Measured } from "./goals.ts";
import type { Peer } from "./peers.ts";
import { type Command, inTemporary, program, run, runCounted, serve, type Usage } from "./processes.ts";
import { median } from "./statistics.ts";
import { environmentOf, writeTwenty } from "./workspaces.ts";

/** A program's time, over that of an empty one that was started right before it. */
export interface Started {
  readonly name: string;
  readonly version: string;
  /** `--version` and `--help`, in N. */
  readonly telling: number;
  readonly helping: number;
}

/** What was found of starts. */
export interface Starts {
  /** Milliseconds of `node -e 0`. */
  readonly unit: number;
  readonly measured: readonly Measured[];
  /** What the plan of twenty entries used. */
  readonly plan: Usage;
  readonly others: readonly Started[];
}

const EMPTY: Command = { args: ["-e", "0"] };

/** Measures every start: pairs with an empty program in turn, and the median of their ratios. */
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
        { id: "P4", values: [ratio.plan] },
      ];
      return { unit: median(units), measured, plan: runCounted(plan), others };
    } finally {
      await service.close();
    }
  });
}

/** The median ratio of each command to an empty program that is run right before it. The first round warms up and is not counted. */
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
