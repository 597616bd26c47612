/** Every schema that files are held against, from which the build compiles the validators. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import { entrySchema, roomSchema } from "./schema.ts";
import { settingsSchema } from "./settings-schema.ts";

/** Each by the name of its validator: a kind's name for one entry, and the files that no kind is in. */
export function checkedSchemas(kinds: readonly Kind[]): ReadonlyMap<string, Fields> {
  return new Map([
    ...kinds.map((kind) => [kind.name, entryAlone(kind)] as const),
    ["routing_tests", roomSchema("routing-tests")],
    ["settings", settingsSchema(kinds)],
  ]);
}

/** The schema of one entry; what a nested one refers to comes with it. */
function entryAlone(kind: Kind): Fields {
  const { whole, part } = entrySchema(kind);
  return part === whole ? whole : { ...(whole.$defs === undefined ? {} : { $defs: whole.$defs }), ...part };
}
