/** Sameness of values in routing rules, whose lists are sets. */

import { canonical, isFields, type Json } from "../../core/json.ts";

/** Whether a field of two rules means the same. A missing value and an empty one do. */
export function isSameValue(left: Json, right: Json): boolean {
  return normalizedText({ value: left }) === normalizedText({ value: right });
}

/** Text that is equal for values that mean the same: lists are sorted as sets, empty members left out. */
export function normalizedText(value: Json): string {
  if (Array.isArray(value))
    return `[${value
      .map((item: Json) => normalizedText(item))
      .sort()
      .join()}]`;
  if (!isFields(value)) return canonical(value);
  const members = Object.entries(value).filter(
    ([, member]) => member !== null && member !== "" && !(Array.isArray(member) && member.length === 0),
  );
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${normalizedText(member)}`)
    .sort()
    .join()}}`;
}
