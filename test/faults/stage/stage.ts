/** A prepared scenario: its workspace, its files, and the result of an undisturbed run. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import type { Fetch, FetchInit, HttpResponse } from "../../../src/core/fetch.ts";
import type { Io } from "../../../src/core/io.ts";
import { type Fields, isFields, isList } from "../../../src/core/json.ts";
import type { LoggedRequest } from "../../../src/emulator/control/request-log.ts";
import { MemoryDisk } from "../../support/memory-disk.ts";
import { type Inventory, inventoryOf, liveTokens } from "../checks/inventory.ts";
import { canaries } from "../checks/secret-leaks.ts";
import {
  type Carrier,
  Connection,
  type Injection,
  type RequestObserver,
  type SentRequest,
} from "../injection/connection.ts";
import { Timeline } from "../injection/timeline.ts";
import { randomFrom } from "./random.ts";
import type { HandEdit, Scenario } from "./scenarios.ts";
import { Workspace } from "./workspace.ts";

/** File of the one-time tokens, below the folder of the stage. */
export const SINK = "tokens.jsonl";
const START = new Date("2026-11-21T08:00:00Z");
/** Flags that approve every change of a scenario. */
export const APPROVAL_FLAGS: readonly string[] = [
  "--yes",
  "--allow-delete",
  "--max-removals",
  "10000",
  "--accept-routing-window",
];

export interface CommandResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly sent: readonly SentRequest[];
  /** The requests that the service received. */
  readonly logged: readonly LoggedRequest[];
  /** Milliseconds of virtual time. */
  readonly took: number;
}

/** The commands between two restores. */
export interface Play {
  readonly timeline: Timeline;
  readonly connection: Connection;
  /** Runs the command line with faults at some of its requests, and removes the faults afterwards. */
  run(args: readonly string[], injections?: readonly Injection[]): Promise<CommandResult>;
  /** Runs `apply` with every approval flag. */
  apply(injections?: readonly Injection[]): Promise<CommandResult>;
  /** When this resolves, the running command stops as if its process had been killed. */
  killed: Promise<void> | undefined;
}

/** Exit code of a killed command. */
export const KILLED = -9;

/** A scenario that can be run many times. */
export class Stage {
  readonly scenario: Scenario;
  readonly folder: string;
  readonly workspace: Workspace;
  /** The base URL of the service. */
  service: string = "http://localhost:4010";
  /** Disk of the journals: in memory, or the real one if another process has to read them. */
  disk: MemoryDisk | undefined = new MemoryDisk();
  /** Sends a request over the connection. */
  send: (connection: Connection, url: string, init: FetchInit) => Promise<HttpResponse> = (connection, url, init) =>
    connection.fetch(url, init);
  /** Real sockets between client and service; without them, requests are function calls. */
  carrier: Carrier | undefined;
  /** Inventory after the undisturbed run. */
  expected: Inventory = new Map();
  /** The undisturbed run. */
  undisturbed: CommandResult = { exit: 0, stdout: "", stderr: "", sent: [], logged: [], took: 0 };
  /** Every file that may contain one-time tokens. */
  sinks: readonly string[];
  /** Prefixes of tokens issued before the run. */
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

  /** Prepares a scenario. Throws if the undisturbed run fails or does not converge. */
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
    // The first use of a token would be a change in every run.
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

  /** Restores the start of the scenario. The seed determines the jitter of waits. */
  play(seed: number, watcher: RequestObserver = {}): Play {
    this.#restoreFiles();
    this.workspace.restore();
    return this.#play(seed, watcher);
  }

  /** A play that continues with the current workspace and folder, after the work of other processes. */
  afterwards(seed: number): Play {
    return this.#play(seed, {}, new Date());
  }

  /** The current inventory of the workspace. */
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

  /** Texts of all files below the folder, by path. */
  files(): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const entry of readdirSync(this.folder, { recursive: true })) {
      const path = String(entry);
      if (statSync(join(this.folder, path)).isFile()) texts.set(path, readFileSync(join(this.folder, path), "latin1"));
    }
    for (const [path, text] of this.disk?.texts() ?? []) texts.set(relative(this.folder, path), text);
    return texts;
  }

  /** Removes the files of the stage, which cannot be used afterwards. */
  async close(): Promise<void> {
    await this.workspace.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The environment of a command in this process. */
  world(
    fetch: Fetch,
    timeline: Timeline,
    folder: string,
    write: (stream: "stdout" | "stderr", text: string) => void,
  ): Io {
    const token = this.workspace.emulator.adminToken;
    return {
      stdout: { terminal: false, write: (text) => write("stdout", text) },
      stderr: { terminal: false, write: (text) => write("stderr", text) },
      env: { INCIDENTCTL_URL: this.service, INCIDENTCTL_TOKEN: token, INCIDENTCTL_ADMIN_TOKEN: token, ...canaries },
      cwd: folder,
      now: timeline.date,
      clock: timeline,
      ...(this.disk === undefined ? {} : { disk: this.disk }),
      fetch,
      interruption: () => new AbortController().signal,
    };
  }

  #play(seed: number, watcher: RequestObserver, start = START): Play {
    const timeline = new Timeline(start);
    this.#timeline = timeline;
    const connection = new Connection(this.workspace, timeline, watcher, this.carrier);
    const random = randomFrom(seed);
    const play: Play = {
      timeline,
      connection,
      killed: undefined,
      run: async (args, injections = []) => {
        const output = { stdout: "", stderr: "" };
        const world = this.world(
          (url, init) => this.send(connection, url, init),
          timeline,
          this.folder,
          (stream, text) => {
            output[stream] += text;
          },
        );
        const began = { at: timeline.now(), sent: connection.sent.length, logged: this.workspace.log().length };
        connection.inject(injections);
        const jitter = Math.random;
        Math.random = random;
        try {
          const running = runCommandLine(args, world);
          const exit = await (play.killed === undefined
            ? running
            : Promise.race([running, play.killed.then(() => KILLED)]));
          const logged = this.workspace.log().slice(began.logged);
          return { exit, ...output, sent: connection.sent.slice(began.sent), logged, took: timeline.now() - began.at };
        } finally {
          Math.random = jitter;
          connection.inject([]);
        }
      },
      apply: (injections) =>
        play.run(["apply", ...APPROVAL_FLAGS, "--secrets-out", SINK, ...(this.scenario.flags ?? [])], injections),
    };
    return play;
  }

  async #succeed(play: Play, what: string): Promise<CommandResult> {
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
    const present = this.files();
    for (const [path, text] of this.#files) {
      if (!present.has(path)) writeFileSync(join(this.folder, path), text, "latin1");
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
