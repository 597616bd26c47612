/** Rules of conditions in forms and runbooks: they can only compare custom fields with options. */

import { objectsIn } from "../../core/json.ts";
import type { DeclaredResource } from "../../kinds/model/resource.ts";
import { WITHOUT_OPTIONS } from "../../kinds/values/conditions.ts";
import type { CheckContext } from "./rule.ts";

/** Records every condition on a custom field without options. */
export function checkConditions({ fields, place }: DeclaredResource, { declared, findings }: CheckContext): void {
  for (const [index, { custom_field }] of objectsIn(fields.conditions).entries()) {
    if (typeof custom_field !== "string") continue;
    const target = declared.resource("custom_fields", custom_field);
    const type = String(target?.fields.field_type);
    if (target === undefined || !WITHOUT_OPTIONS.has(type)) continue;
    findings.error(
      "E_CONDITION",
      `a condition cannot read ${target.address}, a field of type ${type}`,
      place(`/conditions/${index}/custom_field`),
      {
        related: [{ message: "its type is declared here", at: target.place("/field_type") }],
        help: "Conditions read selects and catalog references only.",
      },
    );
  }
}
