/**
 * Whether a field of a live resource has its declared value: the only comparison of the two. Matching, plans, `pull`, `undo` and drift ask here;
 * what a response says of a value that was sent is in `same-answer.ts`.
 */

import { equal, type Json } from "../../core/json.ts";
import type { Equality, Kind } from "../model/kind.ts";
import { isSameValue } from "./same-value.ts";
import { type Sameness, sameness } from "./sameness.ts";

/**
 * Whether a live value is the declared one, in the same form or in another one. White space may mean something in the conditions of a rule, and
 * options are told apart by their labels: these are the same only as they stand.
 */
export function compareField(kind: Kind, field: string, live: Json, declared: Json): Sameness {
  const equals: Equality = (left, right) => equalField(kind, field, left, right);
  const isExact = kind.rule?.conditions === field || kind.fields?.[field]?.optionList === true;
  return isExact ? { isSame: equals(live, declared), forms: [] } : sameness(equals, live, declared);
}

/** Whether a live value is the declared one, in any form. */
export function isSameField(kind: Kind, field: string, live: Json, declared: Json): boolean {
  return compareField(kind, field, live, declared).isSame;
}

/** Whether a value is another one in the same form. Rules are compared as their transition does. */
export function equalField(kind: Kind, field: string, live: Json, declared: Json): boolean {
  if (kind.lifecycle.order === "rank") return isSameValue(live, declared);
  return (kind.fields?.[field]?.equals ?? equal)(live, declared);
}

/** Compares the name of a live resource, or of an option, with the declared one. */
export function compareName(live: string, declared: string): Sameness {
  return sameness(equal, live, declared);
}
