/**
 * Hashes of what was last applied (`incidentctl.lock`): of fields that the service does not return, of values that it stored otherwise, of refusals, of which fields hold
 * values from the environment, and of tokens that a sink has stored. Plans are correct without them.
 */

import { createHash } from "node:crypto";
import { canonical, type Json } from "../../core/json.ts";
import { isDisabled } from "../../kinds/model/resource.ts";
import { fieldValue, type ResolvedState } from "./resolved-state.ts";

/** Hash of a declared value, or `UNDECLARED`, by address and field: `runbooks/failover#conditions`. */
export type LastAppliedHashes = Readonly<Record<string, string>>;

/** The hashes of the last apply, and how a plan uses them. */
export interface LastApplied {
  readonly hashes: LastAppliedHashes;
  /** Send every field that the service does not return, whatever its hash says. */
  readonly resend: boolean;
  /** The plan verifies an apply: it lists omitted fields as unreadable too, to record them, and shows options in the form in which they were stored. */
  readonly verifying?: true;
  /** Hashes of the prefixes of tokens that a sink has stored; absent if nothing is known about them, as without a lock file. */
  readonly storedTokens?: ReadonlySet<string>;
}

/** Ends the key of a resource that the configuration protected: its removal deserves a warning. */
const PROTECTED = "?protected";

/** Recorded of a field that the files omitted at the last apply: whatever they declare later is a change. */
export const UNDECLARED = "undeclared";

/** Ends the key of a list whose shortening the service refused, and of a resource whose deletion it refused. */
export const REFUSED = "?refused";

/** Ends the key of a field whose hash is recorded although no apply has sent its value. */
export const UNSENT = "?unsent";

/** Ends the key of a field that an apply has set from the environment: until the files declare another value, its live value is secret. */
export const ENVIRONMENT = "?environment";

/** Ends the key of a field that the service stored with another value than was sent. */
const STORED = "?stored";

/** Ends the key of the same, before a later apply sent another value: `undo` restores it. */
const STORED_BEFORE = "?stored-before";

/** Ends the key of a resource that an apply has disabled, and of which the service does not return that. */
const DISABLED = "#?disabled";

/** Starts the last part of the key of a token that a sink has stored. */
const STORED_TOKEN = "#?token:";

/** Whether a declared value differs from the one last applied; undefined if none is recorded. */
export function differsFromLastApplied(
  { hashes, resend }: LastApplied,
  address: string,
  field: string,
  value: Json,
): boolean | undefined {
  if (resend) return true;
  const recorded = hashes[`${address}#${field}`];
  return recorded === undefined ? undefined : recorded !== hashValue(value);
}

/** Whether the declared value is recorded, but no apply has sent it: the service may hold another one. */
export function wasNeverSent({ hashes }: LastApplied, address: string, field: string, value: Json): boolean {
  return hashes[`${address}#${field}${UNSENT}`] === hashValue(value);
}

/** A difference of a field: its JSON Pointer, the live value and the declared one. */
interface Difference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly secret?: true;
}

/** Whether an apply has sent the declared value, and the service has stored the live one instead. */
export function wasStoredOtherwise({ hashes, resend }: LastApplied, address: string, difference: Difference): boolean {
  const key = storedKey(address, difference);
  const hash = storedHash(difference);
  return !resend && (hashes[key] === hash || hashes[beforeKey(key)] === hash);
}

/** The values that the service stored otherwise, for any resource of their lists. */
export type StoredInLists = ReadonlySet<string>;

/** Returns the values that the service stored otherwise, for any resource of their lists. */
export function storedInLists({ hashes, resend }: LastApplied): StoredInLists {
  // Only the latest: a list is undone as a whole, and a pair from before may tell of another rule at that place.
  const latest = resend ? [] : Object.entries(entriesEnding(hashes, STORED));
  return new Set(latest.map(([key, hash]) => withoutKey(key, hash)));
}

/** Whether an apply has sent the declared value to a resource of the same list, and the service has stored the live one instead. */
export function wasStoredInList(stored: StoredInLists, address: string, difference: Difference): boolean {
  return stored.has(withoutKey(storedKey(address, difference), storedHash(difference)));
}

/** An entry without the last part of its address. */
function withoutKey(entry: string, hash: string): string {
  const end = entry.lastIndexOf("#");
  return `${entry.slice(0, entry.lastIndexOf("/", end))}${entry.slice(end)} ${hash}`;
}

/**
 * The hashes with the entries of fields that the service stored with other values than were sent. What an entry had before stays beside it.
 * A secret has no entry: a short one could be guessed from its hash.
 */
export function withStored(
  hashes: LastAppliedHashes,
  stored: readonly { readonly address: string; readonly field: Difference }[],
): LastAppliedHashes {
  const entries = stored.flatMap(({ address, field }) => {
    if (field.secret === true) return [];
    const key = storedKey(address, field);
    const [former, latest] = [hashes[key], storedHash(field)];
    return former === undefined || former === latest
      ? [[key, latest] as const]
      : [[key, latest] as const, [beforeKey(key), former] as const];
  });
  return { ...hashes, ...Object.fromEntries(entries) };
}

/** The key of the entry that a field had before its latest one. */
function beforeKey(key: string): string {
  return key.slice(0, -STORED.length) + STORED_BEFORE;
}

function storedKey(address: string, { path }: Difference): string {
  return `${address}#${path.slice(1)}${STORED}`;
}

function storedHash({ before, after }: Difference): string {
  return hashValue([after, before]);
}

/** The hashes for a plan that verifies an apply: without those of the values that it sent. */
export function whileVerifying({ hashes }: Pick<LastApplied, "hashes">): LastApplied {
  const disabled = entriesEnding(hashes, DISABLED);
  const known = { ...refusedHashes(hashes), ...environmentHashes(hashes), ...storedHashes(hashes), ...disabled };
  return { hashes: known, resend: false, verifying: true };
}

/** The entries about values that the service stored otherwise. */
export function storedHashes(hashes: LastAppliedHashes): LastAppliedHashes {
  return { ...entriesEnding(hashes, STORED), ...entriesEnding(hashes, STORED_BEFORE) };
}

/** Addresses of the resources that an apply has disabled, and of which the service does not return that. */
export function disabledAddresses({ hashes, resend }: LastApplied): ReadonlySet<string> {
  const keys = resend ? [] : Object.keys(entriesEnding(hashes, DISABLED));
  return new Set(keys.map((key) => key.slice(0, -DISABLED.length)));
}

/** The hashes with what an apply has switched: address → whether it is enabled now. */
export function withSwitched(hashes: LastAppliedHashes, switched: ReadonlyMap<string, boolean>): LastAppliedHashes {
  const isSwitched = (key: string) => key.endsWith(DISABLED) && switched.has(key.slice(0, -DISABLED.length));
  const others = Object.entries(hashes).filter(([key]) => !isSwitched(key));
  const off = [...switched].flatMap(([address, isOn]) =>
    isOn ? [] : [[address + DISABLED, hashValue(false)] as const],
  );
  return Object.fromEntries([...others, ...off]);
}

/** The resources that were read: address → false where it is disabled and the service does not return that. */
export function switchesIn(state: ResolvedState): ReadonlyMap<string, boolean> {
  const live = [...state.kinds.keys()].flatMap((kind) => state.all(kind));
  return new Map(
    live.map((resource) => {
      const { kind, row, address } = resource;
      const isReturned = fieldValue(kind, row, kind.lifecycle.disable ?? "") !== undefined;
      return [address, isReturned || !isDisabled(resource)];
    }),
  );
}

/** Whether the service refused, at the last apply, to remove what this declared list omits. */
export function wasShorteningRefused(
  { hashes, resend }: LastApplied,
  address: string,
  field: string,
  value: Json,
): boolean {
  return !resend && hashes[`${address}#${field}${REFUSED}`] === hashValue(value);
}

/** Whether the service refused, at the last apply, to delete this resource, which is not declared and cannot be disabled. */
export function wasDeletionRefused({ hashes, resend }: LastApplied, address: string): boolean {
  return !resend && hashes[deletionRefusedKey(address)] !== undefined;
}

/** Whether the live value of a field may be one that an apply took from the environment. */
export function cameFromEnvironment(hashes: LastAppliedHashes, address: string, field: string): boolean {
  return hashes[`${address}#${field}${ENVIRONMENT}`] !== undefined;
}

/** Whether the configuration that was last applied had `protected: true` in the resource. */
export function wasProtected({ hashes }: LastApplied, address: string): boolean {
  return hashes[`${address}#${PROTECTED}`] !== undefined;
}

/** The hashes with an entry for each of these protected resources, and for no others. */
export function withProtected(hashes: LastAppliedHashes, addresses: readonly string[]): LastAppliedHashes {
  const others = Object.entries(hashes).filter(([key]) => !key.endsWith(PROTECTED));
  const own = addresses.map((address) => [`${address}#${PROTECTED}`, hashValue(true)] as const);
  return Object.fromEntries([...others, ...own].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The key of a refused deletion. */
export function deletionRefusedKey(address: string): string {
  return `${address}#${REFUSED}`;
}

/** The entries for resources that the service refused to delete. */
export function refusedDeletions(addresses: readonly string[]): LastAppliedHashes {
  return Object.fromEntries(addresses.map((address) => [deletionRefusedKey(address), hashValue(null)]));
}

/** The entries about refusals. */
export function refusedHashes(hashes: LastAppliedHashes): LastAppliedHashes {
  return entriesEnding(hashes, REFUSED);
}

/** The entries about values from the environment. */
export function environmentHashes(hashes: LastAppliedHashes): LastAppliedHashes {
  return entriesEnding(hashes, ENVIRONMENT);
}

/** Whether an entry is about a stored token. */
export function isTokenKey(key: string): boolean {
  return key.includes(STORED_TOKEN);
}

/** The hashes of the prefixes of stored tokens. */
export function storedTokens(hashes: LastAppliedHashes): ReadonlySet<string> {
  return new Set(Object.entries(hashes).flatMap(([key, hash]) => (isTokenKey(key) ? [hash] : [])));
}

/** The entry of a token that a sink has stored. A resource may have several tokens. */
export function tokenHash(address: string, prefix: string): readonly [key: string, hash: string] {
  const hash = hashValue(prefix);
  return [`${address}${STORED_TOKEN}${hash.slice(0, 12)}`, hash];
}

function entriesEnding(hashes: LastAppliedHashes, end: string): LastAppliedHashes {
  return Object.fromEntries(Object.entries(hashes).filter(([key]) => key.endsWith(end)));
}

/** The hash of a declared value. */
export function hashValue(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}
