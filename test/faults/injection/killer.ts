/** Runs the built program as a process against a stage, kills it, and checks the recovery by the next run. */

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { readJournal } from "../../../src/run/journal/read.ts";
import { judgeCommand, judgeEnd, StateWatch, type Violation } from "../checks/invariants.ts";
import { canaries, leaksIn } from "../checks/secret-leaks.ts";
import type { Scenario } from "../stage/scenarios.ts";
import { APPROVAL_FLAGS, SINK, Stage } from "../stage/stage.ts";
import type { Job } from "./apply-process.ts";

/** The point at which a process is killed. */
export type Point =
  /** Right before a step: a write or sync of the journal or the sink, a request, its response. Counted from 1. */
  | { readonly step: number }
  /** While a write is at the service, which has executed it or never does. Counted from 1. */
  | { readonly write: number; readonly done: boolean };

/** The text of a point. */
export function formatPoint(point: Point): string {
  if ("step" in point) return `kill before step ${point.step}`;
  return `kill at write ${point.write}, ${point.done ? "done" : "not done"}`;
}

/** Parses the text of a point. Throws if it is invalid. */
export function parsePoint(text: string): Point {
  const [, step] = /^kill before step (\d+)$/.exec(text) ?? [];
  if (step !== undefined) return { step: Number(step) };
  const [, write, done] = /^kill at write (\d+), (done|not done)$/.exec(text) ?? [];
  if (write === undefined) throw new Error(`${JSON.stringify(text)} is no point`);
  return { write: Number(write), done: done === "done" };
}

/** How a process ended. */
interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly exit: number | null;
  readonly output: string;
}

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
/** The part of the program that writes, which starts faster. */
const applier = fileURLToPath(new URL("apply-process.ts", import.meta.url));
const APPLIER = "applier.mjs";
const killSwitch = new URL("kill-switch.mjs", import.meta.url).href;
const whole: readonly string[] = [program, "apply", ...APPROVAL_FLAGS, "--secrets-out", SINK];
const STEPS = "steps.txt";
const JOB = "job.json";
const UNTIL_THE_NEXT = 150_000;

/** A stage with its service on loopback, for repeated kills. */
export class Killer {
  readonly stage: Stage;
  readonly #served: EmulatorServer;
  readonly #hold: Hold;

  /** The process to kill: the whole program, or the part that writes. */
  readonly #command: readonly string[];

  private constructor(stage: Stage, served: EmulatorServer, hold: Hold, command: readonly string[]) {
    this.#command = command;
    this.stage = stage;
    this.#served = served;
    this.#hold = hold;
  }

  /** Prepares a scenario. With `writing`, only the part of the program that writes is run and killed. */
  static async open(scenario: Scenario, writing = false): Promise<Killer> {
    const stage = await Stage.open(scenario);
    const hold = new Hold();
    const { emulator } = stage.workspace;
    const served = await serve({ ...emulator, fetch: (request) => hold.pass(request, emulator.fetch) });
    stage.service = served.url;
    stage.disk = undefined;
    return new Killer(stage, served, hold, writing ? await jobFor(stage) : whole);
  }

  /** Every point at which the program can be killed, found by one complete run. */
  async points(): Promise<readonly Point[]> {
    this.stage.play(1);
    const log = join(this.stage.folder, STEPS);
    const ended = await this.#run(this.#command, { KILL_LOG: log });
    if (ended.exit !== 0) throw new Error(`the program does not end well: ${ended.output}`);
    const steps = readFileSync(log, "utf8").split("\n").length - 1;
    rmSync(log);
    const writes = this.stage.workspace.log().filter(({ method }) => method !== "GET").length;
    return [
      ...Array.from({ length: steps }, (_, index) => ({ step: index + 1 })),
      ...Array.from({ length: writes }, (_, index) => ({ write: index + 1, done: false })),
      ...Array.from({ length: writes }, (_, index) => ({ write: index + 1, done: true })),
    ];
  }

  /** Number of killed processes. */
  kills = 0;

  /** Kills the run at the first point and the recovering runs at the others. Then lets the next run recover, and checks. */
  async kill(points: readonly Point[]): Promise<readonly Violation[]> {
    const { stage } = this;
    stage.play(1);
    const violations: Violation[] = [];
    const output: string[] = [];
    const watch = new StateWatch(stage);
    this.#hold.watch(watch.look);
    for (const [round, at] of points.entries()) {
      const ended = await this.#killed(at, round);
      output.push(ended.output);
      if (ended.signal === "SIGKILL") this.kills += 1;
      // A recovering run may have fewer steps.
      if (ended.signal === "SIGKILL" || round > 0) continue;
      violations.push({
        invariant: "I12",
        what: `${formatPoint(at)}: it was not killed, but ended with ${ended.exit}`,
      });
    }
    violations.push(...(await this.#recover()));
    const secrets: ReadonlyMap<string, string> = new Map([
      ...Object.entries(canaries),
      ["INCIDENTCTL_TOKEN", stage.workspace.emulator.adminToken],
      ...this.#hold.revealed.entries(),
    ]);
    for (const { secret, encoding } of leaksIn(output.join("\n"), secrets)) {
      violations.push({ invariant: "I9", what: `${secret} in the output of the killed process (${encoding})` });
    }
    return [...violations, ...watch.violations];
  }

  async close(): Promise<void> {
    await this.#served.close();
    await this.stage.close();
    const [file = ""] = this.#command;
    if (basename(file) === APPLIER) rmSync(join(dirname(file), "..", ".."), { recursive: true });
  }

  /** The whole program recovers. */
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
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
      child.on("error", reject);
      child.on("close", (exit, signal) => resolve({ exit, signal, output }));
      this.#hold.arm(hold, () => {
        return new Promise((over) => {
          child.once("exit", over);
          child.kill("SIGKILL");
        });
      });
    });
  }
}

/** The part that writes, bundled into one file, with the first journal record of a run in this process. */
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
  // The part finds the files of the package where its sources do.
  for (const file of ["package.json", "schemas"])
    symlinkSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), join(home, file));
  const command = [join(home, "src", "core", APPLIER), join(home, JOB)] as const;
  await build({ input: applier, platform: "node", output: { file: command[0], format: "esm" } });
  writeFileSync(command[1], JSON.stringify(job));
  return command;
}

/** Stands between server and emulator, and holds one write until the process that sent it is killed. */
class Hold {
  /** Issued tokens, by name. */
  readonly revealed: Map<string, string> = new Map();
  #at: { readonly write: number; readonly done: boolean } | undefined;
  #kill: () => Promise<unknown> = () => Promise.resolve();
  #look: StateWatch["look"] = () => {};
  #writes = 0;

  arm(at: { readonly write: number; readonly done: boolean } | undefined, kill: () => Promise<unknown>): void {
    this.#at = at;
    this.#kill = kill;
    this.#writes = 0;
  }

  watch(look: StateWatch["look"]): void {
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
