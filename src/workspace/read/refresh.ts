/**
 * Reads the lists that a plan needs in as few rounds as possible: each round reads, resolves and matches, until no list is missing.
 * Sends GET only.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import { type Kind, ownerKindOf } from "../../kinds/model/kind.ts";
import { CannotRead } from "../../service/lists/cannot-read.ts";
import type { Reader } from "../../service/requests/connection.ts";
import type { IncidentUsage } from "../match/incident-usage.ts";
import { NOTHING_READ, type Observation, type ObservedList } from "../match/observation.ts";
import { type ResolvedWorkspace, resolve } from "../match/resolve.ts";
import { readIncidentUsage } from "./incidents.ts";
import { observe, type ReadTarget } from "./observe.ts";
import {
  checkingLists,
  childLists,
  listsToProve,
  managedLists,
  needsDetail,
  rankedScopeLists,
  referencedLists,
  removalLists,
  unresolvedLists,
} from "./what-to-read.ts";

export interface RefreshOptions {
  /** Reads in flight at a time. */
  readonly parallelism: number;
  /** Also read the lists that identify the workspace, for a plan that is saved. */
  readonly identify: boolean;
  /** Read each list once, without the proof that it is complete: for a plan that is made again before anything is written. */
  readonly singleReading?: boolean;
  /** Addresses of resources that an apply has disabled. */
  readonly disabled?: ReadonlySet<string>;
}

/** The live state beside the files, matched, and the incidents that use it. */
export interface Refreshed extends ResolvedWorkspace {
  readonly observation: Observation;
  readonly usage: IncidentUsage;
}

/** Refreshes the live state for a configuration. Throws {@link CannotRead} for a managed list that the token may not read. */
export async function refresh(
  configuration: Configuration,
  reader: Reader,
  kinds: readonly Kind[],
  { parallelism, identify, singleReading = false, disabled = new Set() }: RefreshOptions,
): Promise<Refreshed> {
  const detail = needsDetail(configuration);
  const read = (targets: readonly ReadTarget[], earlier: Observation) =>
    observe(reader, kinds, targets, { parallelism, earlier, detail, once: true });
  const identity = identify ? kinds.filter(({ references }) => references?.countedBy !== undefined) : [];
  const identityLists = identity.map(({ name }) => ({ kind: name, scope: "" }));

  let observation = await read([...managedLists(configuration), ...identityLists], { ...NOTHING_READ, disabled });
  /** Targets requested since the last proof: otherwise a target of every list of a kind would be requested in each round. */
  let requestedTargets = new Set<string>();
  for (;;) {
    const resolved = resolve(configuration, kinds, observation);
    const missing = (targets: readonly ReadTarget[]): readonly ReadTarget[] => {
      const newTargets = targets.filter(
        (target) => isUnread(resolved, target) && !requestedTargets.has(JSON.stringify(target)),
      );
      for (const target of newTargets) requestedTargets.add(JSON.stringify(target));
      return newTargets;
    };
    const required = missing([...referencedLists(resolved), ...rankedScopeLists(resolved)]);
    if (required.length > 0) {
      observation = await read(required, observation);
      continue;
    }
    const optional = missing([
      ...removalLists(resolved),
      ...childLists(resolved),
      ...unresolvedLists(resolved),
      ...checkingLists(resolved),
    ]);
    if (optional.length > 0) {
      observation = await readAllowed(optional, observation, kinds, read);
      continue;
    }
    const unprovenLists = singleReading ? [] : openLists(observation, resolved);
    if (unprovenLists.length === 0) {
      return { ...resolved, observation, usage: await readIncidentUsage(reader, resolved, parallelism) };
    }
    const proven = { ...observation, lists: observation.lists.filter((list) => !unprovenLists.includes(list)) };
    observation = await observe(reader, kinds, unprovenLists, {
      parallelism,
      earlier: proven,
      openLists: unprovenLists,
      detail,
    });
    requestedTargets = new Set();
  }
}

function isUnread({ state }: ResolvedWorkspace, target: ReadTarget): boolean {
  return !("scope" in target) || state.live(target.kind, target.scope) === undefined;
}

/** Lists that are not yet proved complete, and in which a missing resource would change the plan. */
function openLists(observation: Observation, resolved: ResolvedWorkspace): readonly ObservedList[] {
  const open = observation.lists.filter((list) => list.open !== undefined);
  if (open.length === 0) return [];
  const targets = new Set(
    listsToProve(resolved).map((target) => ("scope" in target ? `${target.kind} ${target.scope}` : `${target.kind} *`)),
  );
  return open.filter(({ kind, scope }) => targets.has(`${kind} ${scope}`) || targets.has(`${kind} *`));
}

/** Reads more lists than a plan needs: those that the token may read. */
export function readMore(
  reader: Reader,
  kinds: readonly Kind[],
  targets: readonly ReadTarget[],
  earlier: Observation,
  parallelism: number,
): Promise<Observation> {
  return readAllowed(targets, earlier, kinds, (allowed, already) =>
    observe(reader, kinds, allowed, { parallelism, earlier: already, once: true }),
  );
}

/** Reads what the token may read of kinds that are not managed; the others are recorded as unread. */
async function readAllowed(
  targets: readonly ReadTarget[],
  earlier: Observation,
  kinds: readonly Kind[],
  read: (targets: readonly ReadTarget[], already: Observation) => Promise<Observation>,
): Promise<Observation> {
  try {
    return await read(targets, earlier);
  } catch (error) {
    // An invalid token can read no other list either.
    if (!(error instanceof CannotRead) || error.refusal.status === 401) throw error;
    const ownedKinds = kinds.filter((kind) => ownerKindOf(kind) === error.kind).map(({ name }) => name);
    const refusedKinds = new Set(
      [error.kind, ...ownedKinds].filter((name) => targets.some(({ kind }) => kind === name)),
    );
    if (refusedKinds.size === 0) throw error;
    const rest = targets.filter(({ kind }) => !refusedKinds.has(kind));
    return readAllowed(rest, { ...earlier, unread: [...earlier.unread, ...refusedKinds] }, kinds, read);
  }
}
