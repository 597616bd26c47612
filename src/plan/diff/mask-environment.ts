/** Masks live values of changes that may be secret: the files of today no longer mark what an earlier configuration took from the environment. */

import type { Fields } from "../../core/json.ts";
import { MASK } from "../../core/value-text.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { cameFromEnvironment, type LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { Change, FieldChange } from "../model/plan.ts";

/** The change without live values that an apply took from the environment. */
export function maskEnvironmentValues<Masked extends Pick<Change, "address" | "fields">>(
  change: Masked,
  hashes: LastAppliedHashes,
): Masked {
  const { address, fields } = change;
  const isSecret = ({ path, before }: FieldChange) =>
    before !== null && cameFromEnvironment(hashes, address, path.split("/")[1] ?? "");
  if (!fields.some(isSecret)) return change;
  return {
    ...change,
    fields: fields.map((field) => (isSecret(field) ? masked(field) : field)),
  };
}

/** Both values masked: the text of a plan masks both, and a saved plan must be what its text says. */
function masked({ path, after }: FieldChange): FieldChange {
  return { path, before: MASK, after: after === null ? null : MASK, secret: true };
}

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
