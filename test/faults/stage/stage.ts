/** A scenario made ready: the workspace as it is before, the files as they shall be, and the end that an undisturbed run comes to. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import type { Fetch, FetchInit } from "../../../src/core/fetch.ts";
import type { Io } from "../../../src/core/io.ts";
import { type Fields, isFields, isList } from "../../../src/core/json.ts";
import type { LoggedRequest } from "../../../src/emulator/control/request-log.ts";
import { type Inventory, inventoryOf, liveTokens } from "../checks/inventory.ts";
import { canaries } from "../checks/secret-leaks.ts";
import { type Injection, Line, type Sent, type Watcher } from "../injection/connection.ts";
import { MemoryDisk } from "../injection/memory-disk.ts";
import { Timeline } from "../injection/timeline.ts";
import { randomFrom } from "./random.ts";
import type { HandEdit, Scenario } from "./scenarios.ts";
import { Workspace } from "./workspace.ts";

/** Where one-time tokens go, below the stage's folder. */
export const SINK = "tokens.jsonl";
const START = new Date("2026-11-21T08:00:00Z");
/** The flags that let `apply` do whatever a scenario wants. */
export const CONSENTS: readonly string[] = [
  "--yes",
  "--allow-delete",
  "--max-removals",
  "10000",
  "--accept-routing-window",
];

/** One command that has ended. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it sent. */
  readonly sent: readonly Sent[];
  /** What the service saw of it. */
  readonly logged: readonly LoggedRequest[];
  /** Milliseconds of virtual time. */
  readonly took: number;
}

/** A play on a stage: what happens between a restore and the next. */
export interface Play {
  readonly timeline: Timeline;
  readonly line: Line;
  /** Runs the command line with faults at some of its requests; afterwards there are none. */
  run(args: readonly string[], injections?: readonly Injection[]): Promise<Ran>;
  /** `apply` with every consent. */
  apply(injections?: readonly Injection[]): Promise<Ran>;
  /** From the moment that this resolves nothing of a command happens any more, as if its process had been killed. */
  death: Promise<void> | undefined;
}

/** The exit code of what did not end by itself. */
export const KILLED = -9;

/** A scenario ready to be played again and again. */
export class Stage {
  readonly scenario: Scenario;
  readonly folder: string;
  readonly workspace: Workspace;
  /** The address at which the service stands. */
  service: string = "http://localhost:4010";
  /** Where journals are kept in this process; the machine's disk where another process has to read them. */
  disk: MemoryDisk | undefined = new MemoryDisk();
  /** How a request gets onto the line. */
  send: (line: Line, url: string, init: FetchInit) => Promise<Response> = (line, url, init) => line.fetch(url, init);
  /** Where the undisturbed run ends. */
  expected: Inventory = new Map();
  /** The undisturbed run. */
  undisturbed: Ran = { exit: 0, stdout: "", stderr: "", sent: [], logged: [], took: 0 };
  /** Every file that one-time tokens may be in. */
  sinks: readonly string[];
  /** Prefixes of tokens that are out before the play. */
  knownTokens: ReadonlySet<string> = new Set();
  #seen: { readonly changes: number; readonly inventory: Inventory } | undefined;
  #timeline = new Timeline(START);
  #files: ReadonlyMap<string, string> = new Map();

  private constructor(scenario: Scenario, folder: string) {
    this.scenario = scenario;
    this.folder = folder;
    this.sinks = [join(folder, SINK)];
    this.workspace = new Workspace({
      now: () => this.#timeline.date(),
      ...(scenario.dialects === undefined ? {} : { dialects: scenario.dialects }),
      ...(scenario.bare === undefined ? {} : { bare: true }),
    });
  }

  /** Makes a scenario ready. Throws when the undisturbed run does not end well, or leaves something to do. */
  static async open(scenario: Scenario): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "incidentctl-stage-"));
    const stage = new Stage(scenario, folder);
    if (scenario.before !== undefined) {
      await stage.#write(scenario.before);
      await stage.#succeed(stage.#play(1, {}), "before");
    }
    scenario.stock?.(stage.workspace.control.service.database);
    for (const edit of scenario.hand ?? []) await stage.#byHand(edit);
    await stage.#write(scenario.after);
    await rm(join(folder, SINK), { force: true });
    stage.knownTokens = new Set(stage.liveTokens());
    stage.disk = new MemoryDisk();
    stage.#files = stage.files();
    // When a token was used first would be a change of its own in every run.
    await stage.workspace.hand("GET", "/severities");
    stage.workspace.remember();
    stage.workspace.restore();
    const play = stage.play(1);
    stage.undisturbed = await stage.#succeed(play, "undisturbed");
    stage.expected = stage.inventory();
    const again = await stage.#succeed(play, "once more");
    if (again.sent.some(({ method }) => method !== "GET")) throw new Error(`${scenario.name}: a second run writes`);
    return stage;
  }

  /** Puts everything back to where the scenario begins. A seed determines the jitter of waits. */
  play(seed: number, watcher: Watcher = {}): Play {
    this.#restoreFiles();
    this.workspace.restore();
    return this.#play(seed, watcher);
  }

  /** What happens after what other processes did until now, in the workspace and the folder as they are. */
  afterwards(seed: number): Play {
    return this.#play(seed, {}, new Date());
  }

  /** What the workspace holds now. */
  inventory(): Inventory {
    const { database } = this.workspace.control.service;
    const changes = database.scalar("SELECT total_changes()");
    if (this.#seen?.changes !== changes) this.#seen = { changes, inventory: inventoryOf(database) };
    return this.#seen.inventory;
  }

  /** Prefixes of the live tokens of agents and keys. */
  liveTokens(): readonly string[] {
    return liveTokens(this.workspace.control.service.database).map(({ prefix }) => prefix);
  }

  /** Texts of all files below the folder, by their paths. */
  files(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const entry of readdirSync(this.folder, { recursive: true })) {
      const path = String(entry);
      if (statSync(join(this.folder, path)).isFile()) found.set(path, readFileSync(join(this.folder, path), "latin1"));
    }
    for (const [path, text] of this.disk?.texts() ?? []) found.set(relative(this.folder, path), text);
    return found;
  }

  /** Removes what is on the disk; the stage cannot be used any more. */
  async close(): Promise<void> {
    await this.workspace.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The command's world in this process. */
  world(
    fetch: Fetch,
    timeline: Timeline,
    folder: string,
    say: (stream: "stdout" | "stderr", text: string) => void,
  ): Io {
    const token = this.workspace.emulator.adminToken;
    return {
      stdout: { terminal: false, write: (text) => say("stdout", text) },
      stderr: { terminal: false, write: (text) => say("stderr", text) },
      env: { INCIDENTCTL_URL: this.service, INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: token, ...canaries },
      cwd: folder,
      now: timeline.date,
      clock: timeline,
      ...(this.disk === undefined ? {} : { disk: this.disk }),
      fetch,
      interruption: () => new AbortController().signal,
    };
  }

  #play(seed: number, watcher: Watcher, start = START): Play {
    const timeline = new Timeline(start);
    this.#timeline = timeline;
    const line = new Line(this.workspace, timeline, watcher);
    const random = randomFrom(seed);
    const play: Play = {
      timeline,
      line,
      death: undefined,
      run: async (args, injections = []) => {
        const said = { stdout: "", stderr: "" };
        const world = this.world(
          (url, init) => this.send(line, url, init),
          timeline,
          this.folder,
          (stream, text) => {
            said[stream] += text;
          },
        );
        const began = { at: timeline.now(), sent: line.sent.length, logged: this.workspace.log().length };
        line.inject(injections);
        const jitter = Math.random;
        Math.random = random;
        try {
          const running = runCommandLine(args, world);
          const exit = await (play.death === undefined
            ? running
            : Promise.race([running, play.death.then(() => KILLED)]));
          const logged = this.workspace.log().slice(began.logged);
          return { exit, ...said, sent: line.sent.slice(began.sent), logged, took: timeline.now() - began.at };
        } finally {
          Math.random = jitter;
          line.inject([]);
        }
      },
      apply: (injections) =>
        play.run(["apply", ...CONSENTS, "--secrets-out", SINK, ...(this.scenario.flags ?? [])], injections),
    };
    return play;
  }

  async #succeed(play: Play, what: string): Promise<Ran> {
    const ran = await play.apply();
    if (ran.exit === 0) return ran;
    throw new Error(`${this.scenario.name}, ${what}: exit code ${ran.exit}\n${ran.stdout}\n${ran.stderr}`);
  }

  async #write(files: Readonly<Record<string, string>>): Promise<void> {
    await rm(join(this.folder, "incidentctl.yaml"), { force: true });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await writeFile(join(this.folder, path), text);
    }
  }

  #restoreFiles(): void {
    rmSync(join(this.folder, ".incidentctl"), { recursive: true, force: true });
    if (this.disk !== undefined) this.disk = new MemoryDisk();
    for (const [path, text] of this.files()) {
      if (this.#files.get(path) !== text) rmSync(join(this.folder, path));
    }
    const left = this.files();
    for (const [path, text] of this.#files) {
      if (!left.has(path)) writeFileSync(join(this.folder, path), text, "latin1");
    }
  }

  async #byHand({ method, path, body }: HandEdit): Promise<void> {
    let text = JSON.stringify([path, body ?? null]);
    for (const [hole, kind = "", key = ""] of text.matchAll(/\{(\w+)\/([^}"]+)\}/g)) {
      const answer = await this.workspace.hand("GET", `/${kind}?include_disabled=true`);
      const rows = isFields(answer) && isList(answer[kind]) ? answer[kind].filter(isFields) : [];
      const row: Fields = rows.find(({ slug, name }) => slug === key || name === key) ?? {};
      text = text.replace(hole, String(row.prefix ?? row.id));
    }
    const [target, sent] = JSON.parse(text);
    await this.workspace.hand(method, target, sent ?? undefined);
  }
}
