/** Which declared rule is which live one, for people: what was edited, what has moved, and who is a twin of whom. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { listOf } from "../../support/mirrored.ts";
import { planned } from "../../support/planned.ts";
import { inverse } from "../../support/undone.ts";

/** Rules by a service and the channel that they notify: `a1` sends alerts of a to 1. */
const rules = (...words: readonly string[]): readonly Fields[] =>
  words.map((word) => ({
    conditions: [{ field: "service", operator: "is_one_of", value: [word.charAt(0)] }],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id: word.slice(1) } },
    enabled: true,
  }));

/** What is said of each rule that changes: by its place and, of an update, the fields that differ. */
function changes(live: readonly string[], declared: readonly string[]): readonly string[] {
  const plan = planned(
    { routing_rules: { workspace: rules(...declared) } },
    { live: { routing_rules: rules(...live) } },
  );
  return plan.changes.map(({ action, address, fields }) =>
    [action, address.split("/").at(-1), ...(action === "update" ? fields : []).map(({ path }) => path)].join(" "),
  );
}

test("a rule that says the same is the same, also beside one of the same outcome", () => {
  expect(changes(["a1", "b1"], ["b1", "a1"])).toEqual(["move 1"]);
  expect(changes(["a1", "b1", "c1"], ["c1", "a1", "b1"])).toEqual(["move 1"]);
});

test("of two that say the same, the one at its place is that one", () => {
  expect(changes(["a1", "a1"], ["x2", "a1"])).toEqual(["update 1 /conditions /outcome"]);
});

test("a rule that matches the same is that one, with another outcome, wherever it stands", () => {
  expect(changes(["a1", "b1"], ["c1", "a2"])).toEqual(["create 1", "update 2 /outcome", "delete 2"]);
});

test("a move that was stopped between its requests is taken back, and nobody else is taken for its author", () => {
  const [before, between] = [rules("a1", "b1"), rules("a1", "b1", "a1")];
  const document = { routing_rules: { workspace: rules("b1", "a1") } };
  const back = (now: readonly Fields[]) =>
    inverse(document, { routing_rules: before }, { routing_rules: now }, { open: ["op-2"] });
  const { wishes, warnings } = back(between);
  expect([wishes.map(({ fields }) => fields.conditions), warnings]).toEqual([before.map((one) => one.conditions), []]);
  expect(back([...between, ...rules("x1")]).warnings.map(({ message }) => message)).toEqual([
    "the routing rules of the workspace stay: somebody has changed them since",
  ]);
});

test("a list that loses its end is mirrored by the rules that say the same, in whatever order", () => {
  const { entries, gone } = listOf(
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
