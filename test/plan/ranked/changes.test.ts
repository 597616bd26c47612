/** Which declared rule a plan shows as which live one: the rules that are updated, moved, created and deleted. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { listOf } from "../../support/plans/desired-list.ts";
import { planned } from "../../support/plans/make-plan.ts";
import { inverse } from "../../support/plans/make-undo.ts";

/** Rules by a service and the channel that they notify: `a1` sends alerts of a to 1. */
const rules = (...words: readonly string[]): readonly Fields[] =>
  words.map((word) => ({
    conditions: [{ field: "service", operator: "is_one_of", value: [word.charAt(0)] }],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id: word.slice(1) } },
    enabled: true,
  }));

/** The changes of a list: action and position, and of an update the fields that differ. */
function changes(live: readonly string[], declared: readonly string[]): readonly string[] {
  const plan = planned(
    { routing_rules: { workspace: rules(...declared) } },
    { live: { routing_rules: rules(...live) } },
  );
  return plan.changes.map(({ action, address, fields }) =>
    [action, address.split("/").at(-1), ...(action === "update" ? fields : []).map(({ path }) => path)].join(" "),
  );
}

test("an equal rule is the same rule, also next to one with the same outcome", () => {
  expect(changes(["a1", "b1"], ["b1", "a1"])).toEqual(["move 1"]);
  expect(changes(["a1", "b1", "c1"], ["c1", "a1", "b1"])).toEqual(["move 1"]);
});

test("of two equal rules the one at the same position is the same rule", () => {
  expect(changes(["a1", "a1"], ["x2", "a1"])).toEqual(["update 1 /conditions /outcome"]);
});

test("a rule with the same conditions and another outcome is the same rule, wherever it is", () => {
  expect(changes(["a1", "b1"], ["c1", "a2"])).toEqual(["create 1", "update 2 /outcome", "delete 2"]);
});

test("a rule that pairs with no other is the one at its position, unless that one pairs", () => {
  expect(changes(["a1", "b1"], ["x2", "b1"])).toEqual(["update 1 /conditions /outcome"]);
  expect(changes(["a1", "b1"], ["x2", "a1"])).toEqual(["create 1", "delete 2"]);
});

test("undo finishes a move that was interrupted between its requests, but not if somebody has changed the rules since", () => {
  const [before, between] = [rules("a1", "b1"), rules("a1", "b1", "a1")];
  const document = { routing_rules: { workspace: rules("b1", "a1") } };
  const back = (now: readonly Fields[]) =>
    inverse(document, { routing_rules: before }, { routing_rules: now }, { open: ["op-2"] });
  const { desired: wishes, warnings } = back(between);
  expect([wishes.map(({ fields }) => fields.conditions), warnings]).toEqual([before.map((one) => one.conditions), []]);
  expect(back([...between, ...rules("x1")]).warnings.map(({ message }) => message)).toEqual([
    "the routing rules of the workspace stay: somebody has changed them since",
  ]);
});

test("pull finds equal rules in whatever order in a list that has become shorter", () => {
  const { entries, missing: gone } = listOf(
    { routing_rules: { workspace: rules("a1", "b1", "c1") } },
    { live: { routing_rules: rules("b1", "a1") } },
    "routing_rules",
  );
  expect(entries.map((entry) => ("declared" in entry ? [entry.declared.key, entry.fields.size] : "new"))).toEqual([
    ["2", 0],
    ["1", 0],
  ]);
  expect(gone.map(({ key }) => key)).toEqual(["3"]);
});
