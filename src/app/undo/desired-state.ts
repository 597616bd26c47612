/** Plans the undo of a run: makes a configuration from its journal and the live state, and plans it. */

import { createHash } from "node:crypto";
import { declarableFields } from "../../config/edit/declarable.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { InvalidConfiguration } from "../../core/diagnostic.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import {
  canonical,
  escapedStep,
  type Fields,
  fieldsIn,
  isFields,
  isList,
  type Json,
  pointerIsWithin,
  stepsOf,
  valueAt,
  withValueAt,
} from "../../core/json.ts";
import { sanitised } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { addressOf } from "../../kinds/model/resource.ts";
import { withoutBlanks } from "../../kinds/values/equality.ts";
import type { Plan, Warning } from "../../plan/model/plan.ts";
import type { RunSnapshot } from "../../plan/model/snapshot.ts";
import type { DesiredResource } from "../../plan/undo/desired-resource.ts";
import { invertRun } from "../../plan/undo/rollback.ts";
import { indispensableIn, unrestorableIn, withoutRefused } from "../../plan/undo/unrestorable.ts";
import { referringPointers, withValues } from "../../run/journal/environment-references.ts";
import { lastSettlements } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import type { Observation } from "../../workspace/match/observation.ts";
import { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { observeWithReferences } from "../../workspace/read/observe-references.ts";
import type { Runs } from "../run/runs.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { PlanRequest, PlanSource, ReadingSession } from "../session/session.ts";
import { withSentValues } from "./sent-values.ts";

/** Returns the source of a plan. For an undo, that is the journal of the undone run, which must be here. */
export async function planSourceOf({ undoes }: Plan, runs: Runs, session: ReadingSession): Promise<PlanSource> {
  if (undoes === undefined) return session;
  const recorded = await runs.numbered(undoes);
  if (recorded === undefined) {
    throw new Stop(
      EXIT.stale,
      `the plan undoes run ${sanitised(undoes)}, whose journal is not here; nothing was written`,
    );
  }
  const input = await undoInput(recorded, await runs.all(), session);
  let { configuration } = input;
  return {
    // The plan leaves out the parts that cannot be restored.
    get configuration() {
      return configuration;
    },
    reader: session.reader,
    prepare: async ({ identify, interrupted = [] }) => {
      const made = await planUndo(recorded, input, session, { identify, interrupted });
      configuration = made.configuration;
      return made;
    },
  };
}

/** The configuration to plan, with its warnings. */
interface UndoInput {
  readonly configuration: Configuration;
  /** Addresses of resources to remove, because the run created them. */
  readonly removed: readonly string[];
  readonly findings: readonly Warning[];
  /** Resources that it leaves as they are: address → the reason, for a warning. */
  readonly kept: ReadonlyMap<string, string>;
  /** The same undo, which leaves these as they are. */
  keeping(kept: ReadonlyMap<string, string>): UndoInput;
}

/** Reads the resources that the run, one of `all`, changed, and makes the configuration that undoes it. Sends GET only. */
export async function undoInput(
  run: RecordedRun,
  all: readonly RecordedRun[],
  session: ReadingSession,
): Promise<UndoInput> {
  const { plan, before: shown } = run.contents.begin;
  const before = withSentValues(shown, run.run, all);
  const settlements = lastSettlements(run.contents);
  const done = new Set(
    settlements.flatMap(({ operation, status }) => (status === "done" || status === "fell_back" ? [operation] : [])),
  );
  const created = new Map(
    settlements.flatMap((settlement) =>
      settlement.created === undefined ? [] : [[settlement.operation, settlement.created] as const],
    ),
  );
  const stored = new Map(settlements.map(({ operation, stored = {} }) => [operation, stored]));
  // A run is undone as a whole, whatever paths are given.
  const { part: _part, ...base } = session.configuration;
  const nothing = { ...base, texts: new Map<string, string>(), managed: [], declared: [], naming: base.declared };
  const live = new ResolvedState(kinds, nothing, await observeChanged(run, session));
  const undone = { plan, before: withKeys(withEnvironment(before, base), live), done, created, stored };
  const protectedByFiles = base.declared.flatMap((resource) => (resource.protected ? [resource.address] : []));
  const inputKeeping = (kept: ReadonlyMap<string, string>): UndoInput => {
    const inverse = invertRun({ ...undone, kept }, live, (resource) => declarableFields(resource, kinds));
    const configuration: Configuration = {
      ...nothing,
      settings: { ...base.settings, protected: [...base.settings.protected, ...protectedByFiles] },
      removesDisabled: new Set(inverse.removed),
      undoes: run.run,
      managed: inverse.managed,
      declared: inverse.desired.map((desired) => declareResource(desired, run.run, base, live)),
      warnings: [],
      directives: [],
      digest: digestOf(run),
      files: {},
      listLocations: new Map(),
    };
    return {
      configuration,
      removed: inverse.removed,
      findings: inverse.warnings,
      kept,
      keeping: inputKeeping,
    };
  };
  return inputKeeping(new Map());
}

/** The snapshot with the values of the variables that its rules refer to, and the mask where a variable has no value. */
function withEnvironment(before: RunSnapshot, { environmentValues }: Configuration): RunSnapshot {
  const valued = (rules: readonly Fields[]) => rules.map((rule) => fieldsIn(withValues(rule, environmentValues)));
  return {
    ...before,
    ranks: before.ranks.map((list) => ({
      ...list,
      before: valued(list.before),
      after: valued(list.after),
      secrets: list.before.map(referringPointers),
    })),
  };
}

/** Replaces ids in a snapshot by the keys of live resources: a run does not read every resource that another one references. */
function withKeys(before: RunSnapshot, live: ResolvedState): RunSnapshot {
  const keys = new Map(
    kinds.flatMap(({ name }) =>
      live.rows(name).flatMap(({ id }): readonly (readonly [string, string])[] => {
        const key = typeof id === "string" ? live.key(name, id) : undefined;
        return typeof id === "string" && key !== undefined ? [[id, key]] : [];
      }),
    ),
  );
  const withKey = (value: Json): Json => {
    if (typeof value === "string") return keys.get(value) ?? value;
    if (isList(value)) return value.map(withKey);
    return isFields(value) ? fieldsWithKeys(value) : value;
  };
  const fieldsWithKeys = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withKey(value)]));
  return {
    ...before,
    entries: before.entries.map((snapshot) => ({ ...snapshot, fields: fieldsWithKeys(snapshot.fields) })),
    ranks: before.ranks.map((list) => ({
      ...list,
      before: list.before.map(fieldsWithKeys).map(withoutEmpty(list.kind)),
    })),
  };
}

/** A rule without the empty members of its outcome: a service may answer those and refuse them. */
function withoutEmpty(name: string): (rule: Fields) => Fields {
  const effect = kinds.find((kind) => kind.name === name)?.rule?.effect;
  return (rule) =>
    effect === undefined || rule[effect] === undefined ? rule : { ...rule, [effect]: withoutBlanks(rule[effect]) };
}

/** Plans an undo. The plan names the run that it undoes, and in warnings what the service would refuse to restore. */
export async function planUndo(
  run: RecordedRun,
  input: UndoInput,
  session: ReadingSession,
  request: Pick<PlanRequest, "identify" | "interrupted">,
): Promise<MadePlan & { readonly configuration: Configuration }> {
  const { removed, findings } = input;
  let rest = { configuration: input.configuration, warnings: findings };
  for (;;) {
    try {
      const { configuration, warnings } = rest;
      const prepared = await session.prepare({
        ...request,
        filter: EVERYTHING,
        configuration,
        analyze: () => ({ warnings, errors: [] }),
        undo: { run: run.run, created: removed },
      });
      const kept = new Map([...input.kept, ...indispensableIn(prepared.plan)]);
      if (kept.size > input.kept.size) return planUndo(run, input.keeping(kept), session, request);
      return { ...prepared, configuration };
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      const reduced = withoutRefused(rest.configuration, error.diagnostics);
      if (reduced === undefined) {
        const kept = new Map([...input.kept, ...unrestorableIn(error.diagnostics)]);
        if (kept.size === input.kept.size) throw error;
        return planUndo(run, input.keeping(kept), session, request);
      }
      rest = { configuration: reduced.configuration, warnings: [...rest.warnings, ...reduced.warnings] };
    }
  }
}

const EVERYTHING = { kinds: [], targets: [], excludes: [] };

/** Digest of the run, which takes the place of the files in the seal of an undo. */
function digestOf({ contents }: RecordedRun): string {
  const { run, plan, before } = contents.begin;
  const record = JSON.parse(JSON.stringify({ run, plan: plan.seal.hash, before })) as Json;
  return createHash("sha256").update(canonical(record)).digest("hex");
}

/** Reads every kind that the run changed, and the resources that they reference, to compare names and not ids. */
async function observeChanged({ contents }: RecordedRun, { reader }: ReadingSession): Promise<Observation> {
  const { plan, before } = contents.begin;
  const changed = new Set([...plan.changes, ...before.entries, ...before.ranks].map(({ kind }) => kind));
  const parents = kinds.flatMap(({ name, parent }) => (changed.has(name) && parent !== undefined ? [parent.kind] : []));
  return observeWithReferences(reader, kinds, changed, (name) => changed.has(name), parents);
}

function declareResource(
  desired: DesiredResource,
  run: string,
  base: Configuration,
  live: ResolvedState,
): DeclaredResource {
  const address = addressOf(desired.kind, desired.scope, desired.key);
  const declared = base.declared.find((resource) => resource.address === address);
  // All its fields have the same text, the journal.
  const origins = { at: { file: `the journal of run ${run}`, line: 1, column: 1 }, address };
  return {
    ...withSecretMembers(desired, base, live),
    address,
    extra: [],
    protected: declared?.protected === true,
    origins,
  };
}

/**
 * The resource with those members of live values that the files take from the environment and the undo leaves as they are: the service would
 * delete them if they were not sent, and a plan shows what it sends, except for secrets. Of a rule, nothing is left: it is restored as a whole,
 * and what is live at its position may be another one.
 */
function withSecretMembers(
  desired: DesiredResource,
  { declared }: Configuration,
  live: ResolvedState,
): DesiredResource & Pick<DeclaredResource, "secrets"> {
  const { kind, scope, key, renamedFrom = key, pin } = desired;
  // No name comes from the environment, whatever it happens to hold.
  const references = live.listOf(desired).referencesOf(desired.fields);
  const secrets = (desired.secrets ?? []).filter((secret) => !references.some(({ at }) => pointerIsWithin(secret, at)));
  const address = addressOf(kind, scope, renamedFrom);
  const resource = live.all(kind.name).find((one) => one.address === address && (pin === undefined || one.id === pin));
  const isWhole = kind.lifecycle.order === "rank";
  const members = declared
    .filter((one) => !isWhole && one.address === address)
    .flatMap((one) => one.secrets.map((pointer) => stepsOf(pointer).slice(0, 2)))
    .filter(([name = "", member]) => {
      const isLeft = member !== undefined && fieldsIn(desired.fields[name])[member] === undefined;
      return isLeft && isFields(resource?.fields[name]) && resource.fields[name][member] !== undefined;
    });
  let { fields } = desired;
  for (const path of members) {
    fields = fieldsIn(withValueAt(fields, path, valueAt(resource?.fields, path) ?? null));
  }
  return { ...desired, fields, secrets: [...secrets, ...members.map((path) => `/${path.map(escapedStep).join("/")}`)] };
}
