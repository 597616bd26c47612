/** Rules of the schemas that have a code and a sentence of their own, beside the keyword that states them. */

import type { Fields } from "../../core/json.ts";

/** A rule of a schema with a message of its own. */
export interface SchemaRule {
  readonly code: string;
  readonly sentence: string;
}

/** The rule in the `$comment` of a schema, which is "E_CODE: sentence"; undefined if there is none. */
export function ruleOf({ $comment }: Fields): SchemaRule | undefined {
  const [, code, sentence] = (typeof $comment === "string" ? /^(E_[A-Z_]+): (.+)$/.exec($comment) : null) ?? [];
  return code === undefined || sentence === undefined ? undefined : { code, sentence };
}
