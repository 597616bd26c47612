/** Two runs from two machines against one workspace, interleaved by a schedule. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import type { Fetch, HttpResponse } from "../../../src/core/fetch.ts";
import { judgeCommand, judgeEnd, type Violation } from "../checks/invariants.ts";
import { differences } from "../checks/inventory.ts";
import { APPROVAL_FLAGS, type CommandResult, SINK, type Stage } from "../stage/stage.ts";
import { Connection } from "./connection.ts";

/** The run whose turn it is. */
export type Turn = 0 | 1;

/** Length of a turn: up to the next completed write, or a single request. */
export type Grain = "write" | "request";

/** Result of a run. */
interface Ended {
  readonly exit: number;
  readonly output: string;
}

/** Every interleaving of two runs with this many steps each. */
export function interleavings(each: number): readonly (readonly Turn[])[] {
  const grow = (first: number, second: number): readonly (readonly Turn[])[] => {
    if (first === 0 && second === 0) return [[]];
    const withFirst = first === 0 ? [] : grow(first - 1, second).map((rest): readonly Turn[] => [0, ...rest]);
    const withSecond = second === 0 ? [] : grow(first, second - 1).map((rest): readonly Turn[] => [1, ...rest]);
    return [...withFirst, ...withSecond];
  };
  return grow(each, each);
}

/** Lets one run proceed at a time, in the order of the schedule. A run that has ended is skipped. */
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

  /** Resolves when both runs have planned, before either writes. */
  planned(who: Turn): void {
    this.#planned[who] = true;
    this.#next();
  }

  over(who: Turn): void {
    this.#over[who] = true;
    this.#planned[who] = true;
    this.#next();
  }

  /** Sends a request when the run has its turn. */
  async pass(who: Turn, method: string, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
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

/** Result of a schedule. */
export interface Played {
  readonly violations: readonly Violation[];
  /** Both runs created the same resource before either saw the other's. */
  readonly duplicated: boolean;
  /** Resources that both runs left behind beyond the declared ones, before anybody applied again. */
  readonly leftovers: readonly string[];
  /** Exit codes of both runs. */
  readonly exits: readonly number[];
}

/** Runs one schedule on a stage and checks it: no duplicates and no loss, or one run reports the problem. */
export async function playSchedule(stage: Stage, schedule: readonly Turn[], grain: Grain): Promise<Played> {
  const other = await mkdtemp(join(tmpdir(), "incidentctl-rival-"));
  stage.sinks = [stage.folder, other].map((folder) => join(folder, SINK));
  try {
    for (const [path, text] of Object.entries(stage.scenario.after)) await writeFile(join(other, path), text);
    const play = stage.play(1);
    const gate = new Gate(schedule, grain);
    const connections = [play.connection, new Connection(stage.workspace, play.timeline)];
    const run = async (who: Turn, folder: string): Promise<Ended> => {
      let output = "";
      const connection = connections[who] ?? play.connection;
      const fetch: Fetch = (url, init) => gate.pass(who, init.method, () => connection.fetch(url, init));
      const world = stage.world(fetch, play.timeline, folder, (_stream, text) => {
        output += text;
        if (text.includes("Plan: ")) gate.planned(who);
      });
      try {
        return { exit: await runCommandLine(["apply", ...APPROVAL_FLAGS, "--secrets-out", SINK], world), output };
      } finally {
        gate.over(who);
      }
    };
    const ended = await Promise.all([run(0, stage.folder), run(1, other)]);
    const made = stage.workspace.log().filter(({ method, commit }) => method === "POST" && commit !== null);
    const once = stage.undisturbed.logged.filter(({ method, commit }) => method === "POST" && commit !== null);
    const duplicated = made.length > once.length;
    const leftovers = differences(stage.expected, stage.inventory()).filter((what) => what.includes(": extra "));
    const exits = ended.map(({ exit }) => exit);
    for (const secret of connections[1]?.revealed ?? []) play.connection.revealed.add(secret);
    const violations = ended.flatMap(({ exit, output }) => checkOutcome(stage, exit, output));
    await play.timeline.sleep(150_000);
    const after: CommandResult[] = [];
    for (let more = 0; more < 2 && after.at(-1)?.exit !== 0; more++) {
      const ran = await play.apply();
      after.push(ran);
      violations.push(...judgeCommand(stage, play, ran));
    }
    if (after.at(-1)?.exit === 0)
      return { violations: [...violations, ...judgeEnd(stage, "")], duplicated, leftovers, exits };
    // A duplicate that neither run could remove must be in the output of one of them.
    const all = [...exits, ...after.map(({ exit }) => exit)].join(", ");
    const what = `exit codes ${all}: ${after.at(-1)?.stderr.slice(-300)}`;
    return { violations: [...violations, { invariant: "I5", what }], duplicated, leftovers, exits };
  } finally {
    stage.sinks = [join(stage.folder, SINK)];
    await rm(other, { recursive: true });
  }
}

/** A successful exit code must be true, and a failure must have a reason. */
function checkOutcome(stage: Stage, exit: number, output: string): readonly Violation[] {
  const violations: Violation[] = [];
  if (![0, 1, 4, 5].includes(exit)) violations.push({ invariant: "I12", what: `exit code ${exit}` });
  if (exit !== 0 && !/error: |failed|unknown|Not verified|skipped|not done/.test(output)) {
    violations.push({ invariant: "I13", what: `exit code ${exit} without a reason` });
  }
  const duplicated = differences(stage.expected, stage.inventory());
  const copies = duplicated.filter((what) => what.includes(": extra "));
  if (exit === 0 && copies.length > 0) violations.push({ invariant: "I2", what: copies.join("; ") });
  return violations;
}
