/** The seal of a plan: digests of the files, of the live state that it was read from, and of its own text. */

import { createHash } from "node:crypto";
import type { Configuration } from "../../config/resources/configuration.ts";
import { canonical, type Json, KeySorter } from "../../core/json.ts";
import { type Kind, POSITION } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import { type IncidentUsage, incidentsUsing } from "../../workspace/match/incident-usage.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { knownValue, mayHaveUnknown, type Shape, shapeOf } from "../diff/unknown-members.ts";
import type { Change, Plan, SealedPlan } from "../model/plan.ts";

/** The live state that a plan was made from. */
export interface PlannedState {
  readonly state: ResolvedState;
  readonly usage: IncidentUsage;
  /** Hashes of the last apply, which say what came from the environment. */
  readonly hashes?: LastAppliedHashes;
}

/** Seals a plan. A plan that is saved gets the digests of single files and rows too, so that `apply` can name what has changed since. */
export function sealPlan(plan: Plan, planned: PlannedState, { saved }: { readonly saved: boolean }): SealedPlan {
  const { created_at, configuration } = plan.seal;
  const live = liveDigest(planned);
  const fingerprint = fingerprintOf(plan);
  const { configuration: declared } = planned.state;
  const variables = [...declared.environmentValues.keys()].sort();
  const sources = saved
    ? { files: declared.files, rows: rowDigests(planned), ...(variables.length === 0 ? {} : { variables }) }
    : {};
  return withHash({ ...plan, seal: { created_at, configuration, live, fingerprint, hash: "", ...sources } });
}

/** Seals a plan when it is first asked for: not every format has the digests, which take time, and several have the same ones. */
export function sealOnDemand(...sealed: Parameters<typeof sealPlan>): () => SealedPlan {
  let result: SealedPlan | undefined;
  return () => {
    result ??= sealPlan(...sealed);
    return result;
  };
}

/** Returns the plan with the hash that its text must have. */
export function withHash(plan: SealedPlan): SealedPlan {
  return { ...plan, seal: { ...plan.seal, hash: planHash(plan) } };
}

/** The hash that a plan's text must have. */
export function planHash(plan: SealedPlan): string {
  const { seal, ...rest } = plan;
  const { configuration, live, files, rows, variables } = seal;
  return digestOf({ ...rest, configuration, live, files, rows, variables });
}

/** Address of each live resource → `field:digest` for each field of `seal.live`, and for the incidents that use it. */
export function rowDigests(planned: PlannedState): Readonly<Record<string, string>> {
  const { usage } = planned;
  const rows: Record<string, string> = {};
  for (const list of liveLists(planned)) {
    for (const resource of list.live) {
      const incidents = incidentsUsing(usage, resource)?.count;
      const fields = [
        ...fieldsOf(resource, list),
        ...(incidents === undefined ? [] : [["incidents", incidents] as const]),
      ];
      const digests = fields.map(([name, value]) => `${name}:${shortDigest(value)}`).join(" ");
      const before = rows[resource.address];
      // Resources without names of their own may share an address.
      rows[resource.address] = before === undefined ? digests : `${before} ${list.kind.name}:${shortDigest(digests)}`;
    }
  }
  return rows;
}

function shortDigest(value: Json): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 6);
}

/** Returns the plan with its fingerprint, which stays when parts of the plan are left out. */
export function withFingerprint(plan: Plan): Plan {
  return { ...plan, seal: { ...plan.seal, fingerprint: fingerprintOf(plan) } };
}

/**
 * The fingerprint of a plan, 32 hex digits, for a run without the plan's file: over the service, the files, the filter, the changes and
 * the requests in order. Other changes of the workspace leave it as it is, and it reveals no secret value.
 */
export function fingerprintOf({ target, partial = [], changes, operations, seal }: Plan): string {
  const { configuration, fingerprint } = seal;
  if (fingerprint !== undefined) return fingerprint;
  const digest = digestOf({
    host: target.host,
    partial,
    configuration,
    changes: changes.map(decided),
    operations,
  });
  return digest.slice(0, 32);
}

/** A change without its origin and what only explains a removal: the preconditions cover the values that decide. */
function decided({ values: _values, origin: _origin, cuts_off: _cutOff, ...change }: Change): object {
  return change;
}

/** A digest of the ids of the kinds that incidents use: it tells one workspace from another. Null if they were not read. */
export function workspaceIdentity(state: ResolvedState): string | null {
  const counted = [...state.kinds.values()].filter(({ references }) => references?.countedBy !== undefined);
  if (counted.some(({ name }) => state.live(name) === undefined)) return null;
  const ids = counted.map(({ name }) =>
    state
      .rows(name)
      .map(({ id }) => id ?? null)
      .sort(),
  );
  return createHash("sha256").update(canonical(ids)).digest("hex").slice(0, 16);
}

/**
 * The digest of every live field that a decision could rest on. It leaves out what mere use changes, such as a token's last use, and
 * values that may be secret: making the plan again compares those. It is made a list at a time, since the text of a large workspace would
 * be the largest string of all, and in an order that does not depend on the service.
 */
function liveDigest(planned: PlannedState): string {
  const { usage } = planned;
  const hash = createHash("sha256");
  for (const list of liveLists(planned)) {
    const lines = list.live.map((resource) => lineOf(resource, list, incidentsUsing(usage, resource)?.count));
    hash.update(`${JSON.stringify([list.kind.name, list.scope])}\n${lines.sort().join("\n")}\n`);
  }
  return hash.digest("hex");
}

/** A live list that is not empty, and the fields of its rows that a decision could rest on. */
interface LiveList {
  readonly kind: Kind;
  readonly scope: string;
  readonly names: readonly string[];
  readonly live: readonly LiveResource[];
  readonly order: KeySorter;
  /** A value of a field without the members that only a newer service knows. */
  readonly known: (name: string, value: Json) => Json;
  /** Whether a field of a resource has a value from the environment. */
  readonly isFromEnvironment: (resource: LiveResource, name: string) => boolean;
}

function* liveLists({ state, hashes = {} }: PlannedState): Generator<LiveList> {
  const declared = declaredFieldNames(state.configuration);
  const secrets = new Set(
    state.configuration.declared.flatMap((resource) =>
      resource.secrets.map((pointer) => `${placeOf(resource)}#${pointer.split("/")[1]}`),
    ),
  );
  const isFromEnvironment = (resource: LiveResource, name: string) =>
    secrets.has(`${placeOf(resource)}#${name}`) || cameFromEnvironment(hashes, resource.address, name);
  for (const kind of state.kinds.values()) {
    const names = [...new Set([...(declared.get(kind) ?? []), ...ownFieldNames(kind)])]
      .filter((name) => kind.fields?.[name]?.mayBeSecret !== true)
      .sort();
    const order = new KeySorter();
    const known = knownOf(kind, names, state.configuration);
    for (const { scope, live = [] } of state.listsOf(kind.name)) {
      if (live.length > 0) yield { kind, scope, names, live, order, known, isFromEnvironment };
    }
  }
}

/** Returns the function that gives values of fields without the members that only a newer service knows. */
function knownOf(kind: Kind, names: readonly string[], { declared }: Configuration): LiveList["known"] {
  const open = new Set(names.filter((name) => mayHaveUnknown(kind, name)));
  let shape: Shape | undefined;
  const ofDeclared = (): Shape => shapeOf(declared.flatMap((one) => (one.kind === kind ? [one.fields] : [])));
  const has = (path: string): boolean => {
    shape ??= ofDeclared();
    return shape.has(path);
  };
  return (name, value) => (open.has(name) ? knownValue(kind, name, value, { has }) : value);
}

/** The address of a resource; of a rule, that of its list: a rule has no key, so any of the list may be the declared one. */
function placeOf({ kind, scope, address }: Pick<LiveResource, "kind" | "scope" | "address">): string {
  return kind.lifecycle.order === "rank" ? addressPrefix(kind, scope) : address;
}

/** Kind → names of the fields that are declared of it. */
function declaredFieldNames(configuration: Configuration): ReadonlyMap<Kind, ReadonlySet<string>> {
  const declared = new Map<Kind, Set<string>>();
  for (const { kind, fields } of configuration.declared) {
    const names = declared.get(kind) ?? new Set<string>();
    declared.set(kind, names);
    for (const name of Object.keys(fields)) names.add(name);
  }
  return declared;
}

function ownFieldNames({ fields = {}, identity, lifecycle }: Kind): readonly string[] {
  const { keys, idFields, displayName = [] } = identity;
  return [...Object.keys(fields), ...keys, ...idFields, "id", POSITION, displayName, lifecycle.disable ?? []].flat();
}

/** A resource as one line: its key, the incidents that use it, then names and values. */
function lineOf(resource: LiveResource, list: LiveList, incidents: number | undefined): string {
  const parts: Json[] = [resource.key, incidents ?? null];
  for (const [name, value] of fieldsOf(resource, list)) parts.push(name, value);
  return JSON.stringify(parts);
}

/** The fields of a row with their values in one spelling, but for those that may be secret: a digest of a short one could be guessed. */
function fieldsOf(
  resource: LiveResource,
  { names, order, known, isFromEnvironment }: LiveList,
): readonly (readonly [name: string, value: Json])[] {
  const { kind, row, fields } = resource;
  return names.flatMap((name) => {
    if (isFromEnvironment(resource, name)) return [];
    const answered = fields[name] === undefined ? row[name] : fields[name];
    if (answered === undefined) return [];
    const value = known(name, answered);
    return [[name, order.of(kind.fields?.[name]?.canonical?.(value) ?? value)] as const];
  });
}

/**
 * The digest of a value's canonical text, without undefined members. The text of a large plan would be the largest string of all, so
 * the lists of the value are digested one item at a time.
 */
function digestOf(value: Readonly<Record<string, unknown>>): string {
  const hash = createHash("sha256");
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  for (const [index, name] of names.sort().entries()) {
    const member = value[name];
    hash.update(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
    if (Array.isArray(member)) {
      hash.update("[");
      for (const [place, item] of member.entries()) hash.update((place === 0 ? "" : ",") + canonical(item));
      hash.update("]");
    } else hash.update(canonical(member as Json));
  }
  return hash.update("}").digest("hex");
}
