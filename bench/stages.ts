/** Where the time of a plan goes: a profile of the program, each sample counted for the stage whose code was at work. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beside, type Command, inTemporary, run } from "./processes.ts";

/** The stages, in the order in which a plan goes through them. */
export const STAGES = [
  "parsing",
  "configuration",
  "requests",
  "matching",
  "diff",
  "order",
  "report",
  "garbage collection",
  "rest",
] as const;

/** One of them. */
export type Stage = (typeof STAGES)[number];

/** Milliseconds of processor time for each stage. */
export type StageTimes = Readonly<Record<Stage, number>>;

/** The stage of a file by its path below the folder of the program; the first that fits. */
const PLACES: readonly (readonly [RegExp, Stage])[] = [
  [/^config\/source\//, "parsing"],
  [/^(?:config\/|validators\.cjs|analyze\/)/, "configuration"],
  [/^(?:api\/|refresh\/)/, "requests"],
  [/^match\//, "matching"],
  [/^plan\/(?:order|ranked|checks)\//, "order"],
  [/^plan\//, "diff"],
  [/^(?:report\/|output\/)/, "report"],
];

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** Runs a command of the program once more, module by module and watched. */
export function profiledStages({ args: [, ...words], ...command }: Command): StageTimes {
  return inTemporary((folder) => {
    const watching = ["--cpu-prof", "--cpu-prof-interval", "500", "--cpu-prof-dir", folder];
    run({ ...command, args: [...watching, beside("unbundled.mjs"), ...words] });
    const [file = ""] = readdirSync(folder);
    return stagesOf(JSON.parse(readFileSync(join(folder, file), "utf8")));
  });
}

/** Adds the samples up. What is at work for a stage without being of it, such as a package, counts for the one that called it. */
export function stagesOf({ nodes, samples, timeDeltas }: Profile): StageTimes {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const own = new Map(nodes.map(({ id, callFrame }) => [id, ownStage(callFrame)]));
  const idle = new Set(nodes.flatMap(({ id, callFrame }) => (callFrame.functionName === "(idle)" ? [id] : [])));
  const times = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  for (const [index, sample] of samples.entries()) {
    if (idle.has(sample)) continue;
    let stage = own.get(sample);
    for (let at = parents.get(sample); stage === undefined && at !== undefined; at = parents.get(at))
      stage = own.get(at);
    times[stage ?? "rest"] += (timeDeltas[index] ?? 0) / 1000;
  }
  return times;
}

function ownStage({ functionName, url }: Profile["nodes"][number]["callFrame"]): Stage | undefined {
  if (functionName === "(garbage collector)") return "garbage collection";
  if (/^node:(?:internal\/(?:deps\/undici|streams|stream_base)|_?https?|net|zlib|stream)/.test(url)) return "requests";
  const path = /\/dist\/(.*)$/.exec(url)?.[1] ?? "";
  return PLACES.find(([pattern]) => pattern.test(path))?.[1];
}
