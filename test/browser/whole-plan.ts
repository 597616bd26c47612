/** A plan with every sort of change, with references, and with a list in a new order. */

import type { Plan } from "../../src/plan/plan.ts";
import { everything } from "../report/plans.ts";

/** References from resources that do not change. */
export const MENTIONS: readonly { readonly from: string; readonly to: string }[] = [
  "runbooks/database_is_slow",
  "routing_rules/Datadog/2",
].map((from) => ({
  from,
  to: "severities/critical",
}));

/** The plan. */
export const whole: Plan = {
  ...everything,
  operations: everything.operations.map((operation, at) =>
    at === 6
      ? { ...operation, depends_on: ["op-1"] }
      : at === 9
        ? { ...operation, depends_on: ["op-7", "op-8"] }
        : operation,
  ),
  transitions: [
    {
      ...{ address: "routing_rules/workspace", kind: "routing_rules", added: 1, edited: 1, moved: 1, removed: 1 },
      ...{ writes: 7, window: 2, exposed: ["routing_rules/workspace/1", "routing_rules/workspace/2"] },
      order: [
        { name: "drop noise", before: 3, after: 1 },
        { name: "payments", before: 1, after: 2 },
        { name: "search, new", before: null, after: 3 },
        { name: "everything else", before: 4, after: 4 },
        { name: "old pager", before: 2, after: null },
      ],
    },
  ],
};
