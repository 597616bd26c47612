/** The last values of a resource that is deleted, for whoever judges the plan as JSON. */

import type { Fields } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";

/**
 * The fields of a live resource that files can declare, each value in one spelling. Values that may be secret, or that an apply took from the
 * environment, are masked.
 */
export function lastValues({ kind, address }: LiveResource, declarable: Fields, hashes: LastAppliedHashes): Fields {
  return Object.fromEntries(
    Object.entries(declarable).map(([name, value]) => {
      const { mayBeSecret = false, canonical } = kind.fields?.[name] ?? {};
      const isSecret = mayBeSecret || cameFromEnvironment(hashes, address, name);
      return [name, isSecret && value !== null ? MASK : (canonical?.(value) ?? value)];
    }),
  );
}
