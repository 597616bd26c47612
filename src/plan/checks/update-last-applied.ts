/** Records an apply in the hashes of what was last applied. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { pointerIsWithin } from "../../core/json.ts";
import {
  deletionRefusedKey,
  ENVIRONMENT,
  environmentHashes,
  hashValue,
  type LastAppliedHashes,
  REFUSED,
  refusedHashes,
  storedHashes,
  UNDECLARED,
  UNSENT,
  withStored,
} from "../../workspace/match/last-applied.ts";
import { writableFields } from "../diff/compare.ts";
import type { FieldChange, LeftAlone, Plan } from "../model/plan.ts";

/** Key and hash. */
type Hashed = readonly [string, string];

interface VerifiedApply {
  readonly configuration: Configuration;
  readonly declared: ReadonlyMap<string, DeclaredResource>;
  readonly applied: Plan["operations"];
  readonly verifying: Plan;
  readonly before: LastAppliedHashes;
  readonly stored: readonly StoredOtherwise[];
}

/** A field that the service stored with another value than an apply has sent. */
export interface StoredOtherwise {
  readonly address: string;
  readonly field: FieldChange;
  /** The service does not return it. */
  readonly unreturned?: true;
}

/**
 * The hashes after an apply whose verifying plan is given: of fields that the service does not return, of lists that it would not
 * shorten, of resources that it would not delete, of fields that hold values from the environment, and of values that it stored otherwise. The places that the applied plan left alone
 * were neither sent nor compared, so they keep their hashes.
 */
export function updateLastApplied(
  configuration: Configuration,
  applied: Plan["operations"],
  verifying: Plan,
  before: LastAppliedHashes,
  {
    leftAlone = [],
    stored = [],
  }: { readonly leftAlone?: readonly LeftAlone[]; readonly stored?: readonly StoredOtherwise[] } = {},
): LastAppliedHashes {
  const declared = new Map(configuration.declared.map((resource) => [resource.address, resource]));
  const run: VerifiedApply = { configuration, declared, applied, verifying, before, stored };
  const hashes = [
    ...unreadableFields(run),
    ...refusedShortenings(run),
    ...refusedDeletions(run),
    ...environmentFields(run),
    ...storedFields(run),
  ];
  const places = leftAlone.map(({ address, path }) => `${address}#${path?.slice(1) ?? ""}`);
  const isLeftAlone = (key: string): boolean =>
    places.some((place) =>
      place.endsWith("#") ? key.startsWith(place) : key === place || key.startsWith(`${place}?`),
    );
  const recorded = [
    ...hashes.filter(([key]) => !isLeftAlone(key)),
    ...Object.entries(before).filter(([key]) => isLeftAlone(key)),
  ];
  return Object.fromEntries(recorded.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Declared or omitted fields that the service does not return; of those that hold references, whether any apply has sent them. */
function unreadableFields({ declared, applied, verifying, before }: VerifiedApply): readonly Hashed[] {
  const sent = new Set(
    applied.flatMap(({ address, body }) => Object.keys(body ?? {}).map((field) => `${address}#${field}`)),
  );
  return verifying.unreadable.flatMap(({ address, path }): readonly Hashed[] => {
    const resource = declared.get(address);
    if (resource === undefined) return [];
    // A secret is not recorded, not even as a hash: a short one could be guessed from it.
    if (resource.secrets.some((pointer) => pointerIsWithin(pointer, path))) return [];
    const field = path.slice(1);
    const value = writableFields(resource.kind, resource.fields)[field];
    const key = `${address}#${field}`;
    if (value === undefined) return [[key, UNDECLARED]];
    const hash = hashValue(value);
    if (resource.kind.fields?.[field]?.holdsReferences !== true) return [[key, hash]];
    const wasSent = sent.has(key) || (before[key] === hash && before[`${key}${UNSENT}`] === undefined);
    return wasSent ? [[key, hash]] : [key, `${key}${UNSENT}`].map((each): Hashed => [each, hash]);
  });
}

/** Lists that the service would not shorten, as long as they are declared as they are now, and not those that it stored otherwise. */
function refusedShortenings({ declared, verifying, before, stored }: VerifiedApply): readonly Hashed[] {
  const altered = new Set(stored.map(({ address, field }) => `${address}#${field.path.slice(1)}${REFUSED}`));
  const open = new Set(
    verifying.operations
      .filter(({ retains }) => retains !== undefined)
      .flatMap(({ address, body }) => Object.keys(body ?? {}).map((field) => `${address}#${field}${REFUSED}`))
      .filter((key) => !altered.has(key)),
  );
  return [...open, ...Object.keys(refusedHashes(before))].flatMap((key): readonly Hashed[] => {
    const at = key.lastIndexOf("#");
    const value = declared.get(key.slice(0, at))?.fields[key.slice(at + 1, -REFUSED.length)];
    if (value === undefined) return [];
    const hash = hashValue(value);
    return open.has(key) || before[key] === hash ? [[key, hash]] : [];
  });
}

/** Resources that the service would not delete. The apply is verified, so a deletion that left its resource was refused. */
function refusedDeletions({ applied, verifying, before }: VerifiedApply): readonly Hashed[] {
  const tried = new Set(applied.filter(isRetainingDeletion).map(({ address }) => address));
  const staying = verifying.warnings.flatMap(({ code, address }) => (code === "W_RETAINED" ? (address ?? []) : []));
  const addresses = [
    ...verifying.operations.filter(isRetainingDeletion).map(({ address }) => address),
    ...staying.filter((address) => tried.has(address) || before[deletionRefusedKey(address)] !== undefined),
  ];
  return addresses.map((address): Hashed => [deletionRefusedKey(address), hashValue(null)]);
}

function isRetainingDeletion({ method, retains }: Plan["operations"][number]): boolean {
  return method === "DELETE" && retains !== undefined;
}

/** Fields that this apply or an earlier one has set from the environment, until the files declare another value or the resource is gone. */
function environmentFields({ configuration, applied, before }: VerifiedApply): readonly Hashed[] {
  const keyOf = (address: string, field: string) => `${address}#${field}${ENVIRONMENT}`;
  const own = configuration.declared.flatMap(({ address, secrets }) =>
    secrets.map((pointer) => keyOf(address, pointer.split("/")[1] ?? "")),
  );
  const declared = new Set(
    configuration.declared.flatMap(({ address, fields }) => Object.keys(fields).map((field) => keyOf(address, field))),
  );
  const deleted = deletedIn(applied);
  const former = Object.keys(environmentHashes(before)).filter(
    (key) => !declared.has(key) && !deleted.has(addressIn(key)),
  );
  return [...new Set([...own, ...former])].map((key): Hashed => [key, hashValue(null)]);
}

/** The address of an entry. */
function addressIn(key: string): string {
  return key.slice(0, key.lastIndexOf("#"));
}

/** The addresses of what an apply has deleted. A resource that may have been disabled instead still holds its values. */
function deletedIn(applied: Plan["operations"]): ReadonlySet<string> {
  const deletions = applied.filter(
    ({ method, fallback, retains }) => method === "DELETE" && fallback === undefined && retains === undefined,
  );
  return new Set(deletions.map(({ address }) => address));
}

/** Values that the service stored otherwise, now or earlier, of what is not deleted. The hash tells whether both sides still stand. */
function storedFields({ applied, before, stored }: VerifiedApply): readonly Hashed[] {
  const deleted = deletedIn(applied);
  const earlier = Object.entries(storedHashes(before)).filter(([key]) => !deleted.has(addressIn(key)));
  return Object.entries(withStored(Object.fromEntries(earlier), stored));
}
