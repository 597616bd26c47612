/** A014: two options that look the same. */

import { labelOf } from "../../../config/load/references.ts";
import { type Json, listIn, objectsIn } from "../../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { foldedText, placeOf } from "../field-values.ts";
import type { PlannedResource, PlannedWorkspace } from "../planned-workspace.ts";

export const alikeOptions: Analyzer = {
  id: "A014",
  name: "alike-options",
  severity: "warning",
  title: "Two options of a field differ only in case or white space.",
  why: "Responders see both in the same menu, so reports split what belongs together.",
  fix: "Keep one of them, with renamed_from for the other.",
  find,
};

function* find(workspace: PlannedWorkspace): Iterable<Hit> {
  for (const field of workspace.resources("custom_fields")) {
    if (field.declared !== undefined) yield* among(field.declared.fields.options, "/options", field);
  }
  for (const type of workspace.resources("catalog_types")) {
    for (const [index, { options }] of objectsIn(type.declared?.fields.attributes).entries()) {
      yield* among(options, `/attributes/${index}/options`, type);
    }
  }
}

function* among(options: Json | undefined, at: string, resource: PlannedResource): Iterable<Hit> {
  const firsts = new Map<string, string>();
  for (const [index, option] of listIn(options).entries()) {
    const label = labelOf(option);
    const first = firsts.get(foldedText(label));
    if (first === undefined) firsts.set(foldedText(label), label);
    else if (first !== label) {
      const message = `the options "${first}" and "${label}" of ${resource.address} look the same`;
      yield { message, ...placeOf(resource, `${at}/${index}`) };
    }
  }
}
