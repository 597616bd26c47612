/** Time of the stages of a plan, from a profile whose samples count for the stage of the running code. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, helperProgram, inTemporary, run } from "./processes.ts";

/** The stages of a plan, in order. */
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

/** A stage of a plan. */
export type Stage = (typeof STAGES)[number];

/** Processor time of each stage in milliseconds. */
export type StageTimes = Readonly<Record<Stage, number>>;

/** Stages by the path of a file below build/ or dist/. The first match counts. */
const PLACES: readonly (readonly [RegExp, Stage])[] = [
  [/^config\/source\//, "parsing"],
  [/^(?:config\/|validators\.cjs|plan\/analyze\/)/, "configuration"],
  [/^(?:service\/|workspace\/read\/)/, "requests"],
  [/^workspace\/match\//, "matching"],
  [/^plan\/(?:order|ranked|checks)\//, "order"],
  [/^plan\//, "diff"],
  [/^(?:view\/|app\/console\/)/, "report"],
];

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/** Runs a command of the unbundled program with a profiler. */
export function profiledStages({ args: [, ...words], ...command }: Command): StageTimes {
  return inTemporary((folder) => {
    const watching = ["--cpu-prof", "--cpu-prof-interval", "500", "--cpu-prof-dir", folder];
    run({ ...command, args: [...watching, helperProgram("unbundled.mjs"), ...words] });
    const [file = ""] = readdirSync(folder);
    return stagesOf(JSON.parse(readFileSync(join(folder, file), "utf8")));
  });
}

/** Sums the samples by stage. Code without a stage, such as a package, counts for the stage that called it. */
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
  const path = /\/(?:build|dist)\/(.*)$/.exec(url)?.[1] ?? "";
  return PLACES.find(([pattern]) => pattern.test(path))?.[1];
}
