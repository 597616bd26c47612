/** Two runs of the program from two machines against one workspace, taking turns as a schedule says. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import type { Fetch } from "../../../src/core/fetch.ts";
import { judgeCommand, judgeEnd, type Violation } from "../checks/invariants.ts";
import { differences } from "../checks/inventory.ts";
import { CONSENTS, type Ran, SINK, type Stage } from "../stage/stage.ts";
import { Line } from "./connection.ts";

/** Whose turn it is. */
export type Turn = 0 | 1;

/** How long a turn is: until the next write is through, or a single request. */
export type Grain = "write" | "request";

/** What became of an applier. */
interface Ended {
  readonly exit: number;
  readonly said: string;
}

/** Every order in which two can make so many steps each. */
export function interleavings(each: number): readonly (readonly Turn[])[] {
  const grow = (first: number, second: number): readonly (readonly Turn[])[] => {
    if (first === 0 && second === 0) return [[]];
    const withFirst = first === 0 ? [] : grow(first - 1, second).map((rest): readonly Turn[] => [0, ...rest]);
    const withSecond = second === 0 ? [] : grow(first, second - 1).map((rest): readonly Turn[] => [1, ...rest]);
    return [...withFirst, ...withSecond];
  };
  return grow(each, each);
}

/** Lets one at a time through, in the order of the schedule; who has ended loses its turns. */
class Gate {
  readonly #grain: Grain;
  readonly #planned: [boolean, boolean] = [false, false];
  readonly #over: [boolean, boolean] = [false, false];
  #schedule: readonly Turn[];
  #waiting: { readonly who: Turn; readonly go: () => void }[] = [];
  #busy = false;

  constructor(schedule: readonly Turn[], grain: Grain) {
    this.#schedule = schedule;
    this.#grain = grain;
  }

  /** Both have made their plans before either of them writes. */
  planned(who: Turn): void {
    this.#planned[who] = true;
    this.#next();
  }

  over(who: Turn): void {
    this.#over[who] = true;
    this.#planned[who] = true;
    this.#next();
  }

  /** Sends a request when it is its turn. */
  async pass(who: Turn, method: string, send: () => Promise<Response>): Promise<Response> {
    if (!this.#planned[who]) return send();
    await new Promise<void>((go) => {
      this.#waiting.push({ who, go });
      this.#next();
    });
    try {
      return await send();
    } finally {
      if (this.#grain === "request" || method !== "GET") this.#schedule = this.#schedule.slice(1);
      this.#busy = false;
      this.#next();
    }
  }

  #next(): void {
    if (this.#busy || !this.#planned.every(Boolean)) return;
    while (this.#schedule[0] !== undefined && this.#over[this.#schedule[0]]) this.#schedule = this.#schedule.slice(1);
    const turn = this.#schedule[0] ?? this.#waiting[0]?.who;
    const chosen = this.#waiting.find(({ who }) => who === turn);
    if (chosen === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== chosen);
    this.#busy = true;
    chosen.go();
  }
}

/** Plays one schedule on a stage and judges: no doubles and no loss, or one of them stopped and told. */
export async function playSchedule(
  stage: Stage,
  schedule: readonly Turn[],
  grain: Grain,
): Promise<{ readonly violations: readonly Violation[]; readonly doubled: boolean }> {
  const other = await mkdtemp(join(tmpdir(), "incidentctl-rival-"));
  stage.sinks = [stage.folder, other].map((folder) => join(folder, SINK));
  try {
    for (const [path, text] of Object.entries(stage.scenario.after)) await writeFile(join(other, path), text);
    const play = stage.play(1);
    const gate = new Gate(schedule, grain);
    const lines = [play.line, new Line(stage.workspace, play.timeline)];
    const run = async (who: Turn, folder: string): Promise<Ended> => {
      let said = "";
      const line = lines[who] ?? play.line;
      const fetch: Fetch = (url, init) => gate.pass(who, init.method, () => line.fetch(url, init));
      const world = stage.world(fetch, play.timeline, folder, (_stream, text) => {
        said += text;
        if (text.includes("Plan: ")) gate.planned(who);
      });
      try {
        return { exit: await runCommandLine(["apply", ...CONSENTS, "--secrets-out", SINK], world), said };
      } finally {
        gate.over(who);
      }
    };
    const ended = await Promise.all([run(0, stage.folder), run(1, other)]);
    const made = stage.workspace.log().filter(({ method, commit }) => method === "POST" && commit !== null);
    const once = stage.undisturbed.logged.filter(({ method, commit }) => method === "POST" && commit !== null);
    const doubled = made.length > once.length;
    for (const secret of lines[1]?.revealed ?? []) play.line.revealed.add(secret);
    const violations = ended.flatMap(({ exit, said }) => told(stage, exit, said));
    await play.timeline.sleep(150_000);
    const after: Ran[] = [];
    for (let more = 0; more < 2 && after.at(-1)?.exit !== 0; more++) {
      const ran = await play.apply();
      after.push(ran);
      violations.push(...judgeCommand(stage, play, ran));
    }
    if (after.at(-1)?.exit === 0) return { violations: [...violations, ...judgeEnd(stage, "")], doubled };
    // A second copy that both made and neither could name must have been told by one of them.
    const exits = [...ended, ...after].map(({ exit }) => exit).join(", ");
    const what = `exit codes ${exits}: ${after.at(-1)?.stderr.slice(-300)}`;
    return { violations: [...violations, { invariant: "I5", what }], doubled };
  } finally {
    stage.sinks = [join(stage.folder, SINK)];
    await rm(other, { recursive: true });
  }
}

/** Who says that all is well must be right; who does not, says so with a code that means it. */
function told(stage: Stage, exit: number, said: string): readonly Violation[] {
  const found: Violation[] = [];
  if (![0, 1, 4, 5].includes(exit)) found.push({ invariant: "I12", what: `exit code ${exit}` });
  if (exit !== 0 && !/error: |failed|unknown|Not verified|skipped|not done/.test(said)) {
    found.push({ invariant: "I13", what: `exit code ${exit} without a reason` });
  }
  const doubled = differences(stage.expected, stage.inventory());
  const copies = doubled.filter((what) => what.includes(": too much "));
  if (exit === 0 && copies.length > 0) found.push({ invariant: "I2", what: copies.join("; ") });
  return found;
}
