/**
 * Preconditions: checks right before each request. The live resource must still be as it was when the plan was made, and a resource to
 * create must not exist yet. Fields that earlier requests of the plan change, directly or as a side effect, are not checked. Values are
 * compared by hash, because plans are passed on and a live value may be a secret.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { escapedStep, type Fields, type Json, objectsIn, textIn, withoutMembers } from "../../core/json.ts";
import { fill } from "../../core/route.ts";
import { type Kind, ownerKindOf, POSITION, wireNamesOf } from "../../kinds/model/kind.ts";
import { Pending, type Reference, type Wire } from "../../kinds/model/lookup.ts";
import { type LiveResource, listName } from "../../kinds/model/resource.ts";
import { showsNames } from "../../kinds/values/sameness.ts";
import { cameFromEnvironment } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type Draft, LATER, lateScope, type Step } from "../diff/step.ts";
import { type Shape, shapeOf, unknownParts } from "../diff/unknown-members.ts";
import type { PlanContext } from "../model/context.ts";
import { fingerprint, type LateValue, type Precondition } from "../model/plan.ts";
import { ChangesSoFar } from "./changes-so-far.ts";

/** The precondition of each request; `steps` in the order in which they run. */
export function preconditionsOf(
  context: PlanContext,
  steps: readonly Step[],
  drafts: readonly Draft[],
): ReadonlyMap<Step, Precondition> {
  const { state } = context;
  const draftOf = new Map(drafts.flatMap((draft) => draft.steps.map((step) => [step, draft] as const)));
  const changes = new ChangesSoFar(context.graph);
  const preconditions = new Map<Step, Precondition>();
  const lists = new Map<string, ListPart>();
  /** Lists that earlier requests add to or remove from. */
  const resized = new Set<string>();
  for (const step of steps) {
    const draft = draftOf.get(step);
    if (draft === undefined) continue;
    const name = listName(step.kind.name, draft.scope);
    const list = lists.get(name) ?? listPart(state, step.kind, draft.scope);
    lists.set(name, list);
    preconditions.set(step, preconditionOf(context, step, draft, list, changes, !resized.has(name)));
    changes.record(step, draft);
    if (step.method !== "PATCH") resized.add(name);
  }
  return preconditions;
}

function preconditionOf(
  context: PlanContext,
  step: Step,
  draft: Draft,
  { path, query, list, isPaginated, identity, inserts }: ListPart,
  changes: ChangesSoFar,
  isFirst: boolean,
): Precondition {
  const { state } = context;
  const { kind } = step;
  const referenced = step.body === null ? NO_IDS : referencedIds(state, draft, step.body);
  const lateValues = [...inserts, ...referenced.inserts];
  return {
    path,
    query,
    list,
    ...(isPaginated ? { paginated: true as const } : {}),
    identity,
    ...(kind.lifecycle.order === "rank"
      ? rankedPart(state, step, draft, isFirst)
      : keyedPart(context, step, draft, changes)),
    ...(step.method === "POST" && kind.lifecycle.allowsDuplicates === true ? { repeatable: true as const } : {}),
    ...otherNames(kind, step.body),
    ...(Object.keys(referenced.ids).length > 0 ? { ids: referenced.ids } : {}),
    ...(lateValues.length > 0 ? { inserts: lateValues } : {}),
  };
}

/** The part of preconditions that a list shares: its path, the fields that identify rows, and the fields that only a creation returns. */
interface ListPart extends Pick<Precondition, "path" | "query" | "list" | "identity"> {
  readonly isPaginated: boolean;
  readonly inserts: readonly LateValue[];
}

function listPart(state: ResolvedState, kind: Kind, scope: string): ListPart {
  const parent = kind.parent === undefined ? scope : state.id(kind.parent.kind, scope);
  const target = fill(kind.endpoint.list, { scope, parent: parent instanceof Pending ? LATER : parent });
  const disabled = kind.lifecycle.disable === undefined ? {} : { include_disabled: "true" };
  const waiting = Object.keys(target.query).filter((name) => target.query[name] === LATER);
  return {
    path: target.path,
    query: { ...target.query, ...disabled },
    list: kind.endpoint.envelope.list,
    isPaginated: kind.endpoint.paginated === true,
    identity: identityFieldsOf(kind),
    inserts:
      parent instanceof Pending
        ? waiting.map((name) => ({ at: `/query/${name}`, address: parent.address, fields: [parent.field] }))
        : lateScope(state, kind, scope),
  };
}

function keyedPart(context: PlanContext, step: Step, draft: Draft, changes: ChangesSoFar): Partial<Precondition> {
  const { state } = context;
  const { kind } = step;
  const { declared, live } = draft;
  if (live !== undefined) {
    const member = canReadAlone(kind) ? { member: true as const } : {};
    return { ...member, row: identityOf(kind, live.row), ...expectedFields(context, step, draft, live, changes) };
  }
  const names = declared === undefined ? [] : identifyingValues(kind, declared);
  const isCreation = step.method === "POST" || (kind.lifecycle.createByPatch !== undefined && draft.steps[0] === step);
  // In a long list only the service can tell at once whether a name is taken, and it does.
  if (!isCreation || kind.endpoint.paginated === true) return { names, unchecked: true };
  // An earlier request may give another resource, which is pinned, the same name.
  const namesakes = new Set(
    state.declaredIn(kind.name, draft.scope).flatMap(({ key, pin }) => (key === declared?.key ? (pin ?? []) : [])),
  );
  const known = (state.live(kind.name, draft.scope) ?? [])
    .filter(({ row, id }) => names.some((name) => showsNames(row, name)) || namesakes.has(id))
    .map(({ row }) => identityOf(kind, row));
  return { names, ...(known.length > 0 ? { known } : {}) };
}

/** Whether the check of a resource reads it alone, because its list is long or leaves out fields. */
export function canReadAlone({ endpoint }: Kind): boolean {
  return endpoint.paginated === true || endpoint.detail === true;
}

/** Rules are identified by position and content. Before the first one is added, the list must be as it was read. */
function rankedPart(state: ResolvedState, step: Step, draft: Draft, isFirst: boolean): Partial<Precondition> {
  const { kind, guard } = step;
  if (guard === undefined && step.method !== "POST") return { unchecked: true };
  if (guard === undefined) {
    const rows = isFirst && isScopeLive(state, kind, draft.scope) ? state.live(kind.name, draft.scope) : undefined;
    return rows === undefined ? {} : { known: rows.map(({ row }) => identityOf(kind, row)) };
  }
  const live = (state.live(kind.name, draft.scope) ?? []).find(({ id }) => id === guard.address);
  const row = identityOf(kind, { ...live?.row, ...guard.row });
  const contentFields = Object.entries(guard.row).filter(([name]) => row[name] === undefined);
  const shape = shapeOf(state.declaredIn(kind.name, draft.scope).map(({ fields }) => fields));
  return {
    row,
    ...heldPart(
      kind,
      contentFields.map(([field, value]) => ({ field, wire: field, value })),
      shape,
    ),
  };
}

/** Whether a scope was read under its own name: a new or renamed one has nothing under it yet. */
function isScopeLive(state: ResolvedState, kind: Kind, scope: string): boolean {
  const owner = ownerKindOf(kind);
  return scope === "" || owner === undefined || state.live(owner)?.some(({ key }) => key === scope) === true;
}

/** The hashes of the row's fields that the plan depends on, except for values that may be secret and those that earlier requests change. */
function expectedFields(
  { lastApplied }: PlanContext,
  step: Step,
  { declared }: Draft,
  live: LiveResource,
  changes: ChangesSoFar,
): Pick<Precondition, "held" | "unknown"> {
  const { kind } = live;
  const { displayName, keys } = kind.identity;
  const alwaysChecked = [...keys, ...(kind.lifecycle.disable === undefined ? [] : [kind.lifecycle.disable])];
  const changedNames =
    declared === undefined
      ? Object.keys(kind.fields ?? {})
      : [...Object.keys(declared.fields), ...Object.keys(step.sets ?? {}), ...Object.keys(step.body ?? {})];
  const names = changes.referencesChanged(live)
    ? alwaysChecked
    : [...alwaysChecked, ...(displayName === undefined ? [] : [displayName]), ...changedNames];
  const secret = new Set((declared?.secrets ?? []).map((pointer) => pointer.split("/")[1]));
  // A declared value that is not from the environment stands in the files.
  const mayBeSecret = (name: string): boolean =>
    secret.has(name) ||
    cameFromEnvironment(lastApplied.hashes, live.address, name) ||
    (kind.fields?.[name]?.mayBeSecret === true && declared?.fields[name] === undefined);
  const uncheckedNames = new Set([POSITION, ...identityFieldsOf(kind)]);
  const values = [...new Set(names)]
    .filter((name) => !mayBeSecret(name))
    .flatMap((field) => wireNamesOf(kind, field).map((wire) => ({ field, wire, value: live.row[wire] ?? null })))
    .filter(({ wire }) => live.row[wire] !== undefined && !uncheckedNames.has(wire) && !changes.has(step, live, wire));
  return heldPart(kind, values, shapeOf(declared === undefined ? [] : [declared.fields]));
}

/** The fingerprints of what the program knows of some values. */
function heldPart(
  kind: Kind,
  values: readonly { readonly field: string; readonly wire: string; readonly value: Json }[],
  declared: Shape,
): Pick<Precondition, "held" | "unknown"> {
  const unknown = new Set(values.flatMap((one) => unknownParts(kind, one, declared)));
  const row = withoutMembers(Object.fromEntries(values.map(({ wire, value }) => [wire, value])), unknown);
  const held = Object.fromEntries(Object.entries(row).map(([wire, value]) => [wire, fingerprint(value)]));
  return { held, ...(unknown.size === 0 ? {} : { unknown: [...unknown].sort() }) };
}

/** Body fields that rows return under other names. */
export function otherNames(kind: Kind, body: Step["body"]): Pick<Precondition, "told"> {
  const other = Object.keys(body ?? {})
    .map((name) => [name, wireNamesOf(kind, name)] as const)
    .filter(([name, wires]) => wires.length !== 1 || wires[0] !== name);
  return other.length === 0 ? {} : { told: Object.fromEntries(other) };
}

/** The wire fields that tell rows of a kind apart. */
export function identityFieldsOf({ identity }: Kind): readonly string[] {
  return identity.identityFields ?? [...new Set(["id", ...identity.idFields])];
}

/** The fields of a row that identify it. */
function identityOf(kind: Kind, row: Fields): Fields {
  return Object.fromEntries(
    identityFieldsOf(kind).flatMap((name): readonly (readonly [string, Json])[] => {
      const value = row[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Sets of values that identify the resource: a row that has all values of one set is the resource. */
function identifyingValues(kind: Kind, { keyField, key }: DeclaredResource): readonly Fields[] {
  return kind.identity.matchesRow?.(keyField, key) ?? wireNamesOf(kind, keyField).map((wire) => ({ [wire]: key }));
}

interface ReferencedIds {
  /** Key or option label in the body → id. */
  readonly ids: Readonly<Record<string, string>>;
  readonly inserts: readonly LateValue[];
}

const NO_IDS: ReferencedIds = { ids: {}, inserts: [] };

/** The ids of resources that a body references by key: some services return those instead. */
function referencedIds(state: ResolvedState, { declared }: Draft, body: Wire): ReferencedIds {
  if (declared === undefined) return NO_IDS;
  const references = state.listOf(declared).referencesOf(declared.fields);
  if (references.length === 0) return NO_IDS;
  const ids: Record<string, string> = {};
  const inserts: LateValue[] = [];
  const texts = textsIn(body);
  for (const reference of references) {
    const text = reference.option ?? reference.key;
    if (!texts.has(text)) continue;
    const id = idOf(state, reference);
    if (id instanceof Pending) {
      ids[text] = LATER;
      const at = `/ids/${escapedStep(text)}`;
      inserts.push({ at, address: id.address, fields: [id.field] });
    } else if (id !== undefined && id !== text) ids[text] = id;
  }
  return { ids, inserts };
}

function idOf(state: ResolvedState, { kind, scope, key, option }: Reference): string | Pending | undefined {
  if (option === undefined) return state.id(kind, key, scope);
  const row = state.list(kind, scope)?.liveBy(key)?.row ?? {};
  const options = Object.values(row).flatMap(objectsIn);
  return textIn(options.find(({ label }) => label === option)?.id);
}

/** Every text in a body. */
function textsIn(value: Wire, texts: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === "string") texts.add(value);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) textsIn(member, texts);
  }
  return texts;
}
