/** The decisions that every report of a plan shares: they are asserted here once, and each format has goldens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { driftView, planView, reservationLines } from "../../../src/view/plan/plan-view.ts";
import { changeOf, everything, planOf } from "../plans.ts";

const minor = changeOf("severities/minor", "delete", { risk: "destructive", reason: "not in the configuration" });
const risky = changeOf("webhooks/pager", "update", { risk: "attention", reason: "sends elsewhere" });
const blockedBy = (...flags: readonly (string | undefined)[]): Pick<Plan, "blocked"> => ({
  blocked: flags.map((flag) => ({
    ...{ code: "x", message: "too much", addresses: ["severities/minor"] },
    ...(flag === undefined ? {} : { flag }),
  })),
});

test.each<readonly [summary: string, view: () => ReturnType<typeof planView>]>([
  [
    "Plan: 2 to create, 5 to update, 2 to move, 1 to enable, 1 to disable, 1 to delete. 12 requests.",
    () => planView(everything),
  ],
  [
    "Plan: 0 to create, 0 to update, 1 to move, 0 to disable, 0 to delete. 1 request.",
    () => planView(planOf([changeOf("severities/minor", "move")])),
  ],
  ["No changes. The workspace matches what the files declare.", () => planView(planOf([]))],
  [
    "No changes. The workspace matches what the files declare, except for what is preserved (see the warnings).",
    () => planView(planOf([], { warnings: [{ code: "W_RETAINED", message: 'option "US" is in use and stays' }] })),
  ],
  [
    "No changes. The workspace matches what the files declare, except for accepted differences. 1 accepted, 2 ignored.",
    () => planView(planOf([], { accepted: [{ address: "a/b" }], ignored: [{ address: "a/b" }, { address: "a/c" }] })),
  ],
  ["No changes. Nothing of run r1 is left to undo.", () => planView(planOf([], { undoes: "r1" }))],
  ["No drift. The workspace matches what the files declare.", () => driftView(planOf([]))],
  ["Drift: 1 differs.", () => driftView(planOf([risky]))],
])("a report ends with: %s", (summary, view) => {
  expect(view().verdict.summary).toBe(summary);
});

test.each<readonly [advice: string, concern: string, command: string, plan: Plan]>([
  ["", "none", "", planOf([])],
  ["No change needs attention.", "safe", "", planOf([changeOf("severities/minor", "move")])],
  ["1 change needs attention.", "attention", "", planOf([risky])],
  ["1 change cannot be undone.", "destructive", "", planOf([risky, minor])],
  [
    ...["Blocked: apply requires --allow-delete --yes.", "blocked", "incidentctl apply --allow-delete --yes"],
    planOf([minor], blockedBy("--allow-delete", "--yes", "--yes")),
  ] as const,
  [
    ...[
      "Blocked: apply refuses this plan for 1 reason that no flag approves. The others require --yes.",
      "blocked",
      "",
    ],
    planOf([minor], blockedBy("--yes", undefined)),
  ] as const,
])("the verdict on a plan advises: %s", (advice, concern, command, plan) => {
  expect(planView(plan).verdict).toMatchObject({ advice, concern, command });
});

test("changes that cannot be undone are reviewed before those that need attention; drift has nothing to review", () => {
  const plan = planOf([risky, changeOf("severities/a", "move"), minor]);
  expect(planView(plan).review.map(({ reviewReason }) => reviewReason)).toEqual([
    "not in the configuration",
    "sends elsewhere",
  ]);
  expect(driftView(plan).review).toEqual([]);
});

test("changes stand by kind, and those of one resource side by side", () => {
  const addresses = ["severities/a", "webhooks/pager", "severities/b", "severities/a"];
  const { kinds } = planView(planOf(addresses.map((address) => changeOf(address, "update"))));
  expect(kinds.map(({ kind, changes }) => [kind, changes.map(({ change }) => change.address)])).toEqual([
    ["severities", ["severities/a", "severities/a", "severities/b"]],
    ["webhooks", ["webhooks/pager"]],
  ]);
});

test.each([
  [{ before: "severities/a", after: "severities/b" }, "between severities/a and severities/b"],
  [{ before: "severities/a" }, "last, after severities/a"],
  [{ after: "severities/b" }, "first, before severities/b"],
])("the position with the neighbours %j is %s, in drift the one that should be", (neighbours, position) => {
  const plan = planOf([changeOf("severities/minor", "move", { neighbours })]);
  expect(planView(plan).changes[0]?.position).toBe(position);
  expect(driftView(plan).changes[0]?.position).toBe(`should be ${position}`);
});

test.each([
  [{ rules: ["drills"] }, 'takes alerts from "drills"'],
  [{ rules: ["routing_rules/x/1"], more: 2 }, "takes alerts from routing_rules/x/1 and 2 more"],
  [{ rules: ["drills"], unmatched: true }, 'takes alerts from "drills", and those that no rule matched'],
  [{ rules: [], unmatched: true }, "takes alerts that no rule matched"],
] as const)("a rule that takes over %j says so", (takeover, text) => {
  const plan = planOf([changeOf("routing_rules/x/2", "update", { takes_over: takeover })]);
  expect(planView(plan).changes[0]?.takeover).toBe(text);
});

test("a change that several approvals block names the flag of each", () => {
  const note = (...flags: readonly (string | undefined)[]) =>
    planView(planOf([minor], blockedBy(...flags))).changes[0]?.blocked;
  expect(note("--allow-delete", "--max-removals 1")).toBe("requires --allow-delete --max-removals 1");
  expect([note(undefined), note()]).toEqual(["blocked", ""]);
});

test("a warning names its subject unless its message begins with it", () => {
  const warnings = ["it is odd", "severities/a is odd"].map((message) => ({
    ...{ code: "W_X", message, address: "severities/a" },
  }));
  expect(planView(planOf([], { warnings })).warnings.map(({ first }) => first.subject)).toEqual(["severities/a", ""]);
});

test("warnings are together if and only if they say the same, and none is lost", () => {
  const warning = fc
    .record({
      code: fc.constantFrom("W_X", "W_Y"),
      address: fc.constantFrom("webhooks/a", "webhooks/ab", "webhooks/b"),
      begins: fc.boolean(),
      says: fc.constantFrom(" is odd", ": is odd", " is even"),
    })
    .map(({ code, address, begins, says }) => ({
      says: [code, begins ? says : `: ${says}`].join(),
      warning: { code, address, message: `${begins ? address : ""}${says}` },
    }));
  fc.assert(
    fc.property(fc.array(warning), (all) => {
      const groups = planView(planOf([], { warnings: all.map((one) => one.warning) })).warnings;
      const saysOf = new Map(all.map((one) => [JSON.stringify(one.warning), one.says]));
      const shown = groups.map(({ first, others }) =>
        [first, ...others].map(({ code, name, message }) => ({ code, address: name, message })),
      );
      const says = shown.map((group) => new Set(group.map((one) => saysOf.get(JSON.stringify(one)))));
      expect(says.map(({ size }) => size)).toEqual(says.map(() => 1));
      expect(new Set(says.flatMap((own) => [...own])).size).toBe(groups.length);
      expect(shown.flat()).toHaveLength(all.length);
      expect(new Set(shown.flat().map((one) => JSON.stringify(one)))).toEqual(new Set(saysOf.keys()));
    }),
  );
});

test("fields that could not be compared and the filter of a partial plan are said before the summary", () => {
  const unreadable = ["/signing_secret", "/watch"].map((path) => ({ address: "webhooks/pager", path, reason: "so" }));
  expect(
    reservationLines(planView(planOf([], { partial: ["--kinds severities", "--only-changed"], unreadable })), "above"),
  ).toEqual([
    "2 fields could not be compared (listed above).",
    "This plan is partial: --kinds severities.",
    "Only resources whose declaration differs from the base are planned. Other differences are left alone.",
  ]);
});
