/**
 * Members of rules that the files cannot have, because only a newer service knows them. They are not compared. Where a rule is written over
 * another one, the service may keep those of the other one.
 */

import { withoutMembers } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { type Shape, shapeOf, unknownMembers } from "../diff/unknown-members.ts";
import type { Derived } from "../model/plan.ts";
import type { RankedList } from "./requests.ts";
import { pairRules, type RankedStep } from "./rule.ts";

/** The live rule with the members that files can have, or that a declared rule of the list has all the same. */
export function withKnownMembers(live: LiveResource, declared: Shape): LiveResource {
  const unknown = new Set(unknownMembers(live, declared).map(({ path }) => path));
  return unknown.size === 0 ? live : { ...live, fields: withoutMembers(live.fields, unknown) };
}

/** Members that rules may take over from those that they are written over, though no file declares them. */
export function carriedMembers(
  { answered, declared, declaredFields, liveRules, declaredRules }: RankedList,
  steps: readonly RankedStep[],
): readonly Derived[] {
  const shape = shapeOf(declaredFields);
  const unknown = answered.map((live) => unknownMembers(live, shape));
  if (unknown.every(({ length }) => length === 0)) return [];
  const partners = pairRules(liveRules, declaredRules);
  const lastSteps = new Map(steps.map((step) => [step.row, step]));
  return [...lastSteps.values()].flatMap((step) => {
    if (step.action === "delete" || step.rule.list !== "declared" || partners.get(step.rule.index) === step.row) {
      return [];
    }
    const address = declared[step.rule.index]?.address ?? "";
    const reason = `the rule that was at position ${step.row + 1} has it; no file declares it, and the service may keep it`;
    return (unknown[step.row] ?? []).map(({ path, value }) => ({ address, path, before: null, after: value, reason }));
  });
}
