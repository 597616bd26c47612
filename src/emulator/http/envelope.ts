/** The envelope of one member: bare, or under the entry's name. */

import type { Fields } from "../../core/json.ts";
import type { Dialects } from "../dialects.ts";

/** The member's body as the dialect `envelope` has it; `name` is the singular, such as `severity`. */
export function member(name: string, body: Fields, dialects: Dialects): Fields {
  return dialects.envelope === "wrapped" ? { [name]: body } : body;
}
