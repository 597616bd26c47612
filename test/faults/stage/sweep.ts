/** Cases: a scenario, a seed and faults at requests. One line of text is enough to repeat a case. */

import { judgeCommand, judgeEnd, judgeIntent, PRESERVED, StateWatch, type Violation } from "../checks/invariants.ts";
import { reportFigures } from "../figures/figures.ts";
import type { Part } from "../figures/record.ts";
import type { Injection } from "../injection/connection.ts";
import { type Fault, faultNamed, faults } from "../injection/fault.ts";
import { pick, type Random, randomFrom } from "./random.ts";
import { exampleWorkspace, type Scenario, scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";

export interface Case {
  readonly scenario: number;
  readonly seed: number;
  /** Faults of the first command. */
  readonly first: readonly Injection[];
  /** Faults of the recovering commands, one list for each. */
  readonly recovery: readonly (readonly Injection[])[];
  /** No verifying run follows if the first command succeeds. */
  readonly brief?: true;
}

/** The result of a case. */
export interface Judged {
  readonly violations: readonly Violation[];
  /** Exit codes, those of the disturbed commands first. */
  readonly exits: readonly number[];
}

/** Commands that must be enough to recover after the last fault. */
const MORE_COMMANDS = 2;
/** Milliseconds between commands, as in a scheduled job. */
const UNTIL_THE_NEXT = 150_000;

/** Runs a case and checks it. */
export async function playCase(stage: Stage, { seed, first, recovery, brief }: Case): Promise<Judged> {
  const violations: Violation[] = [];
  const exits: number[] = [];
  let output = "";
  const watched: { watch?: StateWatch } = {};
  const play = stage.play(seed, {
    leaving: (sent) => {
      if (stage.disk !== undefined) violations.push(...judgeIntent(stage.disk, sent));
    },
    done: (sent) => watched.watch?.look(sent),
  });
  const watch = new StateWatch(stage);
  watched.watch = watch;
  const command = async (injections: readonly Injection[]) => {
    try {
      const ran = await play.apply(injections);
      exits.push(ran.exit);
      violations.push(...judgeCommand(stage, play, ran, output));
      output += ran.stdout + ran.stderr;
    } catch (error) {
      exits.push(-1);
      violations.push({
        invariant: "I11",
        what: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    await play.timeline.sleep(UNTIL_THE_NEXT);
  };
  await command(first);
  for (const injections of recovery) await command(injections);
  const enough = brief === true && exits.at(-1) === 0 && !PRESERVED.test(output);
  for (let more = enough ? 1 : 0; more < MORE_COMMANDS && (more === 0 || exits.at(-1) !== 0); more++) await command([]);
  if (exits.at(-1) !== 0)
    violations.push({ invariant: "I5", what: `it does not recover: exit codes ${exits.join(", ")}` });
  else violations.push(...judgeEnd(stage, output));
  return { violations: [...violations, ...watch.violations], exits };
}

/** Every fault at every request of a scenario's undisturbed run. */
export function everySingle(stage: Stage, seed: number): readonly Case[] {
  const { number } = stage.scenario;
  return stage.undisturbed.sent.flatMap(({ method }, index) =>
    faults
      .filter(({ writes }) => writes !== true || method !== "GET")
      .map((fault, at) => ({
        scenario: number,
        seed,
        first: [{ fault, request: index + 1 }],
        recovery: [],
        ...(method === "GET" && (index + at) % 8 !== 0 ? { brief: true as const } : {}),
      })),
  );
}

/** Two or three faults in the first command, and others during recovery. */
export function severalAtOnce(stage: Stage, seed: number, random: Random, count: number): readonly Case[] {
  const requests = stage.undisturbed.sent.length + 6;
  const some = (most: number): readonly Injection[] => {
    return Array.from({ length: 1 + Math.floor(random() * most) }, () => ({
      fault: pick(random, faults),
      request: 1 + Math.floor(random() * requests),
    }));
  };
  return Array.from({ length: count }, () => ({
    scenario: stage.scenario.number,
    seed,
    first: some(3),
    recovery: Array.from({ length: Math.floor(random() * 3) }, () => some(2)),
  }));
}

/** The line from which a case can be repeated. */
export function replayLine({ scenario, seed, first, recovery }: Case): string {
  const format = (injections: readonly Injection[]) => {
    return injections.map(({ fault, request }) => `${fault.name}@${request}`).join("+");
  };
  return `REPLAY seed=${seed} scenario=${scenario} fault=${[first, ...recovery].map(format).join("/")}`;
}

/** Parses a replay line. Throws if it is invalid, or if there is no fault of a name. */
export function parseReplay(line: string, faultOf: (name: string) => Fault = faultNamed): Case {
  const match = /seed=(\d+) scenario=(\d+) fault=(.*)$/.exec(line);
  if (match === null)
    throw new Error(`${JSON.stringify(line)} is no line like REPLAY seed=1 scenario=12 fault=500, done@7`);
  const [, seed = "", scenario = "", text = ""] = match;
  const [first = [], ...recovery] = text.split("/").map((part) =>
    part.split("+").map((one): Injection => {
      const at = one.lastIndexOf("@");
      return { fault: faultOf(one.slice(0, at)), request: Number(one.slice(at + 1)) };
    }),
  );
  return { seed: Number(seed), scenario: Number(scenario), first, recovery };
}

/** The scenario with this number. The seed determines the random one. */
export function scenarioOf(number: number, seed: number): Scenario {
  const scenario = [...scenarios(seed), exampleWorkspace].find((one) => one.number === number);
  if (scenario === undefined) throw new Error(`there is no scenario ${number}`);
  return scenario;
}

/** Results of a sweep. */
export interface Tally {
  runs: number;
  /** Cases in which the first command succeeded in spite of the fault. */
  absorbed: number;
  /** Cases that a later command finished. */
  recovered: number;
  /** Replay lines with the violated invariants. */
  readonly failures: string[];
}

/** Runs the chosen cases of a scenario and counts the results. */
export async function sweep(
  scenario: Scenario,
  choose: (stage: Stage, random: Random) => readonly Case[],
  seed: number,
  tally: Tally,
): Promise<void> {
  const stage = await Stage.open(scenario);
  try {
    for (const one of choose(stage, randomFrom(seed + scenario.number))) {
      const { violations, exits } = await playCase(stage, one);
      tally.runs += 1;
      if (exits[0] === 0) tally.absorbed += 1;
      else if (violations.length === 0) tally.recovered += 1;
      for (const { invariant, what } of violations) tally.failures.push(`${replayLine(one)} ${invariant}: ${what}`);
    }
  } finally {
    await stage.close();
  }
}

/** Empty results. */
export function newTally(): Tally {
  return { runs: 0, absorbed: 0, recovered: 0, failures: [] };
}

/** Reports the results of a sweep that began at this time of `performance.now()`. */
export function reportTally(part: Part, { runs, absorbed, recovered, failures }: Tally, began: number): void {
  const details = { "succeeded at once": absorbed, "finished by a later run": recovered };
  reportFigures({ part, runs, violations: failures.length, details }, began);
}
