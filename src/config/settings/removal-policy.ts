/** The settings about removals: the policy of a kind, protected addresses, the limit. */

import type { RemovalLimit } from "../../core/flag-values.ts";
import { type Kind, topKindOf } from "../../kinds/model/kind.ts";
import type { RemovalPolicy, Settings } from "./settings.ts";

/** The removal policy of a kind; a nested kind follows the key that it is declared under. */
export function removalPolicyOf(settings: Settings, kind: Kind): RemovalPolicy {
  return settings.removal.kinds[kind.name] ?? settings.removal.kinds[topKindOf(kind)] ?? settings.removal.default;
}

/** Whether an address matches a pattern in which `*` matches any text. Without a regular expression, whose search may take hours. */
export function matchesPattern(pattern: string, address: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return address === first;
  const end = address.length - last.length;
  if (end < first.length || !address.startsWith(first) || !address.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = address.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * The number of removals that a kind allows, by the number of its enabled live resources. A stated percentage is rounded down and holds for
 * every kind; 0 % is none. Default: 30 % (at least 1) of ten or more, else 3.
 */
export function removalLimitFor(limit: RemovalLimit | undefined, enabled: number): number {
  if (limit === undefined) return enabled >= 10 ? Math.max(1, Math.floor(enabled * 0.3)) : 3;
  if ("entries" in limit) return limit.entries;
  return Math.floor((enabled * limit.percent) / 100);
}
