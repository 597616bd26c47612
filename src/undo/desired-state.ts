/** The inverse of a run as a configuration: what the journal holds, against the workspace as it is now. */

import { createHash } from "node:crypto";
import { declarable } from "../config/edit/declarable.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { canonical, type Fields, isFields, isList, type Json } from "../core/json.ts";
import { sanitised } from "../core/sanitise.ts";
import { lastSettlements } from "../journal/journal-status.ts";
import { kinds } from "../kinds/index.ts";
import { addressOf, type DeclaredResource } from "../kinds/resource.ts";
import type { Observation } from "../match/observation.ts";
import { ResolvedState } from "../match/resolved-state.ts";
import { planHash } from "../plan/checks/seal.ts";
import type { Plan, Warning } from "../plan/plan.ts";
import type { RunSnapshot } from "../plan/snapshot.ts";
import { observeWithReferences } from "../refresh/observe-references.ts";
import { createdResponses } from "../run/recover-runs.ts";
import type { RecordedRun, Runs } from "../run/runs.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { PlanSource, ReadingSession } from "../session/session.ts";
import { type DesiredResource, invertRun } from "./rollback.ts";

/** What a plan was made from; the journal of the run that it takes back must be here. */
export async function planSourceOf({ undoes }: Plan, runs: Runs, session: ReadingSession): Promise<PlanSource> {
  if (undoes === undefined) return session;
  const left = await runs.numbered(undoes);
  if (left === undefined) {
    throw new Stop(
      EXIT.stale,
      `the plan takes back run ${sanitised(undoes)}, whose journal is not here; nothing was written`,
    );
  }
  const found = await undoInput(left, session);
  const { configuration } = found;
  return { configuration, reader: session.reader, prepare: ({ identify }) => planUndo(left, found, session, identify) };
}

/** What to plan, and what to tell of it. */
interface UndoInput {
  readonly configuration: Configuration;
  readonly findings: readonly Warning[];
}

/** Reads what the run has changed and makes its inverse. Sends GET only. */
export async function undoInput(left: RecordedRun, session: ReadingSession): Promise<UndoInput> {
  const { plan, before } = left.contents.begin;
  const done = new Set(
    lastSettlements(left.contents).flatMap(({ operation, status }) =>
      status === "done" || status === "fell_back" ? [operation] : [],
    ),
  );
  const base = session.configuration;
  const nothing = { ...base, lines: () => undefined, managed: [], declared: [] };
  const live = new ResolvedState(kinds, nothing, await observeChanged(left, session));
  const inverse = invertRun(
    { plan, before: withKeys(before, live), done, created: createdResponses(left) },
    live,
    (entry) => declarable(entry, kinds),
  );
  const configuration: Configuration = {
    ...nothing,
    managed: inverse.managed,
    declared: inverse.desired.map((wish) => declareResource(wish, left.run, base)),
    warnings: [],
    directives: [],
    digest: digestOf(left),
    listAt: () => undefined,
  };
  return { configuration, findings: inverse.warnings };
}

/** What a run read of an entry may mention others by id, when it had no reason to read those: by key, as far as they are live. */
function withKeys(before: RunSnapshot, live: ResolvedState): RunSnapshot {
  const keys = new Map(
    kinds.flatMap(({ name }) =>
      live.rows(name).flatMap(({ id }): readonly (readonly [string, string])[] => {
        const key = typeof id === "string" ? live.key(name, id) : undefined;
        return typeof id === "string" && key !== undefined ? [[id, key]] : [];
      }),
    ),
  );
  const inWords = (value: Json): Json => {
    if (typeof value === "string") return keys.get(value) ?? value;
    if (isList(value)) return value.map(inWords);
    return isFields(value) ? fieldsInWords(value) : value;
  };
  const fieldsInWords = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, inWords(value)]));
  return {
    ...before,
    entries: before.entries.map((entry) => ({ ...entry, fields: fieldsInWords(entry.fields) })),
    ranks: before.ranks.map((list) => ({ ...list, before: list.before.map(fieldsInWords) })),
  };
}

/** Plans the inverse; the plan says which run it takes back. */
export async function planUndo(
  left: RecordedRun,
  { configuration, findings }: UndoInput,
  session: ReadingSession,
  identify: boolean,
): Promise<MadePlan> {
  const made = await session.prepare({ filter: EVERYTHING, identify, configuration, findings });
  return { ...made, plan: markUndo(made.plan, left.run) };
}

const EVERYTHING = { kinds: [], targets: [], excludes: [] };

function markUndo(plan: Plan, run: string): Plan {
  const undo = { ...plan, undoes: run };
  return { ...undo, seal: { ...plan.seal, hash: planHash(undo) } };
}

/** What stands for the files in the seal of an undo: the run that it takes back. */
function digestOf({ contents }: RecordedRun): string {
  const { run, plan, before } = contents.begin;
  const said = JSON.parse(JSON.stringify({ run, plan: plan.seal.hash, before })) as Json;
  return createHash("sha256").update(canonical(said)).digest("hex");
}

/** Every kind that the run changed, and what its entries may mention: names and not ids are compared. */
async function observeChanged({ contents }: RecordedRun, { reader }: ReadingSession): Promise<Observation> {
  const { plan, before } = contents.begin;
  const changed = new Set([...plan.changes, ...before.entries, ...before.ranks].map(({ kind }) => kind));
  const parents = kinds.flatMap(({ name, parent }) => (changed.has(name) && parent !== undefined ? [parent.kind] : []));
  return observeWithReferences(reader, kinds, changed, (name) => changed.has(name), parents);
}

function declareResource(wish: DesiredResource, run: string, base: Configuration): DeclaredResource {
  const address = addressOf(wish.kind, wish.scope, wish.key);
  const at = { file: `the journal of run ${run}`, line: 1, column: 1 };
  const stated = base.declared.find((entry) => entry.address === address);
  return {
    ...wish,
    address,
    extra: [],
    protected: stated?.protected === true,
    at,
    place: () => at,
    secrets: [],
  };
}
