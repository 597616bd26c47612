/** Routing rules by scope, and which of them are in force for an alert source. */

import { type Fields, isFields } from "../core/json.ts";
import { type Condition, conditionsIn } from "./condition.ts";

/** One rule, in the words of the configuration. */
export interface Rule {
  /** What people call it; rules that no file declares have none. */
  readonly label?: string;
  /** What the service addresses it by; declared rules have none. */
  readonly priority?: number;
  readonly enabled: boolean;
  readonly conditions: readonly Condition[];
  readonly outcome: Fields;
}

/** The rules of every scope that is known; `workspace` is undefined when nobody knows the workspace's rules. */
export interface RuleSets {
  readonly workspace: readonly Rule[] | undefined;
  /** By the name of the alert source; a source that is not in it has no rules of its own. */
  readonly sources: ReadonlyMap<string, readonly Rule[]>;
}

/** The rules that decide about an alert. */
export interface InForce {
  readonly rules: readonly Rule[] | undefined;
  /** The source whose own rules they are; empty for the workspace's. */
  readonly scope: string;
}

/** A rule from the fields of an entry. */
export function ruleOf(fields: Fields, known: Pick<Rule, "label" | "priority"> = {}): Rule {
  return {
    ...known,
    enabled: fields.enabled !== false,
    conditions: conditionsIn(fields.conditions),
    outcome: isFields(fields.outcome) ? fields.outcome : {},
  };
}

/** A source's own rules, or else the workspace's (Configuration resources, rule 6). */
export function rulesInForce(sets: RuleSets, source: string | undefined): InForce {
  const own = source === undefined ? undefined : sets.sources.get(source);
  if (source !== undefined && own !== undefined && own.length > 0) return { rules: own, scope: source };
  return { rules: sets.workspace, scope: "" };
}
