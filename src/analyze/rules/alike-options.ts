/** A014: two options that people cannot tell apart. */

import { isList, type Json } from "../../core/json.ts";
import type { Analyzer, Hit } from "../analyzer.ts";
import { about, folded, labelOf, rowsOf } from "../reading.ts";
import type { Subject, View } from "../view.ts";

export const alikeOptions: Analyzer = {
  id: "A014",
  name: "alike-options",
  severity: "warning",
  title: "Two options of a field differ only in case or blanks.",
  why: "Both stand in the same menu, and whatever counts the answers counts half of them.",
  fix: "Keep one of the two; give the other's answers to it with renamed_from.",
  find,
};

function* find(view: View): Iterable<Hit> {
  for (const field of view.subjects("custom_fields")) {
    if (field.declared !== undefined) yield* among(field.declared.fields.options, "/options", field);
  }
  for (const type of view.subjects("catalog_types")) {
    for (const [index, { options }] of rowsOf(type.declared?.fields.attributes).entries()) {
      yield* among(options, `/attributes/${index}/options`, type);
    }
  }
}

function* among(options: Json | undefined, at: string, subject: Subject): Iterable<Hit> {
  const firsts = new Map<string, string>();
  for (const [index, option] of (isList(options) ? options : []).entries()) {
    const label = labelOf(option);
    const first = firsts.get(folded(label));
    if (first === undefined) firsts.set(folded(label), label);
    else if (first !== label) {
      const message = `the options "${first}" and "${label}" of ${subject.address} look the same to people`;
      yield { message, ...about(subject, `${at}/${index}`) };
    }
  }
}
