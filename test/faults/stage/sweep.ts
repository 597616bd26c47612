/** A case is a scenario, a seed and what goes wrong where; it is played, judged, and can be played again from one line of text. */

import { judgeCommand, judgeEnd, judgeIntent, SPARED, type Violation, Watch } from "../checks/invariants.ts";
import type { Injection } from "../injection/connection.ts";
import { faultNamed, faults } from "../injection/fault.ts";
import { pick, type Random, randomFrom } from "./random.ts";
import { exampleWorkspace, type Scenario, scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";

/** One run to be made. */
export interface Case {
  readonly scenario: number;
  readonly seed: number;
  /** Faults of the first command. */
  readonly first: readonly Injection[];
  /** Faults of the commands that recover, one list for each. */
  readonly recovery: readonly (readonly Injection[])[];
  /** When the first command ends well, it is enough: what read again it need not do once more. */
  readonly brief?: true;
}

/** What became of a case. */
export interface Judged {
  readonly violations: readonly Violation[];
  /** Exit codes, the disturbed commands first. */
  readonly exits: readonly number[];
}

/** After the last fault so many commands must be enough. */
const MORE_COMMANDS = 2;
/** As an unattended job would: not at once. */
const UNTIL_THE_NEXT = 150_000;

/** Plays a case and judges it. */
export async function playCase(stage: Stage, { seed, first, recovery, brief }: Case): Promise<Judged> {
  const violations: Violation[] = [];
  const exits: number[] = [];
  let said = "";
  const watched: { watch?: Watch } = {};
  const play = stage.play(seed, {
    leaving: (sent) => {
      if (stage.disk !== undefined) violations.push(...judgeIntent(stage.disk, sent));
    },
    done: (sent) => watched.watch?.look(sent),
  });
  const watch = new Watch(stage);
  watched.watch = watch;
  const command = async (injections: readonly Injection[]) => {
    try {
      const ran = await play.apply(injections);
      exits.push(ran.exit);
      violations.push(...judgeCommand(stage, play, ran, said));
      said += ran.stdout + ran.stderr;
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
  const enough = brief === true && exits.at(-1) === 0 && !SPARED.test(said);
  for (let more = enough ? 1 : 0; more < MORE_COMMANDS && (more === 0 || exits.at(-1) !== 0); more++) await command([]);
  if (exits.at(-1) !== 0)
    violations.push({ invariant: "I5", what: `it does not recover: exit codes ${exits.join(", ")}` });
  else violations.push(...judgeEnd(stage, said));
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

/** Two or three faults at once, and others while it recovers. */
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

/** A line that says everything there is to know about a case. */
export function replayLine({ scenario, seed, first, recovery }: Case): string {
  const told = (injections: readonly Injection[]) => {
    return injections.map(({ fault, request }) => `${fault.name}@${request}`).join("+");
  };
  return `REPLAY seed=${seed} scenario=${scenario} fault=${[first, ...recovery].map(told).join("/")}`;
}

/** Reads such a line. Throws when it is none. */
export function readReplay(line: string): Case {
  const match = /seed=(\d+) scenario=(\d+) fault=(.*)$/.exec(line);
  if (match === null)
    throw new Error(`${JSON.stringify(line)} is no line like REPLAY seed=1 scenario=12 fault=500, done@7`);
  const [, seed = "", scenario = "", told = ""] = match;
  const [first = [], ...recovery] = told.split("/").map((part) =>
    part.split("+").map((one): Injection => {
      const at = one.lastIndexOf("@");
      return { fault: faultNamed(one.slice(0, at)), request: Number(one.slice(at + 1)) };
    }),
  );
  return { seed: Number(seed), scenario: Number(scenario), first, recovery };
}

/** The scenario of this number. A seed determines the random one. */
export function scenarioOf(number: number, seed: number): Scenario {
  const found = [...scenarios(seed), exampleWorkspace].find((scenario) => scenario.number === number);
  if (found === undefined) throw new Error(`there is no scenario ${number}`);
  return found;
}

/** How the runs of a sweep ended. */
export interface Tally {
  runs: number;
  /** The first command ended well in spite of the fault. */
  absorbed: number;
  /** A later one finished what the first had begun. */
  recovered: number;
  /** Replay lines with what does not hold. */
  readonly failures: string[];
}

/** Opens a scenario, plays what is chosen of its cases, and counts. */
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

/** An empty count. */
export function newTally(): Tally {
  return { runs: 0, absorbed: 0, recovered: 0, failures: [] };
}

/** Prints the figures of a sweep that began at this moment of `performance.now()`. */
export function printFigures(what: string, { runs, absorbed, recovered, failures }: Tally, began: number): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const parts = [
    `${runs} ${what}`,
    `${absorbed} ended well at once`,
    `${recovered} were finished by the next run`,
    `${failures.length} violations`,
    `${seconds} s`,
  ];
  process.stdout.write(`FIGURES ${parts.join(", ")}\n`);
}
