/** What the service holds from an earlier configuration's environment: no file says any more that it is secret, but an apply remembers. */

import { isConcealed, type Lock } from "../../match/last-applied.ts";
import type { Change, FieldChange } from "../plan.ts";
import { MASK } from "./compare.ts";

/** The change without live values that an apply took from the environment. */
export function concealing<Shown extends Pick<Change, "address" | "fields">>(change: Shown, lock: Lock): Shown {
  const { address, fields } = change;
  const isSecret = ({ path, before }: FieldChange) =>
    before !== null && isConcealed(lock, address, path.split("/")[1] ?? "");
  if (!fields.some(isSecret)) return change;
  const told = fields.map((field) => (isSecret(field) ? { ...field, before: MASK, secret: true as const } : field));
  return { ...change, fields: told };
}
