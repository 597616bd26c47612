/** Fixed options of a custom field: a new list of labels is matched with the existing options (rule 3). */

import { randomUUID } from "node:crypto";
import { validationError } from "../../http/http-error.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { countReferences } from "../../store/references.ts";
import { type CustomFieldOptionRow, type CustomFieldRow, customFieldOptions } from "./custom-field-tables.ts";

const maximumOptions = 100;
const maximumLabelLength = 75;

/**
 * Replaces the field's options. An equal label keeps its option. With the dialect `options: rename`, unmatched labels
 * rename unmatched options in list order; otherwise those options are removed. Throws 422 for a removed option in use,
 * and for a duplicate new label.
 */
export function replaceOptions(service: ServiceContext, field: CustomFieldRow, input: readonly string[]): void {
  const { database, dialects } = service;
  const labels = input.map((label) => label.trim()).filter((label) => label !== "");
  const existing = database.list(customFieldOptions, { field_id: field.id }, { order: "position" });
  checkCount(labels.length);
  checkLabels(labels, existing);
  const isKept = ({ label }: CustomFieldOptionRow): boolean => labels.includes(label);
  const unmatched = existing.filter((option) => !isKept(option));
  const renames = dialects.options === "rename" ? newLabels(labels, existing) : [];
  const idByNewLabel = new Map(renames.flatMap((label, at) => labelAndId(label, unmatched[at])));
  for (const option of unmatched.slice(idByNewLabel.size)) remove(service, option);
  const idOf = new Map(existing.filter(isKept).map(({ label, id }) => [label, id]));
  for (const [label, id] of idByNewLabel) idOf.set(label, id);
  for (const [index, label] of labels.entries()) {
    const id = idOf.get(label);
    const place = { label, position: index + 1 };
    if (id === undefined) database.insert(customFieldOptions, { id: randomUUID(), field_id: field.id, ...place });
    else database.update(customFieldOptions, id, place);
  }
}

/** Throws 422 if a field with fixed options has none, or more than a hundred. */
export function checkOptions(database: Database, { id }: CustomFieldRow): void {
  checkCount(database.count(customFieldOptions, { field_id: id }));
}

function checkCount(count: number): void {
  if (count === 0) throw validationError({ field: "options", message: "can't be empty" });
  if (count > maximumOptions)
    throw validationError({ field: "options", message: `takes at most ${maximumOptions} options` });
}

function newLabels(labels: readonly string[], existing: readonly CustomFieldOptionRow[]): readonly string[] {
  return labels.filter((label) => !existing.some((option) => option.label === label));
}

function labelAndId(label: string, option: CustomFieldOptionRow | undefined): readonly [string, string][] {
  return option === undefined ? [] : [[label, option.id]];
}

function checkLabels(labels: readonly string[], existing: readonly CustomFieldOptionRow[]): void {
  const tooLong = labels.find((label) => [...label].length > maximumLabelLength);
  if (tooLong !== undefined) {
    throw validationError({
      field: "options",
      message: `"${tooLong}" is longer than ${maximumLabelLength} characters`,
    });
  }
  const added = newLabels(labels, existing);
  const duplicate = added.find((label, at) => added.indexOf(label) !== at);
  if (duplicate !== undefined) throw validationError({ field: "options", message: `"${duplicate}" is there twice` });
}

function remove(service: ServiceContext, { id, label }: CustomFieldOptionRow): void {
  const count = countReferences(id, "custom_field_options", service).reduce((sum, each) => sum + each.count, 0);
  if (count > 0) {
    const message = `${label} is in use by ${count} reference(s) and cannot be deleted.`;
    throw validationError({ field: "base", message });
  }
  service.database.remove(customFieldOptions, { id });
}
