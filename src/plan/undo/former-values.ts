/** Former values of single fields, as a configuration must state them so that the live field becomes the former one. */

import { fieldsIn, isFields, type Json, listIn, objectsIn } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { optionLabel } from "../../kinds/values/option-source.ts";
import type { ResourceSnapshot } from "../model/snapshot.ts";

/** A former value of a field whose omitted members keep their live values: null for each member that it did not have. */
export function withClearedMembers(
  kind: Kind,
  name: string,
  value: Json | undefined,
  before: Json | undefined,
): Json | undefined {
  if (kind.fields?.[name]?.alwaysSend !== true || !isFields(value) || before === null) return before;
  const former = fieldsIn(before);
  const added = Object.keys(value).filter((member) => former[member] === undefined);
  return { ...former, ...Object.fromEntries(added.map((member) => [member, null])) };
}

/** Former options; a renamed option refers to its current label. */
export function formerOptions(
  live: LiveResource,
  name: string,
  before: Json,
  { choices = {} }: ResourceSnapshot,
): Json {
  const rows = live.row[name];
  const labels = new Map(objectsIn(rows).map((row) => [String(row.id), String(row.label)] as const));
  const ids = choices[name] ?? {};
  return listIn(before).map((choice): Json => {
    const current = labels.get(ids[optionLabel(choice)] ?? "");
    return current === undefined || current === optionLabel(choice)
      ? choice
      : { label: optionLabel(choice), renamed_from: current };
  });
}

/** Whether the change gave the resource the field that only one resource of its kind can have: undoing that gives the field to another resource. */
export function takesExclusive({ lifecycle }: Kind, name: string, after: Json): boolean {
  return name === lifecycle.exclusive && after === true;
}
