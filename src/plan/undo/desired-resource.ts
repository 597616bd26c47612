/** A resource of the configuration that undoes a run. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";

/** A resource to declare. */
export interface DesiredResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  readonly fields: Fields;
  /** JSON Pointers to values from the environment. Default: none. */
  readonly secrets?: readonly string[];
  readonly pin?: string;
  readonly renamedFrom?: string;
}

/** A desired resource that changes nothing. */
export function unchanged({ kind, scope, key, keyField, fields, id }: LiveResource): DesiredResource {
  const enabled = Object.entries(fields).filter(([name]) => name === kind.lifecycle.disable);
  return {
    kind,
    scope,
    key,
    keyField,
    fields: { [keyField]: key, ...Object.fromEntries(enabled) },
    ...(kind.identity.pin === undefined ? {} : { pin: id }),
  };
}
