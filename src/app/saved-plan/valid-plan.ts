/** Validates a plan from an untrusted file. The only file that imports the compiled validator of plans. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { SealedPlan } from "../../plan/model/plan.ts";

/**
 * Returns the value as a plan; undefined if it does not match `schemas/plan.json` or is nested too deeply to be shown. Unknown
 * properties are allowed, because later versions may add some. Only planning again shows whether the plan still holds.
 */
export async function validPlan(value: Json): Promise<(Fields & SealedPlan) | undefined> {
  if (!isShallow(value)) return undefined;
  const { isPlan } = await import("#plan-validator");
  return isPlan(value) ? (value as Fields & SealedPlan) : undefined;
}

/** Deepest nesting of a plan: configuration files nest at most 32 levels, and a plan adds a few. */
const MAX_DEPTH = 64;

/** Whether a value is nested no deeper than a plan can be. */
export function isShallow(value: Json, depth: number = MAX_DEPTH): boolean {
  if (!isFields(value) && !isList(value)) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
