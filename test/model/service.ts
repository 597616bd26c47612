/** The embedded service as the model drives it: in process, its writes counted and disturbed, its tables looked at. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Console, openConsole } from "../../src/app/console/console.ts";
import { reportError } from "../../src/app/console/error-report.ts";
import { readLock } from "../../src/app/session/lock-file.ts";
import type { MakePlanOptions } from "../../src/app/session/make-plan.ts";
import type { Configuration } from "../../src/config/resources/configuration.ts";
import type { FetchInit } from "../../src/core/fetch.ts";
import type { Io } from "../../src/core/io.ts";
import type { Fields } from "../../src/core/json.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { createEmulator } from "../../src/emulator/emulator.ts";
import { updateLastApplied } from "../../src/plan/checks/update-last-applied.ts";
import type { Operation, Plan } from "../../src/plan/model/plan.ts";
import { apply } from "../../src/run/apply/apply.ts";
import type { ApplyResult } from "../../src/run/journal/outcome.ts";
import { reader as asReader, connect } from "../../src/service/http/client.ts";
import { type LastAppliedHashes, refusedHashes } from "../../src/workspace/match/last-applied.ts";
import { VirtualClock } from "../service/virtual-clock.ts";
import { configured } from "../support/plans/configuration.ts";
import { planOf } from "../support/service/test-service.ts";
import { type Workspace, workspaceIn } from "./workspace.ts";

/** What happens at a write: a person stops the run, the service refuses, or its answer (and more) gets lost. */
export type Disturbance =
  | "interrupted"
  | "refused"
  | "unprocessable"
  | "lost_before"
  | "lost_after"
  | "failing"
  | "gone";

/** Every disturbance. */
export const DISTURBANCES: readonly Disturbance[] = [
  "interrupted",
  "refused",
  "unprocessable",
  "lost_before",
  "lost_after",
  "failing",
  "gone",
];

/** A command of the program. */
export type Command<Options> = (options: Options, io: Io, console: Console) => number | Promise<number>;

/** One service for many runs, each in a fresh workspace. */
export class ModelService {
  readonly #emulator = createEmulator({ requestsPerMinute: Number.MAX_SAFE_INTEGER, control: true });
  readonly #writer = connect({
    baseUrl: ORIGIN,
    token: this.#emulator.adminToken,
    fetch: (url, init) => this.#fetch(url, init),
    clock: new VirtualClock(),
    requestsPerMinute: 1_000_000,
    timeoutSeconds: 30,
  });
  #disturbance: { readonly at: number; readonly how: Disturbance } | undefined;
  #interruption = new AbortController();
  #writes: string[] = [];
  #lock: LastAppliedHashes = {};
  #applied: readonly Operation[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "incidentctl-model-"));
  #said = "";

  /** Begins a run: a default workspace under these dialects, nothing remembered. */
  begin(dialects: Partial<Dialects>): void {
    const { control } = this.#emulator;
    if (control === undefined) throw new Error("the emulator was made without its control surface");
    control.reset();
    control.switchDialects(dialects);
    this.#lock = {};
    this.#applied = [];
    this.#disturbance = undefined;
    rmSync(this.#folder, { recursive: true });
    mkdirSync(this.#folder);
  }

  get dialects(): Dialects {
    return this.#emulator.dialects;
  }

  /** Everything but the GETs since the last call, as method and path. */
  takeWrites(): readonly string[] {
    const taken = this.#writes;
    this.#writes = [];
    return taken;
  }

  look(): Workspace {
    const { control } = this.#emulator;
    if (control === undefined) throw new Error("the emulator was made without its control surface");
    return workspaceIn(control.service.database);
  }

  /** A request of a person, and the status of its answer: a refusal is an answer like any other. */
  async hand(method: string, path: string, body?: Fields): Promise<number> {
    const headers = { authorization: `Bearer ${this.#emulator.adminToken}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status } = await this.#emulator.fetch(new Request(`${ORIGIN}/api/v1${path}`, { method, headers, ...sent }));
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`);
    return status;
  }

  plan(document: Fields, wishes: Partial<MakePlanOptions> = {}): Promise<Plan> {
    return this.#prepare(configured(document), wishes);
  }

  /** Applies; disturbed at a write, if so wished. */
  async apply(plan: Plan, at?: number, how?: Disturbance): Promise<ApplyResult> {
    this.#disturbance = at === undefined || how === undefined ? undefined : { at, how };
    this.#interruption = new AbortController();
    this.#writes = [];
    const run = apply(plan, this.#writer, {
      keepGoing: false,
      sink: { probe: async () => {}, store: async () => {} },
      interrupted: this.#interruption.signal,
      clock: new VirtualClock(),
    });
    try {
      for (let step = await run.next(); ; step = await run.next()) {
        if (step.done !== true) continue;
        this.#applied = step.value.outcomes.flatMap(({ status, operation }) => (status === "done" ? operation : []));
        return step.value;
      }
    } finally {
      this.#disturbance = undefined;
    }
  }

  /** What a whole apply ends with: reads again, and remembers what cannot be read. */
  async verify(document: Fields): Promise<Plan> {
    const configuration = configured(document);
    const verifying = { hashes: refusedHashes(this.#lock), resend: false, recordOmitted: true } as const;
    const plan = await this.#prepare(configuration, { lastApplied: verifying });
    this.#lock = updateLastApplied(configuration, this.#applied, plan, this.#lock);
    return plan;
  }

  /** Runs a command of the program on files that say this, with what is remembered beside them, and gives its exit code. */
  async command<Options>(run: Command<Options>, options: Options, document: Fields): Promise<number> {
    writeFileSync(join(this.#folder, "workspace.yaml"), JSON.stringify(document));
    const lock = join(this.#folder, "incidentctl.lock");
    if (Object.keys(this.#lock).length === 0) rmSync(lock, { force: true });
    else writeFileSync(lock, JSON.stringify({ version: 1, fields: this.#lock }));
    this.#said = "";
    const stream = {
      terminal: false,
      write: (text: string) => {
        this.#said += text;
      },
    };
    const io: Io = {
      stdout: stream,
      stderr: stream,
      env: { INCIDENTCTL_URL: ORIGIN, INCIDENTCTL_TOKEN: this.#emulator.adminToken },
      cwd: this.#folder,
      now: () => new Date(0),
      fetch: (url, init) => this.#fetch(url, init),
      clock: new VirtualClock(),
      interruption: () => this.#interruption.signal,
    };
    this.#interruption = new AbortController();
    const console = openConsole(io, {});
    const exit = await (async () => run(options, io, console))().catch((error: unknown) =>
      reportError(error, console, false),
    );
    this.#lock = readLock({ home: this.#folder }) ?? {};
    return exit;
  }

  /** What the last command printed. */
  get said(): string {
    return this.#said;
  }

  async close(): Promise<void> {
    await this.#emulator.close();
    rmSync(this.#folder, { recursive: true });
  }

  #prepare(configuration: Configuration, wishes: Partial<MakePlanOptions>): Promise<Plan> {
    return planOf(configuration, asReader(this.#writer), {
      version: "0.0.0",
      filter: { kinds: [], targets: [], excludes: [] },
      approvals: { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true, tokenSink: true },
      parallelism: 4,
      now: () => new Date(0),
      ownPrefixes: [],
      lastApplied: { hashes: this.#lock, resend: false },
      identify: false,
      ...wishes,
    });
  }

  async #fetch(url: string, { method, headers, body }: FetchInit): Promise<Response> {
    const send = () =>
      this.#emulator.fetch(new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }));
    const wanted = this.#disturbance;
    const isDue = wanted !== undefined && this.#writes.length >= wanted.at;
    if (isDue && wanted.how === "gone") throw broken("ECONNREFUSED");
    if (method === "GET") return send();
    this.#writes.push(`${method} ${decodeURIComponent(url.slice(ORIGIN.length))}`);
    if (!isDue || this.#writes.length > wanted.at + 1) return send();
    if (wanted.how === "interrupted") this.#interruption.abort();
    if (wanted.how === "refused") return refusal(403, "forbidden");
    if (wanted.how === "unprocessable") return refusal(422, "validation_failed");
    if (wanted.how === "lost_before") throw broken("ECONNRESET");
    const response = await send();
    if (wanted.how === "lost_after") throw broken("ECONNRESET");
    return wanted.how === "failing" ? refusal(503, "unavailable") : response;
  }
}

const ORIGIN = "http://127.0.0.1:1";

function broken(code: string): Error {
  return Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(code), { code }) });
}

function refusal(status: number, type: string): Response {
  return Response.json({ error: { type, message: "Not now", request_id: "r", errors: [] } }, { status });
}
