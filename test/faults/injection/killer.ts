/** Runs the built program as a process of its own against a stage, kills it without warning, and judges what the next run makes of it. */

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { readJournal } from "../../../src/journal/read.ts";
import { judgeCommand, judgeEnd, type Violation, Watch } from "../checks/invariants.ts";
import { canaries, leaksIn } from "../checks/secret-leaks.ts";
import type { Scenario } from "../stage/scenarios.ts";
import { CONSENTS, SINK, Stage } from "../stage/stage.ts";
import type { Job } from "./apply-process.ts";

/** Where a process is killed. */
export type Point =
  /** Right before a step of its own: a write or a sync of the journal or the sink, a request, its answer. From 1. */
  | { readonly step: number }
  /** While a write is with the service, which has done it or never does. From 1. */
  | { readonly write: number; readonly done: boolean };

/** A point in words. */
export function tellPoint(point: Point): string {
  if ("step" in point) return `kill before step ${point.step}`;
  return `kill at write ${point.write}, ${point.done ? "done" : "not done"}`;
}

/** Reads such words. Throws when they are none. */
export function readPoint(told: string): Point {
  const [, step] = /^kill before step (\d+)$/.exec(told) ?? [];
  if (step !== undefined) return { step: Number(step) };
  const [, write, done] = /^kill at write (\d+), (done|not done)$/.exec(told) ?? [];
  if (write === undefined) throw new Error(`${JSON.stringify(told)} names no point`);
  return { write: Number(write), done: done === "done" };
}

/** How a process ended. */
interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly exit: number | null;
  readonly said: string;
}

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
/** The part of it that writes, which starts sooner. */
const applier = fileURLToPath(new URL("apply-process.ts", import.meta.url));
const APPLIER = "applier.mjs";
const killSwitch = new URL("kill-switch.mjs", import.meta.url).href;
const whole: readonly string[] = [program, "apply", ...CONSENTS, "--secrets-out", SINK];
const STEPS = "steps.txt";
const JOB = "job.json";
const UNTIL_THE_NEXT = 150_000;

/** A stage whose service is served on loopback, to be killed on again and again. */
export class Killer {
  readonly stage: Stage;
  readonly #served: EmulatorServer;
  readonly #hold: Hold;

  /** What is killed: the whole program, or the part that writes. */
  readonly #command: readonly string[];

  private constructor(stage: Stage, served: EmulatorServer, hold: Hold, command: readonly string[]) {
    this.#command = command;
    this.stage = stage;
    this.#served = served;
    this.#hold = hold;
  }

  /** Makes a scenario ready; with `writing` only the part of the program that writes is run and killed. */
  static async open(scenario: Scenario, writing = false): Promise<Killer> {
    const stage = await Stage.open(scenario);
    const hold = new Hold();
    const { emulator } = stage.workspace;
    const served = await serve({ ...emulator, fetch: (request) => hold.pass(request, emulator.fetch) });
    stage.service = served.url;
    stage.disk = undefined;
    return new Killer(stage, served, hold, writing ? await jobFor(stage) : whole);
  }

  /** Every point at which the program could be killed here, found out by running it to its end once. */
  async points(): Promise<readonly Point[]> {
    this.stage.play(1);
    const log = join(this.stage.folder, STEPS);
    const ended = await this.#run(this.#command, { KILL_LOG: log });
    if (ended.exit !== 0) throw new Error(`the program does not end well: ${ended.said}`);
    const steps = readFileSync(log, "utf8").split("\n").length - 1;
    rmSync(log);
    const writes = this.stage.workspace.log().filter(({ method }) => method !== "GET").length;
    return [
      ...Array.from({ length: steps }, (_, index) => ({ step: index + 1 })),
      ...Array.from({ length: writes }, (_, index) => ({ write: index + 1, done: false })),
      ...Array.from({ length: writes }, (_, index) => ({ write: index + 1, done: true })),
    ];
  }

  /** Processes that were killed. */
  kills = 0;

  /** Kills at the first point, and at the others whoever recovers; then lets the next run recover, and judges. */
  async kill(points: readonly Point[]): Promise<readonly Violation[]> {
    const { stage } = this;
    stage.play(1);
    const violations: Violation[] = [];
    const said: string[] = [];
    const watch = new Watch(stage);
    this.#hold.watch(watch.look);
    for (const [round, at] of points.entries()) {
      const ended = await this.#killed(at, round);
      said.push(ended.said);
      if (ended.signal === "SIGKILL") this.kills += 1;
      // While it recovers there may be less to do than there was.
      if (ended.signal === "SIGKILL" || round > 0) continue;
      violations.push({ invariant: "I12", what: `${tellPoint(at)}: it was not killed, but ended with ${ended.exit}` });
    }
    violations.push(...(await this.#recover()));
    const told: ReadonlyMap<string, string> = new Map([
      ...Object.entries(canaries),
      ["INCIDENTCTL_TOKEN", stage.workspace.emulator.adminToken],
      ...this.#hold.revealed.entries(),
    ]);
    for (const { secret, encoding } of leaksIn(said.join("\n"), told)) {
      violations.push({ invariant: "I9", what: `${secret} in what the killed process said (${encoding})` });
    }
    return [...violations, ...watch.violations];
  }

  async close(): Promise<void> {
    await this.#served.close();
    await this.stage.close();
    const [file = ""] = this.#command;
    if (basename(file) === APPLIER) rmSync(dirname(file), { recursive: true });
  }

  /** Whoever recovers is the whole program. */
  #killed(point: Point, round: number): Promise<Ended> {
    const command = round === 0 ? this.#command : whole;
    if ("step" in point) return this.#run(command, { KILL_AT: String(point.step) });
    return this.#run(command, {}, point);
  }

  async #recover(): Promise<readonly Violation[]> {
    const { stage } = this;
    const play = stage.afterwards(1);
    play.timeline.tick(UNTIL_THE_NEXT);
    const exits: number[] = [];
    const violations: Violation[] = [];
    for (let runs = 0; runs < 2 && exits.at(-1) !== 0; runs++) {
      const ran = await play.apply();
      exits.push(ran.exit);
      violations.push(...judgeCommand(stage, play, ran));
      await play.timeline.sleep(UNTIL_THE_NEXT);
    }
    if (exits.at(-1) !== 0) return [...violations, { invariant: "I5", what: `exit codes ${exits.join(", ")}` }];
    return [...violations, ...judgeEnd(stage, "")];
  }

  #run(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    hold?: { readonly write: number; readonly done: boolean },
  ): Promise<Ended> {
    const token = this.stage.workspace.emulator.adminToken;
    const { PATH = "" } = process.env;
    if (command !== whole) {
      mkdirSync(join(this.stage.folder, ".incidentctl", "journals"), { recursive: true, mode: 0o700 });
    }
    const env = {
      PATH,
      INCIDENTCTL_URL: this.#served.url,
      INCIDENTCTL_TOKEN: token,
      INCIDENTCTL_ADMIN_TOKEN: token,
      ...canaries,
    };
    const args = ["--import", killSwitch, ...command];
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: this.stage.folder, env: { ...env, ...environment } });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
      child.on("error", reject);
      child.on("close", (exit, signal) => resolve({ exit, signal, said }));
      this.#hold.arm(hold, () => {
        return new Promise((over) => {
          child.once("exit", over);
          child.kill("SIGKILL");
        });
      });
    });
  }
}

/** The applier as one file, and what it is given: what a run in this process has begun its journal with. */
async function jobFor(stage: Stage): Promise<readonly string[]> {
  const play = stage.play(1);
  const { exit, stderr } = await play.apply();
  const folder = join(stage.folder, ".incidentctl", "journals");
  const name = readdirSync(folder).find((file) => file.endsWith(".journal"));
  if (exit !== 0 || name === undefined) throw new Error(`there is no journal: exit code ${exit} ${stderr}`);
  const begin = readJournal(name, readFileSync(join(folder, name)))?.begin;
  if (begin === undefined) throw new Error(`the journal ${name} is empty`);
  const token = stage.workspace.emulator.adminToken;
  const journal = join(folder, name.replace(".journal", ".unfinished"));
  const job: Job = { url: stage.service, token, begin, journal, sink: join(stage.folder, SINK) };
  const home = await mkdtemp(join(tmpdir(), "incidentctl-job-"));
  const command = [join(home, APPLIER), join(home, JOB)] as const;
  await build({ input: applier, platform: "node", output: { file: command[0], format: "esm" } });
  writeFileSync(command[1], JSON.stringify(job));
  return command;
}

/** Stands between the server and the emulator, and holds one write until the process that sent it is dead. */
class Hold {
  /** Tokens that were given out, by a name to call them by. */
  readonly revealed: Map<string, string> = new Map();
  #at: { readonly write: number; readonly done: boolean } | undefined;
  #kill: () => Promise<unknown> = () => Promise.resolve();
  #look: Watch["look"] = () => {};
  #writes = 0;

  arm(at: { readonly write: number; readonly done: boolean } | undefined, kill: () => Promise<unknown>): void {
    this.#at = at;
    this.#kill = kill;
    this.#writes = 0;
  }

  watch(look: Watch["look"]): void {
    this.#look = look;
    this.revealed.clear();
  }

  async pass(request: Request, answer: (request: Request) => Promise<Response>): Promise<Response> {
    if (request.method === "GET") return answer(request);
    this.#writes += 1;
    const mine = this.#at?.write === this.#writes ? this.#at : undefined;
    if (mine?.done === false) {
      await this.#kill();
      return new Response(null, { status: 503 });
    }
    const response = await answer(request);
    this.#look({ method: request.method, path: new URL(request.url).pathname });
    const text = await response.clone().text();
    for (const [, token = ""] of text.matchAll(/"(?:token|secret)":"([^"]{20,})"/g)) {
      this.revealed.set(`issued ${this.revealed.size + 1}`, token);
    }
    if (mine !== undefined) await this.#kill();
    return response;
  }
}
