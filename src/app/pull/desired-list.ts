/** A list as the files would have to hold it, whole or of some addresses: then everything else stays as the files have it, at its place. */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Fields, Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, type LiveResource } from "../../kinds/model/resource.ts";
import { resourcesToMove } from "../../plan/order/reorder.ts";

/** A declared resource that stays, with the fields that change; an undefined one is removed. Without a live one, it stays as it is. */
export interface KeptResource {
  readonly declared: DeclaredResource;
  readonly live?: LiveResource;
  readonly fields: ReadonlyMap<string, Json | undefined>;
}

/** A live resource that the files would have to add. */
export interface AddedResource {
  readonly live: LiveResource;
  readonly fields: Fields;
}

/** A list as the files would have to hold it. */
export interface DesiredList {
  readonly kind: Kind;
  readonly scope: string;
  /** In the order of the list. */
  readonly entries: readonly (KeptResource | AddedResource)[];
  /** Declared resources that are not live. */
  readonly missing: readonly DeclaredResource[];
}

/** Whether a pull takes the resource at an address. */
export type AdmitsAddress = (address: string) => boolean;

/** The limits of a pull: which addresses it takes, and which parts it leaves as the files have them. */
export interface PullLimits {
  /** Default: everything. */
  readonly admits?: AdmitsAddress | undefined;
  /** Parts that no file can hold, as `address#pointer`, and resources of the files that stay, as `address#`, with the reasons. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The reason why a declared resource stays that is not live; undefined if it goes. */
export function stayReason({ refused }: PullLimits, declared: DeclaredResource | undefined): string | undefined {
  return declared && refused.get(`${declared.address}#`);
}

/** The list with the changes of the admitted resources alone. A list of rules changes as a whole or not at all. */
export function narrowList(
  list: DesiredList,
  declared: readonly DeclaredResource[],
  admits: AdmitsAddress,
): DesiredList {
  const { kind, scope, entries, missing } = list;
  const unchanged = (resource: DeclaredResource): KeptResource => ({ declared: resource, fields: new Map() });
  if (kind.lifecycle.order === "rank") {
    const isAdmitted = admits(addressPrefix(kind, scope).slice(0, -1));
    return isAdmitted ? list : { kind, scope, entries: declared.map(unchanged), missing: [] };
  }
  const kept = new Map(entries.flatMap((entry) => ("declared" in entry ? [[entry.declared, entry] as const] : [])));
  const base = declared.flatMap((resource) => {
    if (!admits(resource.address)) return [unchanged(resource)];
    return kept.get(resource) ?? [];
  });
  const added = entries.filter((entry) => !("declared" in entry) && admits(entry.live.address));
  const lost = missing.filter(({ address }) => admits(address));
  const isOrdered = kind.lifecycle.order === "position";
  return { kind, scope, entries: isOrdered ? inOrder(base, added, entries) : [...base, ...added], missing: lost };
}

type Entry = KeptResource | AddedResource;

/** The resources in the order of the files, except that new and moved ones are after the nearest one that is before them live. */
function inOrder(base: readonly KeptResource[], added: readonly Entry[], live: readonly Entry[]): readonly Entry[] {
  const names = new Map<unknown, string>([...base, ...live].map((entry, at) => [identityOf(entry), String(at)]));
  const nameOf = (entry: Entry): string => names.get(identityOf(entry)) ?? "";
  const moving = resourcesToMove(live.map(nameOf), base.map(nameOf));
  const isPlaced = (entry: Entry): boolean => "live" in entry && moving.has(nameOf(entry));
  const placed = new Map([...base.filter(isPlaced), ...added].map((entry) => [nameOf(entry), entry]));
  const result: Entry[] = base.filter((entry) => !isPlaced(entry));
  const settled = new Set(result.map(nameOf).filter((name) => !moving.has(name)));
  const order = live.map(nameOf);
  for (const [at, name] of order.entries()) {
    const entry = placed.get(name);
    if (entry === undefined) continue;
    const before = order.slice(0, at).findLast((other) => settled.has(other));
    result.splice(result.findIndex((other) => nameOf(other) === before) + 1, 0, entry);
    settled.add(name);
  }
  return result;
}

/** The declared resource, or the live one that the files do not have. */
function identityOf(entry: Entry): unknown {
  return "declared" in entry ? entry.declared : entry.live;
}
