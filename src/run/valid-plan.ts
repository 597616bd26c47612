/** Plans from files that anybody may have written: the only file that imports the compiled validator of plans. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Plan } from "../plan/plan.ts";

/**
 * The value as a plan; undefined if it does not match `schemas/plan.json` or is nested too deeply to be shown. Properties that the
 * schema does not know are allowed, since later versions may add some. Whether the plan still holds, only planning again can tell.
 */
export async function validPlan(value: Json): Promise<(Fields & Plan) | undefined> {
  if (!isShallow(value, MAX_DEPTH)) return undefined;
  const { isPlan } = await import("#plan-validator");
  return isPlan(value) ? (value as Fields & Plan) : undefined;
}

/** Files of a configuration nest at most 32 lists and mappings; a plan puts a few around them. */
const MAX_DEPTH = 64;

function isShallow(value: Json, depth: number): boolean {
  if (!isFields(value) && !isList(value)) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
