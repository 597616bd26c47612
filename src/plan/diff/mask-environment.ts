/** Masks live values that an earlier configuration took from the environment: the files of today no longer mark them as secret. */

import { MASK } from "../../core/value-text.ts";
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
