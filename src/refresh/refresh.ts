/** Reads what a plan needs, in as few rounds as knowledge allows, and makes it. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead } from "../api/read/cannot-read.ts";
import { ServiceError } from "../api/read/service-error.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { type Kind, ownerKindOf } from "../kinds/kind.ts";
import type { Memory } from "../match/last-applied.ts";
import type { Collection, Observation } from "../match/observation.ts";
import { State } from "../match/resolved-state.ts";
import type { Consent } from "../plan/checks/policy-checks.ts";
import { makePlan, type PlanInput } from "../plan/make.ts";
import type { Plan, Warning } from "../plan/plan.ts";
import { type Narrowing, narrowed, strayTargets } from "../session/plan-filter.ts";
import { countIncidents, observe } from "./observe.ts";
import { tallyIncidents } from "./option-usage.ts";
import {
  choiceReads,
  counts,
  itemReads,
  managedReads,
  mentionedReads,
  missingReads,
  needsDetail,
  removalReads,
  scopeReads,
  type Wanted,
} from "./what-to-read.ts";

/** How to prepare a plan. */
export interface PrepareOptions {
  readonly version: string;
  readonly narrowing: Narrowing;
  readonly consent: Consent;
  /** Reads in flight at a time. */
  readonly parallelism: number;
  readonly now: () => Date;
  /** First twelve characters of the tokens in use. */
  readonly ownPrefixes: readonly string[];
  /** What is known of fields that the service does not return. */
  readonly memory: Memory;
  /** Reads what tells this workspace from another as well, for a plan that is to be saved. */
  readonly identify: boolean;
  /** Reads each list once and proves nothing: for a plan to look at, which is made again before anything is written. */
  readonly glance?: boolean;
  /** Looks at the whole configuration and at what was read of the live state. */
  readonly analyze?: (configuration: Configuration, live: State) => readonly Warning[];
}

/** A plan, and the live state that it was made from, also as it was read. */
export interface Prepared {
  readonly plan: Plan;
  readonly live: State;
  readonly observation: Observation;
}

/** Makes the plan of a configuration against the live state. Sends GET only. */
export async function prepare(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: PrepareOptions,
): Promise<Plan> {
  const { plan } = await preparePlan(configuration, reader, kinds, options);
  // Sealed at once: a plan may be kept for long, and what it was made from need not be.
  return { ...plan, seal: { ...plan.seal } };
}

/** The same, with what was read for it. */
export async function preparePlan(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: PrepareOptions,
): Promise<Prepared> {
  const { configuration: own, admits } = narrowed(configuration, options.narrowing, kinds);
  const observation = await observeAll(own, reader, kinds, options);
  const live = new State(kinds, own, observation);
  const findings = options.analyze?.(configuration, live) ?? [];
  const known = () => [...own.declared, ...kinds.flatMap(({ name }) => live.all(name))].map(({ address }) => address);
  const input: PlanInput = {
    kinds,
    configuration: own,
    observation,
    consent: options.consent,
    host: reader.host,
    version: options.version,
    now: options.now(),
    ownPrefixes: options.ownPrefixes,
    memory: options.memory,
    ...(admits === undefined ? {} : { narrowing: admits }),
    findings: [
      ...strayTargets(options.narrowing, known),
      ...findings.filter((finding) => concerns(finding, options.narrowing, admits?.admits)),
    ],
  };
  return { plan: makePlan(input), live, observation };
}

/** Whether a finding is about what the plan was narrowed to. */
function concerns(
  { address }: Warning,
  { kinds }: Narrowing,
  admits: ((address: string) => boolean) | undefined,
): boolean {
  if (address === undefined) return true;
  const [kind = ""] = address.split("/");
  return (kinds.length === 0 || kinds.includes(kind)) && admits?.(address) !== false;
}

/** Reads the managed collections and what they mention, then what could point at something that would be removed. */
async function observeAll(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: PrepareOptions,
): Promise<Observation> {
  const detail = needsDetail(configuration);
  const identity = options.identify
    ? kinds.filter((kind) => kind.references?.countedBy !== undefined).map((kind) => ({ kind: kind.name, scope: "" }))
    : [];
  const { parallelism } = options;
  const read = (wanted: readonly Wanted[], already: Observation) =>
    observe(reader, kinds, wanted, { parallelism, already, detail, once: true });
  const rounds = async (
    first: Observation,
    next: (state: State) => readonly Wanted[],
    look: (wanted: readonly Wanted[], already: Observation) => Promise<Observation>,
  ) => {
    let observation = first;
    const asked = new Set<string>();
    for (;;) {
      const state = new State(kinds, configuration, observation);
      const fresh = next(state).filter((want) => isFresh(state, want) && !asked.has(JSON.stringify(want)));
      if (fresh.length === 0) return observation;
      for (const want of fresh) asked.add(JSON.stringify(want));
      observation = await look(fresh, observation);
    }
  };
  const managed = await read([...managedReads(configuration), ...identity], NOTHING);
  const needed = (state: State) => [...mentionedReads(configuration, state), ...scopeReads(configuration, state)];
  const whole = async (first: Observation) =>
    rounds(
      await rounds(first, needed, read),
      (state) => [...removalReads(configuration, state), ...itemReads(configuration, state)],
      (wanted, already) =>
        readable(
          wanted,
          already,
          (kind, within) => kinds.some((one) => one.name === kind && ownerKindOf(one) === within),
          read,
        ),
    );
  /** Reads again what is open and would be acted upon, until nothing is. */
  const proved = async (first: Observation): Promise<Observation> => {
    if (first.collections.every(({ open }) => open === undefined)) return first;
    const doubtful = openIn(first, missingReads(configuration, new State(kinds, configuration, first)));
    if (doubtful.length === 0) return first;
    const collections = first.collections.filter((read) => !doubtful.includes(read));
    const again = { parallelism, already: { ...first, collections }, before: doubtful, detail };
    return proved(await whole(await observe(reader, kinds, doubtful, again)));
  };
  const everything = await whole(managed);
  const certain = options.glance === true ? everything : await proved(everything);
  const held = await counted(configuration, reader, kinds, certain, parallelism);
  return tallied(configuration, reader, kinds, held);
}

/** Those of the wanted collections that reading once has left open. */
function openIn({ collections }: Observation, wanted: readonly Wanted[]): readonly Collection[] {
  const places = new Set(wanted.map((want) => ("scope" in want ? `${want.kind} ${want.scope}` : `${want.kind} *`)));
  return collections.filter(
    ({ kind, scope, open }) => open !== undefined && (places.has(`${kind} ${scope}`) || places.has(`${kind} *`)),
  );
}

const NOTHING: Observation = { collections: [], unread: [], held: new Map() };

function isFresh(state: State, want: Wanted): boolean {
  return !("scope" in want) || state.live(want.kind, want.scope) === undefined;
}

/** Reads what may be read of kinds that nobody manages; of the others it is noted that they are unknown. */
async function readable(
  wanted: readonly Wanted[],
  already: Observation,
  /** Whether a kind lies in scopes that another one names. */
  lies: (kind: string, within: string) => boolean,
  read: (wanted: readonly Wanted[], already: Observation) => Promise<Observation>,
): Promise<Observation> {
  try {
    return await read(wanted, already);
  } catch (error) {
    // A token that is refused as such is good for nothing else either.
    if (!(error instanceof CannotRead) || error.refusal.status === 401) throw error;
    const lost = new Set(
      wanted.map(({ kind }) => kind).filter((kind) => kind === error.kind || lies(kind, error.kind)),
    );
    if (lost.size === 0) throw error;
    const rest = wanted.filter(({ kind }) => !lost.has(kind));
    return readable(rest, { ...already, unread: [...already.unread, ...lost] }, lies, read);
  }
}

async function counted(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  observation: Observation,
  parallelism: number,
): Promise<Observation> {
  const wanted = counts(configuration, new State(kinds, configuration, observation));
  const held = new Map(observation.held);
  for (let at = 0; at < wanted.length; at += parallelism) {
    const some = wanted.slice(at, at + parallelism);
    const found = await Promise.all(some.map(({ parameter, id }) => seen(() => countIncidents(reader, parameter, id))));
    for (const [index, { id }] of some.entries()) {
      const count = found[index];
      if (count !== undefined) held.set(id, count);
    }
  }
  return { ...observation, held };
}

/** Counts what incidents hold of choices that would be taken away; without it the service's own refusal has to do. */
async function tallied(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  observation: Observation,
): Promise<Observation> {
  const [first, ...others] = choiceReads(configuration, new State(kinds, configuration, observation));
  if (first === undefined) return observation;
  const fields = [first, ...others].map(({ key }) => key);
  const chosen = await seen(() => tallyIncidents(reader, first.answers, fields));
  return chosen === undefined ? observation : { ...observation, chosen };
}

/** What this token may see, undefined when the service does not show it. */
async function seen<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
