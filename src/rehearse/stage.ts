/** The stage of a rehearsal: a fresh replica of the live workspace, and a connection to it that goes through no network. */

import { connect, evaluator as evaluatorOf } from "../api/http/client.ts";
import type { Evaluator, Writer } from "../api/http/connection.ts";
import type { TokenSink } from "../apply/tokens/sink.ts";
import type { Clock } from "../core/clock.ts";
import type { Fetch } from "../core/fetch.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { createReplica, type Replica, type ReplicaSource } from "../emulator/replica/replica.ts";
import type { Kind } from "../kinds/kind.ts";
import { wordSlug } from "../kinds/slug.ts";
import type { Plan } from "../plan/plan.ts";
import { compileWebAssemblyFast } from "../session/v8-flags.ts";
import type { ChosenDialect } from "./dialects.ts";
import { type RefusedRead, rowsByPath, type Snapshot } from "./snapshot.ts";

/** What the stage gives to an applier besides the connection. */
export interface Props {
  /** Its time goes by at once for whoever waits. */
  readonly clock: Clock;
  /** Notes the prefixes of the tokens that it is given. */
  readonly sink: TokenSink;
}

/** A replica that can be read, written and asked. */
export interface Stage {
  readonly replica: Replica;
  readonly writer: Writer;
  readonly evaluator: Evaluator;
  readonly props: Props;
  /** Prefixes of the tokens that were given away to be kept. */
  readonly kept: ReadonlySet<string>;
  close(): void;
}

/** What a replica of the snapshot is made of. */
export function sourceOf(
  snapshot: Snapshot,
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

/** Opens a fresh replica under the address of the live service, which nothing is sent to. */
export function openStage(source: ReplicaSource, refused: readonly RefusedRead[], host: string): Stage {
  compileWebAssemblyFast();
  const replica = createReplica(source);
  const { emulator } = replica;
  const fetch: Fetch = async (input, init) => refusal(input, init.method, refused) ?? emulator.request(input, init);
  const clock = impatient();
  const kept = new Set<string>();
  const sink: TokenSink = { probe: () => Promise.resolve(), keep: async ({ prefix }) => void kept.add(prefix) };
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
    props: { clock, sink },
    kept,
    close: () => void emulator.close(),
  };
}

function impatient(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** What the live service does not show, the replica does not show either: the planner must know as little there as here. */
function refusal(url: string, method: string, refused: readonly RefusedRead[]): Response | undefined {
  if (method !== "GET" || refused.length === 0) return undefined;
  const { pathname } = new URL(url);
  const found = refused.find(({ kind }) => pattern(kind).test(pathname));
  if (found === undefined) return undefined;
  const { status, message } = found;
  return Response.json({ error: { type: "forbidden", message, request_id: "" } }, { status });
}

function pattern({ endpoint: { list: collection } }: Kind): RegExp {
  const literal = collection.path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^/api/v1${literal}$`);
}

/** Whom the plan's catalog entries will name: their membership cannot be read, and the replica must not refuse them. */
function peopleIn({ collections }: Snapshot, { operations }: Plan): readonly string[] {
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
    return values.flatMap(([name, value]) => (names.has(name) ? textsIn(value) : []));
  });
}

function objectsIn(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

function textsIn(value: Json): readonly string[] {
  return (isList(value) ? value : [value]).filter((item) => typeof item === "string" && item !== "").map(String);
}
