/** Fixed options of a custom field: how a resent list of labels meets the options that are there (rule 3). */

import { randomUUID } from "node:crypto";
import { invalid } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { countReferences } from "../../store/references.ts";
import { type CustomFieldOptionRow, type CustomFieldRow, customFieldOptions } from "./custom-field-tables.ts";

const maximumOptions = 100;
const maximumLabelLength = 75;

/**
 * Makes the labels the field's options, in their order. An exact label keeps its option. What is left over meets by the
 * dialect `options`: renamed, it passes on its id from old label to new in list order; replaced, it is removed. Throws 422
 * for a removed option that is still referred to, and for a new label sent twice.
 */
export function replaceOptions(service: Service, field: CustomFieldRow, sent: readonly string[]): void {
  const { database, dialects } = service;
  const labels = sent.map((label) => label.trim()).filter((label) => label !== "");
  const existing = database.list(customFieldOptions, { field_id: field.id }, { order: "position" });
  checkCount(labels.length);
  checkLabels(labels, existing);
  const isKept = ({ label }: CustomFieldOptionRow): boolean => labels.includes(label);
  const leftOver = existing.filter((option) => !isKept(option));
  const renames = dialects.options === "rename" ? newLabels(labels, existing) : [];
  const renamed = new Map(renames.flatMap((label, at) => pair(label, leftOver[at])));
  for (const option of leftOver.slice(renamed.size)) remove(service, option);
  const idOf = new Map(existing.filter(isKept).map(({ label, id }) => [label, id]));
  for (const [label, id] of renamed) idOf.set(label, id);
  for (const [index, label] of labels.entries()) {
    const id = idOf.get(label);
    const place = { label, position: index + 1 };
    if (id === undefined) database.insert(customFieldOptions, { id: randomUUID(), field_id: field.id, ...place });
    else database.update(customFieldOptions, id, place);
  }
}

/** Throws 422 when a field of fixed options has none, or more than a hundred. */
export function checkOptions(database: Database, { id }: CustomFieldRow): void {
  checkCount(database.count(customFieldOptions, { field_id: id }));
}

function checkCount(count: number): void {
  if (count === 0) throw invalid({ field: "options", message: "can't be empty" });
  if (count > maximumOptions) throw invalid({ field: "options", message: `takes at most ${maximumOptions} options` });
}

function newLabels(labels: readonly string[], existing: readonly CustomFieldOptionRow[]): readonly string[] {
  return labels.filter((label) => !existing.some((option) => option.label === label));
}

function pair(label: string, option: CustomFieldOptionRow | undefined): readonly [string, string][] {
  return option === undefined ? [] : [[label, option.id]];
}

function checkLabels(labels: readonly string[], existing: readonly CustomFieldOptionRow[]): void {
  const long = labels.find((label) => label.length > maximumLabelLength);
  if (long !== undefined) {
    throw invalid({ field: "options", message: `"${long}" is longer than ${maximumLabelLength} characters` });
  }
  const fresh = newLabels(labels, existing);
  const twice = fresh.find((label, at) => fresh.indexOf(label) !== at);
  if (twice !== undefined) throw invalid({ field: "options", message: `"${twice}" is there twice` });
}

function remove(service: Service, { id, label }: CustomFieldOptionRow): void {
  const count = countReferences(id, "custom_field_options", service).reduce((sum, each) => sum + each.count, 0);
  if (count > 0) {
    const message = `${label} is in use by ${count} reference(s) and cannot be deleted. Disable it instead.`;
    throw invalid({ field: "base", message });
  }
  service.database.remove(customFieldOptions, { id });
}
