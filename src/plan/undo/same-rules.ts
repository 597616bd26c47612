/** Compares rules of ranked lists before and after a run. */

import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { computedDefaults, equalField } from "../diff/compare.ts";

/** Whether two lists hold the same rules in the same order. */
export function isSameList(kind: Kind, left: readonly Fields[], right: readonly Fields[]): boolean {
  return left.length === right.length && left.every((one, index) => isSameRule(kind, one, right[index] ?? {}));
}

/** Whether two rules are the same in every field that the service keeps. */
export function isSameRule(kind: Kind, left: Fields, right: Fields): boolean {
  const withDefaults = (rule: Fields): Fields => ({ ...computedDefaults(kind, rule), ...rule });
  const [one, other] = [withDefaults(left), withDefaults(right)];
  const labels = new Set(kind.identity.labels);
  const names = Object.keys({ ...one, ...other }).filter((name) => !labels.has(name));
  return names.every((name) => equalField(kind, name, one[name] ?? null, other[name] ?? null));
}
