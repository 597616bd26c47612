/** Everything that references one resource, in the files and in the workspace. Sends only GET requests. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead } from "../api/read/cannot-read.ts";
import type { Configuration } from "../config/load/configuration.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import { quoted, sanitised } from "../core/sanitise.ts";
import { suggest } from "../core/suggest.ts";
import { kinds } from "../kinds/index.ts";
import { childrenOf, hasOneList, type Kind } from "../kinds/kind.ts";
import { NOTHING_READ } from "../match/observation.ts";
import { ReferenceGraph, type Referrer } from "../match/reference-graph.ts";
import { ResolvedState } from "../match/resolved-state.ts";
import { countIncidents } from "./incident-usage.ts";
import { observe, type ReadTarget } from "./observe.ts";

/** The referrers of a resource. */
export interface ReferrersOfResource {
  readonly address: string;
  readonly isDeclared: boolean;
  readonly isLive: boolean;
  readonly referrers: readonly Referrer[];
  /** Number of incidents that use it; null if the service does not count incidents by this kind. */
  readonly incidents: number | null;
  /** Kinds that may reference it and could not be read. */
  readonly unread: readonly string[];
}

/** Reads the resource and every kind that may reference it. Stops if the address is neither declared nor live. */
export async function findReferrers(
  reader: Reader,
  configuration: Configuration,
  address: string,
  parallelism: number,
): Promise<ReferrersOfResource> {
  const ownKinds = kinds.filter((kind) => mayHaveAddress(kind, address));
  const referringKinds = kinds.filter((kind) =>
    ownKinds.some(({ name }) => kind.references?.dependsOn?.includes(name) === true),
  );
  let observation = NOTHING_READ;
  for (const kind of new Set([...ownKinds, ...referringKinds])) {
    const readTarget: ReadTarget = hasOneList(kind) ? { kind: kind.name, scope: "" } : { kind: kind.name, every: true };
    try {
      observation = await observe(reader, kinds, [readTarget], { parallelism, earlier: observation });
    } catch (error) {
      if (!(error instanceof CannotRead) || error.refusal.status === 401 || ownKinds.includes(kind)) throw error;
      observation = { ...observation, unread: [...observation.unread, kind.name] };
    }
  }
  const state = new ResolvedState(kinds, configuration, observation);
  const isDeclared = configuration.declared.some((resource) => resource.address === address);
  const resources = ownKinds.flatMap(({ name }) => state.all(name));
  const live = resources.find((resource) => resource.address === address);
  if (!isDeclared && live === undefined) {
    const known = [...configuration.declared, ...resources];
    const guess = suggest(
      address,
      known.map((resource) => resource.address),
    );
    const help = guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;
    throw new Stop(EXIT.error, `${sanitised(address)} is neither in the files nor in the workspace${help}`);
  }
  const parameter = live?.kind.references?.countedBy;
  const isCounted = live !== undefined && parameter !== undefined && typeof live.row.id === "string";
  const incidents = isCounted ? await countIncidents(reader, parameter, String(live.row.id)) : null;
  return {
    address,
    isDeclared,
    isLive: live !== undefined,
    incidents,
    referrers: new ReferenceGraph(state).referrersOf(address),
    unread: observation.unread,
  };
}

/** Whether a resource of the kind can have the address. */
function mayHaveAddress({ name, parent }: Kind, address: string): boolean {
  if (parent === undefined) return address.startsWith(`${name}/`) && !isNested(name, address);
  return address.startsWith(`${parent.kind}/`) && address.split("/").includes(parent.field);
}

/** Whether the address is of a resource nested in one of this kind. */
function isNested(name: string, address: string): boolean {
  const fields = childrenOf(kinds, { name }).flatMap(({ parent }) => parent?.field ?? []);
  return fields.some((field) => address.split("/").indexOf(field) >= 2);
}
