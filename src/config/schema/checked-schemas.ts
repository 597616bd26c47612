/** The schemas of files. The build compiles their validators. */

import { defined, type Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { moduleSchema, resourceSchema } from "./schema.ts";
import { settingsSchema } from "./settings-schema.ts";

/** Returns the schemas by the name of their validator: a kind for one resource, `routing_tests`, and `settings`. */
export function checkedSchemas(kinds: readonly Kind[]): ReadonlyMap<string, Fields> {
  return new Map([
    ...kinds.map((kind) => [kind.name, standaloneSchema(kind)] as const),
    ["routing_tests", moduleSchema("routing-tests")],
    ["settings", settingsSchema(kinds)],
  ]);
}

/** The schema of one resource, with the definitions that it refers to. */
function standaloneSchema(kind: Kind): Fields {
  const { whole, part } = resourceSchema(kind);
  return part === whole ? whole : { ...defined({ $defs: whole.$defs }), ...part };
}
