/** `ci` without a command of its own. */

import { misuse } from "../../core/flag-values.ts";

/** Says which commands there are. */
export function ci(): never {
  throw misuse("ci takes a command: review, apply, drift, pull or notify");
}
