/** A010: a question that no program knows the answer to. */

import type { Analyzer, Hit } from "../analyzer.ts";
import { about, rowsOf } from "../reading.ts";
import type { View } from "../view.ts";

export const declareFormDemand: Analyzer = {
  id: "A010",
  name: "declare-form-demand",
  severity: "warning",
  title: "The declare form requires a custom field, and programs that do not send it can no longer declare incidents.",
  why: "The service holds declarations over its interface against the declare form. A monitor that declared incidents yesterday is refused tonight, and nobody sees the refusal.",
  fix: "Make the field optional on the declare form and required on the resolve form, or teach every program to send it first and then waive this.",
  find,
};

function* find(view: View): Iterable<Hit> {
  if (!view.manages("forms", "declare")) return;
  for (const field of view.subjects("forms", "declare")) {
    const { fields, declared, live } = field;
    if (declared === undefined || typeof fields.custom_field !== "string") continue;
    if (fields.required !== true || fields.visible === false) continue;
    // What the form asks already breaks nothing new.
    if (live?.fields.required === true && live.fields.visible !== false) continue;
    const conditional = rowsOf(fields.conditions).length > 0;
    yield {
      message: `declarations over the interface fail without ${fields.custom_field}${conditional ? " when its conditions hold" : ""}`,
      ...about(field, "/required"),
      ...(conditional ? { severity: "note" } : {}),
    };
  }
}
