/** The emulator in process with a record of its requests, and plan and apply against it. */

import { type MakePlanOptions, makePlanFor } from "../../../src/app/session/make-plan.ts";
import type { Configuration } from "../../../src/config/resources/configuration.ts";
import type { Settings } from "../../../src/config/settings/settings.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/emulator/emulator.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { sealPlan } from "../../../src/plan/checks/seal.ts";
import { updateLastApplied } from "../../../src/plan/checks/update-last-applied.ts";
import type { Plan, SealedPlan } from "../../../src/plan/model/plan.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import type { ApplyResult } from "../../../src/run/journal/outcome.ts";
import { reader as asReader, connect } from "../../../src/service/http/client.ts";
import type { Reader, Writer } from "../../../src/service/requests/connection.ts";
import { type LastAppliedHashes, refusedHashes } from "../../../src/workspace/match/last-applied.ts";
import { configured } from "../plans/configuration.ts";
import { described } from "../schemas/plan-schema.ts";

/** A request that the service received. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Json;
}

/** A service and the actions of a test on it. */
export interface TestService {
  readonly emulator: Emulator;
  readonly writer: Writer;
  /** Every request since the last `forget`. */
  readonly seen: readonly SeenRequest[];
  forget(): void;
  /** With `true`, lists whose order the interface leaves open are returned in reverse order from now on. */
  turn(round: boolean): void;
  /** The last-applied hashes after the last `converge`. */
  readonly lock: LastAppliedHashes;
  /** A request by a person instead of the tool; it is not recorded. */
  hand(method: string, path: string, body?: Json): Promise<Json>;
  plan(document: Fields, options?: PlanOptions): Promise<SealedPlan>;
  /** Plans a configuration loaded from files. */
  planFor(configuration: Configuration, options?: Partial<MakePlanOptions>): Promise<SealedPlan>;
  apply(plan: Plan): Promise<ApplyResult>;
  /** Applies the plan. Throws if an operation is not done. */
  carryOut(plan: Plan): Promise<ApplyResult>;
  /** Plans, applies and returns the plan. Throws if an operation is not done. */
  converge(document: Fields, options?: PlanOptions): Promise<Plan>;
}

export interface PlanOptions {
  readonly settings?: Partial<Settings>;
  readonly options?: Partial<MakePlanOptions>;
}

/** Options of a plan that approves everything. */
export const DEFAULT_OPTIONS: MakePlanOptions = {
  version: "0.0.0",
  filter: { kinds: [], targets: [], excludes: [] },
  approvals: { allowDelete: true, maxRemovals: { entries: 1000 }, acceptRoutingWindow: true, tokenSink: true },
  parallelism: 4,
  now: () => new Date(0),
  ownPrefixes: [],
  lastApplied: { hashes: {}, resend: false },
  identify: false,
};

/** Starts a service in process, or uses a running one. */
export function serviceFor(
  options: EmulatorOptions = {},
  emulator: Emulator = createEmulator({ requestsPerMinute: 1_000_000, ...options }),
): TestService {
  let seen: SeenRequest[] = [];
  let turned = false;
  const fetch = async (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
    seen.push({
      method: init.method,
      url: decodeURIComponent(url.replace(/^http:\/\/[^/]+\/api\/v1/, "")),
      body: init.body === undefined ? null : JSON.parse(init.body),
    });
    const { method, headers, body } = init;
    const response = await emulator.fetch(
      new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
    return turned && method === "GET" ? backwards(response) : response;
  };
  const writer = connect({
    baseUrl: "http://127.0.0.1:1",
    token: emulator.adminToken,
    fetch,
    requestsPerMinute: 1_000_000,
    timeoutSeconds: 30,
  });
  const tokens = { probe: async () => {}, store: async () => {} };
  let lock: LastAppliedHashes = {};
  const service: TestService = {
    emulator,
    writer,
    get seen() {
      return seen;
    },
    forget() {
      seen = [];
    },
    turn(round) {
      turned = round;
    },
    get lock() {
      return lock;
    },
    async hand(method, path, body) {
      const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
      const response = await emulator.fetch(
        new Request(`http://127.0.0.1:1/api/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    plan: (document, { settings, options: wishes } = {}) => service.planFor(configured(document, settings), wishes),
    planFor: async (configuration, wishes) =>
      described(
        await planOf(configuration, asReader(writer), {
          ...DEFAULT_OPTIONS,
          lastApplied: { hashes: lock, resend: false },
          ...wishes,
        }),
      ),
    async apply(plan) {
      const run = apply(plan, writer, { keepGoing: false, sink: tokens });
      for (let step = await run.next(); ; step = await run.next()) if (step.done === true) return step.value;
    },
    async carryOut(plan) {
      const result = await service.apply(plan);
      const bad = result.outcomes.find(({ status }) => !["done", "fell_back", "retained"].includes(status));
      if (bad !== undefined) {
        const { method, path, body } = bad.operation;
        throw new Error(
          `${bad.status}: ${method} ${path} ${JSON.stringify(body)} ${"error" in bad ? bad.error.message : ""}`,
        );
      }
      return result;
    },
    async converge(document, wishes) {
      const plan = await service.plan(document, wishes);
      await service.carryOut(plan);
      const configuration = configured(document, wishes?.settings);
      const verifying = {
        ...DEFAULT_OPTIONS,
        lastApplied: { hashes: refusedHashes(lock), resend: false, verifying: true as const },
      };
      lock = updateLastApplied(configuration, plan.operations, await service.planFor(configuration, verifying), lock);
      return plan;
    },
  };
  return service;
}

/** Makes a plan and validates it against the schema. */
export async function planOf(
  configuration: Configuration,
  reader: Reader,
  options: MakePlanOptions,
): Promise<SealedPlan> {
  const made = await makePlanFor(configuration, reader, kinds, options);
  return sealPlan(made.plan, made, { saved: false });
}

/** The response with its lists reversed, except for lists of positions, priorities or options. */
async function backwards(response: Response): Promise<Response> {
  const body = (await response.json()) as Fields;
  const lists = Object.entries(body).map(([key, value]) => {
    const free = Array.isArray(value) && !value.some((row) => "position" in row || "priority" in row);
    return [key, free ? [...value].reverse() : value];
  });
  return Response.json(Object.fromEntries(lists), { status: response.status });
}
