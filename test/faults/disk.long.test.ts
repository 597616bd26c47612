import { afterAll, describe, expect, test } from "vitest";
import type { DiskFaults } from "../support/memory-disk.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import { judgeCommand, judgeEnd, judgeIntent, type Violation } from "./checks/invariants.ts";
import { reportFigures } from "./figures/figures.ts";
import { randomFrom, sample } from "./stage/random.ts";
import { KILLED, Stage } from "./stage/stage.ts";
import { scenarioOf } from "./stage/sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_FAULTS !== undefined;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
const SCENARIOS = [4, 7, 12, 14, 16, 17, 18];
const UNTIL_THE_NEXT = 150_000;

let runs = 0;
let violations = 0;
const began = performance.now();

afterAll(() => reportFigures({ part: "bad disks", runs, violations }, began));

/** A disk failure, and the state of the disk before the next run. */
interface Trouble {
  readonly name: string;
  readonly faults: DiskFaults;
  /** The process stops at the call that `faults.before` selects. */
  readonly death?: Promise<void>;
  readonly powerCut?: true;
}

async function play(stage: Stage, { faults, death, powerCut }: Trouble): Promise<readonly Violation[]> {
  runs += 1;
  const found: Violation[] = [];
  const playing = stage.play(SEED, {
    leaving: (sent) => {
      if (stage.disk !== undefined) found.push(...judgeIntent(stage.disk, sent));
    },
  });
  const { disk } = stage;
  if (disk === undefined) throw new Error("the stage has a real disk");
  disk.faults = faults;
  playing.killed = death;
  const first = await playing.apply();
  if (first.exit !== KILLED) found.push(...judgeCommand(stage, playing, first));
  disk.faults = {};
  playing.killed = undefined;
  if (powerCut === true) disk.cutPower();
  disk.forgetClaims();
  const exits = [first.exit];
  for (let more = 0; more < 2 && (more === 0 || exits.at(-1) !== 0); more++) {
    await playing.timeline.sleep(UNTIL_THE_NEXT);
    const ran = await playing.apply();
    exits.push(ran.exit);
    found.push(...judgeCommand(stage, playing, ran));
  }
  if (exits.at(-1) !== 0) return [...found, { invariant: "I5", what: `exit codes ${exits.join(", ")}` }];
  return [...found, ...judgeEnd(stage, "")];
}

/** A process that stops right before the call with this number. */
function deathAt(call: number, powerCut: boolean): Trouble {
  let die = (): void => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const before = ({ number }: { readonly number: number }): Promise<void> | undefined => {
    if (number < call) return undefined;
    die();
    return new Promise(() => {});
  };
  const name = `death before call ${call}${powerCut ? ", power cut" : ""}`;
  return { name, faults: { before }, death, ...(powerCut ? { powerCut } : {}) };
}

/** Every disk failure at every call of the scenario's undisturbed run. */
async function troubles(stage: Stage): Promise<readonly Trouble[]> {
  const playing = stage.play(SEED);
  await playing.apply();
  const calls = stage.disk?.calls ?? [];
  const bytes = [...(stage.disk?.texts().values() ?? [])].reduce((sum, text) => sum + text.length, 0);
  const numbers = calls.map(({ number }) => number);
  const syncs = calls.filter(({ name }) => name === "sync").map(({ number }) => number);
  return [
    ...numbers.flatMap((number) => [deathAt(number, false), deathAt(number, true)]),
    ...syncs.map((at): Trouble => {
      return { name: `EIO on call ${at}`, faults: { fails: ({ number }) => (number === at ? "EIO" : undefined) } };
    }),
    ...Array.from({ length: Math.floor(bytes / 61) }, (_, index): Trouble => {
      return { name: `full after ${index * 61} bytes`, faults: { capacity: index * 61 } };
    }),
    { name: "chunks of seven bytes", faults: { chunk: 7 } },
  ];
}

const REPLAY = /scenario=(\d+) disk=(.*)$/.exec(process.env.FAULTS_REPLAY ?? "");

if (REPLAY !== null)
  test("the disk failure that FAULTS_REPLAY names", async () => {
    const [, scenario = "", name = ""] = REPLAY ?? [];
    const stage = await Stage.open(scenarioOf(Number(scenario), SEED));
    try {
      const trouble = (await troubles(stage)).find((one) => one.name === name);
      expect(trouble).toBeDefined();
      expect(trouble && (await play(stage, trouble))).toEqual([]);
    } finally {
      await stage.close();
    }
  });

describe.skipIf(process.env.FAULTS_REPLAY !== undefined)(
  "a full or failing disk, a power cut, or a process that stops",
  () => {
    test.each(SCENARIOS)(
      "the next run recovers in scenario %d",
      async (number) => {
        const stage = await Stage.open(scenarioOf(number, SEED));
        const failures: string[] = [];
        try {
          const all = await troubles(stage);
          const chosen = CAMPAIGN ? all : sample(randomFrom(SEED + number), all, sampleSize(28));
          for (const trouble of chosen) {
            for (const { invariant, what } of await play(stage, trouble)) {
              failures.push(`REPLAY seed=${SEED} scenario=${number} disk=${trouble.name} ${invariant}: ${what}`);
            }
          }
        } finally {
          await stage.close();
        }
        violations += failures.length;
        expect(failures).toEqual([]);
      },
      CAMPAIGN ? 3_600_000 : 120_000,
    );
  },
);
