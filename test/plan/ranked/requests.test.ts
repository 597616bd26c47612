/** The requests of a transition's writes, above all the rule that each expects in its row. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { type RankedRequest, rankedRequests } from "../../../src/plan/ranked/requests.ts";
import { type RankedStep, toRankedRule } from "../../../src/plan/ranked/rule.ts";
import { configured } from "../../support/plans/configuration.ts";
import { stateOf } from "../../support/plans/make-plan.ts";

const when = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });
const rule = (service: string, outcome: Fields = { action: "drop" }): Fields => ({
  conditions: [when(service)],
  outcome,
  enabled: true,
});

/** The requests of steps between two lists of the workspace; secrets by the position of the rule. */
function requestsOf(
  liveRules: readonly Fields[],
  rules: readonly Fields[],
  steps: readonly RankedStep[],
  secrets: Readonly<Record<string, readonly string[]>> = {},
): readonly RankedRequest[] {
  const document = { severities: [{ slug: "new", name: "New" }], routing_rules: { workspace: rules } };
  const state = stateOf(document, { live: { severities: [], routing_rules: liveRules } });
  const kind = state.kinds.get("routing_rules");
  if (kind === undefined) throw new Error("there are rules");
  const declared = configured(document)
    .declared.filter((entry) => entry.kind === kind)
    .map((entry) => ({ ...entry, secrets: secrets[entry.key] ?? [] }));
  const live = state.live(kind.name) ?? [];
  const declaredFields = declared.map(({ fields }) => fields);
  return rankedRequests(
    {
      state,
      kind,
      scope: "",
      live,
      answered: live,
      declared,
      declaredFields,
      liveRules: live.map(({ fields }) => toRankedRule(kind, fields)),
      declaredRules: declaredFields.map((fields) => toRankedRule(kind, fields)),
      secret: [],
      holding: { action: "notify_only" },
    },
    steps,
  );
}

const write = (row: number, index: number, list: "live" | "declared" = "declared"): RankedStep => ({
  action: "write",
  row,
  rule: { list, index },
});
const append = (row: number, index: number): RankedStep => ({
  action: "append",
  row,
  rule: { list: "declared", index },
});
const remove = (row: number): RankedStep => ({ action: "delete", row });

const rows = (requests: readonly RankedRequest[]) => requests.map(({ request }) => request.guard?.row);

describe("the rule that a request expects in its row", () => {
  const declares = { action: "auto_create_incident", severity: "new" };

  test("is the live one at first, and then the one that this plan has written there", () => {
    const found = requestsOf(
      [rule("a")],
      [rule("b", { action: "drop", note: null }), rule("c")],
      [write(0, 0), write(0, 1), remove(0)],
    );
    expect(rows(found)).toEqual([
      { priority: 1, ...rule("a") },
      { priority: 1, ...rule("b", { action: "drop", note: null }) },
      { priority: 1, ...rule("c") },
    ]);
  });

  test("leaves out a field whose value is known only once a severity exists", () => {
    const found = requestsOf([rule("a")], [rule("b", declares), rule("c")], [write(0, 0), write(0, 1)]);
    expect(rows(found)[1]).toEqual({ priority: 1, conditions: [when("b")], enabled: true });
  });

  test("leaves out a secret field", () => {
    const secret = { "1": ["/conditions/0/value/0"] };
    const found = requestsOf([rule("a")], [rule("b"), rule("c")], [write(0, 0), write(0, 1)], secret);
    expect(rows(found)[1]).toEqual({ priority: 1, outcome: { action: "drop" }, enabled: true });
  });

  test("keeps the conditions if only the outcome is sent, and forgets the old outcome", () => {
    const found = requestsOf([rule("a")], [rule("a", declares), rule("c")], [write(0, 0), write(0, 1)]);
    expect(Object.keys(found[0]?.request.body ?? {})).toEqual(["outcome"]);
    expect(rows(found)[1]).toEqual({ priority: 1, conditions: [when("a")], enabled: true });
    expect(Object.keys(found[1]?.request.body ?? {}).sort()).toEqual(["conditions", "enabled", "outcome"]);
  });

  test("is none for a row that the plan appends: the response to its creation tells how to reach it", () => {
    const found = requestsOf([rule("a")], [rule("b"), rule("c")], [append(1, 0), write(1, 1), remove(1)]);
    expect(rows(found)).toEqual([undefined, undefined, undefined]);
    expect(found.map(({ request }) => request.idFrom !== undefined)).toEqual([false, true, true]);
  });
});

describe("the address of a request", () => {
  test("is that of the rule that the row holds at the end, of the live rule that goes, or an unused number", () => {
    const found = requestsOf(
      [rule("a"), rule("b")],
      [rule("b"), rule("c"), rule("d")],
      [append(2, 2), append(3, 1), write(1, 1), write(0, 1, "live"), remove(3)],
    );
    expect(found.map(({ request }) => request.address)).toEqual([
      "routing_rules/workspace/3",
      "routing_rules/workspace/7",
      "routing_rules/workspace/2",
      "routing_rules/workspace/1",
      "routing_rules/workspace/7",
    ]);
    expect(found[3]?.request.body).toMatchObject({ conditions: [when("b")] });
  });
});

describe("the reason of a request", () => {
  const reasons = (requests: readonly RankedRequest[]) => requests.map(({ request }) => request.why);

  test("names the position of the rule, and whether the row keeps it", () => {
    const steps = [append(2, 2), write(1, 0, "live"), write(1, 1), write(0, 0), remove(0)];
    expect(reasons(requestsOf([rule("a"), rule("b")], [rule("c"), rule("d"), rule("e")], steps))).toEqual([
      "write the rule at position 3",
      "temporarily duplicate the rule at position 1",
      "write the rule at position 2",
      "temporarily duplicate the rule at position 1",
      "delete the rule at position 1",
    ]);
  });

  test("says that only the outcome changes", () => {
    const [live, other] = [rule("a"), rule("a", { action: "notify_only" })];
    expect(reasons(requestsOf([rule("b"), live], [rule("b"), other], [write(1, 1)]))).toEqual([
      "change the outcome of the rule at position 2",
    ]);
  });

  test("says what the holding rule does, and which rule replaces it", () => {
    const holding = { list: "holding" } as const;
    const found = requestsOf(
      [rule("a")],
      [rule("b")],
      [{ action: "append", row: 1, rule: holding }, { action: "write", row: 0, rule: holding }, write(0, 0)],
    );
    expect(reasons(found)).toEqual([
      "temporarily give every alert the holding outcome",
      "temporarily give every alert the holding outcome",
      "replace the holding rule with the rule at position 1",
    ]);
    expect(found[1]?.request.body).toEqual({ outcome: { action: "notify_only" }, conditions: [], enabled: true });
  });
});

test("a deletion says which live rule it removes, also from a row that it was copied to", () => {
  const steps = [write(1, 0, "live"), write(0, 0), remove(1)];
  expect(requestsOf([rule("a"), rule("b")], [rule("c")], steps).map(({ removes }) => removes)).toEqual([
    undefined,
    undefined,
    0,
  ]);
});
