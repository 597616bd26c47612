/** What the settings say about removals: the policy of a kind, the protected addresses, the ceiling. */

import type { RemovalPolicy, Settings } from "../../config/settings/settings.ts";
import type { RemovalLimit } from "../../core/flag-values.ts";
import { type Kind, topKindOf } from "../../kinds/kind.ts";

/** The removal policy of a kind; what is nested follows the key it is declared under. */
export function policyOf(settings: Settings, kind: Kind): RemovalPolicy {
  return settings.removal.kinds[kind.name] ?? settings.removal.kinds[topKindOf(kind)] ?? settings.removal.default;
}

/** Whether an address matches a pattern in which `*` stands for any text. */
export function matches(pattern: string, address: string): boolean {
  const text = pattern
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${text}$`, "su").test(address);
}

/**
 * The number of removals that a kind allows, given how many of its live entries are enabled.
 * Without a ceiling: 30 % (rounded down, at least 1) where there are at least ten, else 3.
 */
export function allowed(ceiling: RemovalLimit | undefined, enabled: number): number {
  if (ceiling === undefined) return enabled >= 10 ? Math.max(1, Math.floor(enabled * 0.3)) : 3;
  if ("entries" in ceiling) return ceiling.entries;
  return enabled >= 10 ? Math.max(1, Math.floor((enabled * ceiling.percent) / 100)) : 3;
}
