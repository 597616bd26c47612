/** A rule of a ranked list as its transition sees it: what it matches, what it does, both opaque. */

import { canonical, type Fields, isFields, type Json } from "../../core/json.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Rule } from "./rule-list.ts";

/** Whether a rule matches everything: enabled, and without conditions. */
export function matchesAll(fields: Fields | undefined): boolean {
  const conditions = fields?.conditions ?? [];
  return fields !== undefined && fields.enabled !== false && Array.isArray(conditions) && conditions.length === 0;
}

/** What two rules must share to match the same alerts, and to do the same. */
export function rule(kind: Kind, fields: Fields): Rule {
  const { outcome = null, ...match } = Object.fromEntries(
    Object.keys(kind.fields ?? {}).map((name) => [name, fields[name] ?? null]),
  );
  const reach = fields.enabled === false ? "none" : matchesAll(fields) ? "all" : undefined;
  return { match: normal(match), outcome: normal(outcome), ...(reach === undefined ? {} : { reach }) };
}

/** Whether a field of two rules says the same; blank and missing are one. */
export function agree(left: Json, right: Json): boolean {
  return normal({ value: left }) === normal({ value: right });
}

/** Text that is equal for values that mean the same: sets sorted, blank members dropped. */
export function normal(value: Json): string {
  if (Array.isArray(value))
    return `[${value
      .map((item: Json) => normal(item))
      .sort()
      .join()}]`;
  if (!isFields(value)) return canonical(value);
  const members = Object.entries(value).filter(
    ([, member]) => member !== null && member !== "" && !(Array.isArray(member) && member.length === 0),
  );
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${normal(member)}`)
    .sort()
    .join()}}`;
}
