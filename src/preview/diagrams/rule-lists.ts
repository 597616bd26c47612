/** Lists of routing rules before and after a plan. */

import { MASK } from "../../core/value-text.ts";
import type { RoutingRule } from "../../kinds/routing/rules.ts";
import { declaredRules, liveRules } from "../routing-tests/rule-lists.ts";
import type { DiagramSource, RuleListDiagram } from "./diagrams.ts";
import { isFromEnvironment } from "./secret-fields.ts";

/** The lists that the plan changes, if they were read. */
export function ruleLists(source: DiagramSource): readonly RuleListDiagram[] {
  const { plan, configuration, state } = source;
  return (plan.transitions ?? []).flatMap(({ address, kind }) => {
    const list = state
      .listsOf(kind)
      .find(({ live = [], declared }) => [...live, ...declared].some((rule) => rule.address.startsWith(`${address}/`)));
    if (list?.live === undefined) return [];
    const live = list.live;
    const isSecret = (field: string): boolean =>
      [...live, ...list.declared].some((rule) => isFromEnvironment(source, rule, field));
    // Rules have no key, so a value from the environment may be in any live rule of the list.
    const hidden = { conditions: isSecret("conditions"), outcome: isSecret("outcome") };
    return [
      {
        address,
        isOfSource: list.scope !== "",
        before: liveRules(live, configuration, list.scope).map((rule) => withoutSecrets(rule, hidden)),
        after: declaredRules(configuration, list.scope).map((rule) => withoutSecrets(rule, hidden)),
      },
    ];
  });
}

/** The rule without the values of fields that may hold some from the environment. Its conditions are then undecided. */
function withoutSecrets(
  rule: RoutingRule,
  hidden: { readonly conditions: boolean; readonly outcome: boolean },
): RoutingRule {
  return {
    ...rule,
    ...(hidden.conditions
      ? { conditions: rule.conditions.map((condition) => ({ ...condition, value: MASK, isSecret: true as const })) }
      : {}),
    ...(hidden.outcome ? { outcome: { action: rule.outcome.action ?? null } } : {}),
  };
}
