/** Reads what a plan needs, in as few rounds as knowledge allows, and makes it. */

import type { Reader } from "../api/connection.ts";
import type { Observation } from "../api/observation.ts";
import { countIncidents, observe } from "../api/observe.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Consent } from "../plan/guards.ts";
import { makePlan, type PlanInput } from "../plan/make.ts";
import type { Plan } from "../plan/plan.ts";
import {
  counts,
  managedReads,
  mentionedReads,
  needsDetail,
  removalReads,
  scopeReads,
  type Wanted,
} from "../plan/reads.ts";
import { State } from "../plan/state.ts";
import { type Narrowing, narrowed } from "./narrow.ts";

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
  /** Reads what tells this workspace from another as well, for a plan that is to be saved. */
  readonly identify: boolean;
}

/** Makes the plan of a configuration against the live state. Sends GET only. */
export async function prepare(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: PrepareOptions,
): Promise<Plan> {
  const { configuration: own, admits } = narrowed(configuration, options.narrowing);
  const observation = await observeAll(own, reader, kinds, options);
  const input: PlanInput = {
    kinds,
    configuration: own,
    observation,
    consent: options.consent,
    host: reader.host,
    version: options.version,
    now: options.now(),
    ownPrefixes: options.ownPrefixes,
    ...(admits === undefined ? {} : { narrowing: admits }),
  };
  return makePlan(input);
}

/** Reads the managed collections, then what they mention, then what removals need; a round ends when nothing new is wanted. */
async function observeAll(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  options: PrepareOptions,
): Promise<Observation> {
  const detail = needsDetail(configuration);
  const identity = options.identify
    ? kinds.filter((kind) => kind.countedBy !== undefined).map((kind) => ({ kind: kind.name, scope: "" }))
    : [];
  let wanted: readonly Wanted[] = [...managedReads(configuration), ...identity];
  let observation: Observation = { collections: [], held: new Map() };
  for (let round = 0; round < ROUNDS; round++) {
    observation = await observe(reader, kinds, wanted, {
      parallelism: options.parallelism,
      already: observation,
      detail,
    });
    const state = new State(kinds, configuration, observation);
    const next = [
      ...mentionedReads(configuration, state),
      ...scopeReads(configuration, state),
      ...removalReads(configuration, state),
    ];
    const fresh = next.filter((want) => !("scope" in want) || state.live(want.kind, want.scope) === undefined);
    if (fresh.every((want) => wanted.some((other) => JSON.stringify(other) === JSON.stringify(want)))) break;
    wanted = [...wanted, ...fresh];
  }
  return counted(configuration, reader, kinds, observation, options.parallelism);
}

/** What is mentioned may itself tell what is mentioned: a type, its entries, the entries of the types they refer to. */
const ROUNDS = 8;

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
    const found = await Promise.all(some.map(({ parameter, id }) => countIncidents(reader, parameter, id)));
    for (const [index, { id }] of some.entries()) held.set(id, found[index] ?? 0);
  }
  return { ...observation, held };
}
