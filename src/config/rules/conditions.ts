/** Rules of conditions in forms and runbooks: they can only compare custom fields with options. */

import { objectsIn } from "../../core/json.ts";
import { WITHOUT_OPTIONS } from "../../kinds/values/conditions.ts";
import type { DeclaredResource } from "../resources/declared-resource.ts";
import { locationOf } from "../resources/origins.ts";
import type { CheckContext } from "./rule.ts";

/** Records every condition on a custom field without options. */
export function checkConditions({ fields, origins }: DeclaredResource, { declared, findings }: CheckContext): void {
  for (const [index, { custom_field }] of objectsIn(fields.conditions).entries()) {
    if (typeof custom_field !== "string") continue;
    const target = declared.resource("custom_fields", custom_field);
    const type = String(target?.fields.field_type);
    if (target === undefined || !WITHOUT_OPTIONS.has(type)) continue;
    findings.error(
      "E_CONDITION",
      `a condition cannot read ${target.address}, a field of type ${type}`,
      locationOf(origins, `/conditions/${index}/custom_field`),
      {
        related: [{ message: "its type is declared here", at: locationOf(target.origins, "/field_type") }],
        help: "Conditions read selects and catalog references only.",
      },
    );
  }
}
