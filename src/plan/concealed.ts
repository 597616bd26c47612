/** What the service holds from an earlier configuration's environment: no file says any more that it is secret, but an apply remembers. */

import { MASK } from "./compare.ts";
import { isConcealed, type Lock } from "./memory.ts";
import type { Change } from "./plan.ts";

/** The change without live values that an apply took from the environment. */
export function concealing<Shown extends Pick<Change, "address" | "fields">>(change: Shown, lock: Lock): Shown {
  const { address, fields } = change;
  const told = fields.map((field) => {
    const isSecret = field.before !== null && isConcealed(lock, address, field.path.split("/")[1] ?? "");
    return isSecret ? { ...field, before: MASK, secret: true as const } : field;
  });
  return { ...change, fields: told };
}
