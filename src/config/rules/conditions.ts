/** Conditions of forms and runbooks: a custom field that is compared must offer choices. */

import type { DeclaredResource } from "../../kinds/resource.ts";
import { rowsOf, type Scene } from "./rule.ts";

const WITHOUT_CHOICES: ReadonlySet<string> = new Set(["text", "number", "link"]);

/** Records every condition on a custom field that has nothing to choose from. */
export function checkConditions({ fields, place }: DeclaredResource, { directory, findings }: Scene): void {
  for (const [index, { custom_field }] of rowsOf(fields.conditions).entries()) {
    if (typeof custom_field !== "string") continue;
    const target = directory.entry("custom_fields", custom_field);
    const type = String(target?.fields.field_type);
    if (target === undefined || !WITHOUT_CHOICES.has(type)) continue;
    findings.error(
      "E_CONDITION",
      `a condition cannot read ${target.address}, a field of type ${type}`,
      place(`/conditions/${index}/custom_field`),
      {
        related: [{ message: "its type is stated here", at: target.place("/field_type") }],
        help: "Conditions read selects and catalog references only.",
      },
    );
  }
}
