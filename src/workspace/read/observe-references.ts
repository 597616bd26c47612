/** Reads whole kinds, as far as the token may: some kinds, or some kinds and those that they reference. */

import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { CannotRead } from "../../service/lists/cannot-read.ts";
import type { Reader } from "../../service/requests/connection.ts";
import { NOTHING_READ, type Observation } from "../match/observation.ts";
import { type ObserveOptions, observe } from "./observe.ts";

/** Reads every list of the kinds `own`, with the rows' details, and every list of the kinds `others` and of those that `own` may reference. */
export async function observeWithReferences(
  reader: Reader,
  kinds: readonly Kind[],
  own: ReadonlySet<string>,
  isNeeded: (kind: string) => boolean,
  others: Iterable<string> = [],
): Promise<Observation> {
  const names = new Set([...own, ...others]);
  for (const { name, references: { dependsOn = [] } = {} } of kinds)
    if (own.has(name)) for (const other of dependsOn) names.add(other);
  const detail = (kind: Kind): boolean => own.has(kind.name);
  return observeKinds(reader, kinds, names, isNeeded, { parallelism: PARALLELISM, detail });
}

/**
 * Reads every list of these kinds. Throws the error of `observe` if the token is invalid, or if it may not read a kind that `isNeeded`;
 * any other kind that it may not read is recorded as unread.
 */
export async function observeKinds(
  reader: Reader,
  kinds: readonly Kind[],
  names: ReadonlySet<string>,
  isNeeded: (kind: string) => boolean,
  options: Pick<ObserveOptions, "parallelism" | "detail">,
): Promise<Observation> {
  let observation = NOTHING_READ;
  for (const { name } of kinds.filter((kind) => names.has(kind.name))) {
    try {
      observation = await observe(reader, kinds, [{ kind: name, every: true }], { ...options, earlier: observation });
    } catch (error) {
      if (!(error instanceof CannotRead) || error.refusal.status === 401 || isNeeded(name)) throw error;
      observation = { ...observation, unread: [...observation.unread, name] };
    }
  }
  return observation;
}
