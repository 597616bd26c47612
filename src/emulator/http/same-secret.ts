/** The comparison of secrets. */

import { timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal. The time of the comparison does not depend on where they differ. */
export function isSameSecret(actual: string, expected: string): boolean {
  const [left, right] = [Buffer.from(actual), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
