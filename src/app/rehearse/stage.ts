/** Stage of a rehearsal: a fresh replica of the live workspace, and a connection to it without a network. */

import type { Clock } from "../../core/clock.ts";
import type { Fetch } from "../../core/fetch.ts";
import { isFields, isList, type Json, objectsIn } from "../../core/json.ts";
import { createReplica, type Replica, type ReplicaSource } from "../../emulator/replica/replica.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { wordSlug } from "../../kinds/values/slug.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { TokenSink } from "../../run/tokens/sink.ts";
import { connect, evaluator as evaluatorOf } from "../../service/http/client.ts";
import type { Evaluator, Writer } from "../../service/requests/connection.ts";
import { compileWebAssemblyFast } from "../session/v8-flags.ts";
import type { ChosenDialect } from "./dialects.ts";
import { type RefusedRead, rowsByPath, type WorkspaceSnapshot } from "./snapshot.ts";

/** Clock and token sink of a stage. */
export interface StageTools {
  /** A virtual clock: waits end at once. */
  readonly clock: Clock;
  /** Records the prefixes of tokens. */
  readonly sink: TokenSink;
}

/** A replica with its connection. */
export interface RehearsalStage {
  readonly replica: Replica;
  readonly writer: Writer;
  readonly evaluator: Evaluator;
  readonly tools: StageTools;
  /** Prefixes of the tokens that the sink stored. */
  readonly storedTokens: ReadonlySet<string>;
  close(): void;
}

/** Returns the source of a replica for a snapshot. */
export function replicaSource(
  snapshot: WorkspaceSnapshot,
  kinds: readonly Kind[],
  plan: Plan,
  dialects: readonly ChosenDialect[],
): ReplicaSource {
  const held = (parameter: string) => Object.fromEntries(snapshot.held?.get(parameter) ?? []);
  const choices = [...(snapshot.chosen ?? [])].map(([field, counts]) => [field, Object.fromEntries(counts)] as const);
  return {
    rows: rowsByPath(snapshot, kinds),
    incidentCounts: {
      severities: held("severity_id"),
      statuses: held("status_id"),
      choices: Object.fromEntries(choices),
    },
    people: peopleIn(snapshot, plan),
    dialects: Object.fromEntries(dialects.map(({ name, value }) => [name, value])),
  };
}

/** Opens a fresh replica under the address of the live service, without sending anything to it. */
export function openStage(source: ReplicaSource, refused: readonly RefusedRead[], host: string): RehearsalStage {
  compileWebAssemblyFast();
  const replica = createReplica(source);
  const { emulator } = replica;
  const fetch: Fetch = async (input, init) => refusal(input, init.method, refused) ?? emulator.request(input, init);
  const clock = virtualClock();
  const storedTokens = new Set<string>();
  const sink: TokenSink = {
    probe: () => Promise.resolve(),
    store: async ({ prefix }) => void storedTokens.add(prefix),
  };
  const writer = connect({
    baseUrl: host,
    token: emulator.adminToken,
    fetch,
    clock,
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    timeoutSeconds: 60,
  });
  return {
    replica,
    writer,
    evaluator: evaluatorOf(writer),
    tools: { clock, sink },
    storedTokens,
    close: () => void emulator.close(),
  };
}

function virtualClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** Refuses the reads that the live service refuses, so that the planner knows no more on the replica. */
function refusal(url: string, method: string, refused: readonly RefusedRead[]): Response | undefined {
  if (method !== "GET" || refused.length === 0) return undefined;
  const { pathname } = new URL(url);
  const refusedRead = refused.find(({ kind }) => pattern(kind).test(pathname));
  if (refusedRead === undefined) return undefined;
  const { status, message } = refusedRead;
  return Response.json({ error: { type: "forbidden", message, request_id: "" } }, { status });
}

function pattern({ endpoint: { list: collection } }: Kind): RegExp {
  const literal = collection.path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^/api/v1${literal}$`);
}

/** Returns the people that planned catalog entries reference: workspace members cannot be read, so the replica gets them from here. */
function peopleIn({ collections }: WorkspaceSnapshot, { operations }: Plan): readonly string[] {
  const definitions = [
    ...collections.flatMap(({ rows }) => rows.flatMap((row) => objectsIn(row.attribute_definitions ?? row.attributes))),
    ...operations.flatMap(({ body }) => objectsIn(body?.attributes)),
  ];
  const names = new Set(
    definitions
      .filter(({ attribute_type: type }) => type === "workspace_member" || type === "workspace_members")
      .map(({ slug, name }) => (typeof slug === "string" ? slug : wordSlug(String(name)))),
  );
  return operations.flatMap(({ body }) => {
    const values = isFields(body?.attributes) ? Object.entries(body.attributes) : [];
    return values.flatMap(([name, value]) => (names.has(name) ? textsOf(value) : []));
  });
}

function textsOf(value: Json): readonly string[] {
  return (isList(value) ? value : [value]).filter((item) => typeof item === "string" && item !== "").map(String);
}
