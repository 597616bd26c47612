/** The position rule of the four option lists: how a position is read and where an entry lands. */

import type { Json } from "../../core/json.ts";
import { badRequest } from "../http/http-error.ts";

/**
 * Reads a position: a number is cut to its whole part, a string must be a whole number, blank and null mean "not given".
 * Throws 400 for anything else.
 */
export function positionOf(value: Json | undefined): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  throw badRequest("position is not a whole number");
}

/** The list with the item at the 1-based position, the others in their order; a position beyond an end lands at that end. */
export function place<Item>(list: readonly Item[], item: Item, position: number): Item[] {
  const others = list.filter((other) => other !== item);
  const index = Math.min(others.length, Math.max(0, position - 1));
  return others.toSpliced(index, 0, item);
}
