/** Reading some kinds and whatever they mention, where a refusal of what is only mentioned is no error. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead } from "../api/read/cannot-read.ts";
import { PARALLELISM } from "../core/defaults.ts";
import type { Kind } from "../kinds/kind.ts";
import { NOTHING_READ, type Observation } from "../match/observation.ts";
import { observe } from "./observe.ts";

/**
 * Every list of the kinds `own`, in detail, then of those `along` and of all that the own ones may mention. Throws what a
 * kind that `isNeeded` is refused with, and whatever is refused because the token is no good at all; the others count as unread.
 */
export async function observeWithReferences(
  reader: Reader,
  kinds: readonly Kind[],
  own: ReadonlySet<string>,
  isNeeded: (kind: string) => boolean,
  along: Iterable<string> = [],
): Promise<Observation> {
  const wanted = new Set([...own, ...along]);
  for (const { name, references: { dependsOn: after = [] } = {} } of kinds)
    if (own.has(name)) for (const other of after) wanted.add(other);
  let observation: Observation = NOTHING_READ;
  for (const { name } of kinds.filter((kind) => wanted.has(kind.name))) {
    try {
      observation = await observe(reader, kinds, [{ kind: name, every: true }], {
        parallelism: PARALLELISM,
        already: observation,
        detail: (kind) => own.has(kind.name),
      });
    } catch (error) {
      if (!(error instanceof CannotRead) || error.refusal.status === 401 || isNeeded(name)) throw error;
      observation = { ...observation, unread: [...observation.unread, name] };
    }
  }
  return observation;
}
