/** Everything that references one resource, in the files and in the workspace. Sends only GET requests. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";
import { suggest } from "../../core/suggest.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { answeredKinds, incidentSearch } from "../match/incident-search.ts";
import { hiddenFields, type Referrer } from "../match/reference-graph.ts";
import { type ResolvedWorkspace, resolve } from "../match/resolve.ts";
import { countUses } from "./incidents.ts";
import { observeKinds } from "./observe-references.ts";

export interface ReferrersOfResource {
  readonly address: string;
  readonly isDeclared: boolean;
  readonly isLive: boolean;
  readonly referrers: readonly Referrer[];
  /** Number of incidents that use it; null if none can, or if it is unknown. */
  readonly incidents: number | null;
  /** Number of incidents that were read, if there are others that may use it too. */
  readonly incidentsRead: number | undefined;
  /** Kinds, and incidents, that may reference it and could not be read. */
  readonly unread: readonly string[];
}

/** Reads the resource and every kind that may reference it. Stops if the address is neither declared nor live. */
export async function findReferrers(
  reader: Reader,
  kinds: readonly Kind[],
  configuration: Configuration,
  address: string,
  parallelism: number,
): Promise<ReferrersOfResource> {
  const ownKinds = kinds.filter((kind) => mayHaveAddress(kinds, kind, address));
  const referringKinds = kinds.filter((kind) =>
    ownKinds.some(
      (own) => kind.references?.dependsOn?.includes(own.name) === true || answeredKinds(kinds, own).includes(kind),
    ),
  );
  const names = new Set([...ownKinds, ...referringKinds].map(({ name }) => name));
  const isOwn = (name: string): boolean => ownKinds.some((kind) => kind.name === name);
  const observation = await observeKinds(reader, kinds, names, isOwn, { parallelism });
  const resolved = resolve(configuration, kinds, observation);
  const { state, graph } = resolved;
  const isDeclared = configuration.declared.some((resource) => resource.address === address);
  const resources = ownKinds.flatMap(({ name }) => state.all(name));
  const live = resources.find((resource) => resource.address === address);
  if (!isDeclared && live === undefined) {
    const known = [...configuration.declared, ...resources].map((resource) => resource.address);
    const guess = suggest(address, known);
    const help = guess === undefined ? "" : `; did you mean ${quoted(guess)}?`;
    throw new Stop(EXIT.error, `${sanitised(address)} is neither in the files nor in the workspace${help}`);
  }
  const uses = live && (await incidentUses(reader, resolved, live, parallelism));
  const hiding = live === undefined ? [] : hidingKinds(resolved, live);
  const uncounted = uses?.count === null ? ["incidents"] : [];
  return {
    address,
    isDeclared,
    isLive: live !== undefined,
    incidents: uses?.count ?? null,
    incidentsRead: uses?.among,
    referrers: graph.referrersOf(address),
    unread: [...new Set([...observation.unread, ...hiding, ...uncounted])],
  };
}

/** The incidents that use a resource, undefined if none can; `count` is null if it is unknown. */
async function incidentUses(
  reader: Reader,
  resolved: ResolvedWorkspace,
  live: LiveResource,
  parallelism: number,
): Promise<{ readonly count: number | null; readonly among?: number } | undefined> {
  if (incidentSearch(resolved, live) === undefined) return undefined;
  const counts = await countUses(reader, resolved, [live], parallelism);
  return counts.get(String(live.row.id)) ?? { count: null };
}

/** Kinds with resources whose references the service does not return, and the files do not declare: they may reference the resource. */
function hidingKinds({ state, matching, graph }: ResolvedWorkspace, target: LiveResource): readonly string[] {
  const declaredBy = matching.declaredByLive();
  return [...state.kinds.values()]
    .filter((kind) =>
      state.all(kind.name).some((live) => {
        const declared = declaredBy.get(live)?.fields ?? {};
        const hidesReferences = hiddenFields(live).some((name) => declared[name] === undefined);
        return graph.mayHide({ kind, hidesReferences, unresolved: live.unresolved ?? [] }, target.kind, target.scope);
      }),
    )
    .map(({ name }) => name);
}

/** Whether a resource of the kind can have the address. */
function mayHaveAddress(kinds: readonly Kind[], { name, parent }: Kind, address: string): boolean {
  if (parent === undefined) return address.startsWith(`${name}/`) && !isNested(kinds, name, address);
  return address.startsWith(`${parent.kind}/`) && address.split("/").includes(parent.field);
}

/** Whether the address is of a resource nested in one of this kind. */
function isNested(kinds: readonly Kind[], name: string, address: string): boolean {
  const fields = childrenOf(kinds, { name }).flatMap(({ parent }) => parent?.field ?? []);
  return fields.some((field) => address.split("/").indexOf(field) >= 2);
}
